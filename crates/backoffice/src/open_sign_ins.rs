//! Sign-ins whose first factor (password or single sign-on) is proved, and whose second is not: a passkey, or a code of the authenticator.
//! A session whose second factor has to be proved again is one, too. They belong to one browser, by its cookie, and end after five minutes.

use actix_web::{
    HttpRequest, HttpResponse,
    cookie::{Cookie, SameSite, time},
    web::{Data, Json},
};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::openapi::{NotFound, TooMany, Unauthorized};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    error::Error,
    members::{ACTIVE, Member, StaffRow},
    passkeys::Passkeys,
    schema::open_sign_ins,
    second_factor,
    sessions::{self, Origin},
    sign_in::{self, Attempt, SignedIn},
    token,
};

/// The cookie of a browser that has begun to sign in: here, or at the provider.
const COOKIE: &str = "spaza_sign_in";
const COOKIE_LIFETIME: time::Duration = time::Duration::minutes(10);
const LIFETIME: TimeDelta = TimeDelta::minutes(5);

/// How the first factor was proved.
#[derive(Clone, Copy)]
pub(crate) enum FirstFactor {
    Password,
    Provider,
    /// The session with this id, whose second factor is proved again.
    Session(i64),
}

impl FirstFactor {
    /// As the audit log has it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Provider => "single sign-on",
            Self::Session(_) => "session",
        }
    }
}

/// What is still needed: a code, or one of the person's passkeys.
#[derive(Serialize, ToSchema)]
pub(crate) struct SecondFactor {
    /// The options for `navigator.credentials.get`; null without a passkey.
    #[schema(value_type = Option<Object>, required = true)]
    passkey: Option<Value>,
}

/// A sign-in that was opened, with the token of its cookie.
pub(crate) struct Opened {
    pub(crate) token: String,
    pub(crate) needed: SecondFactor,
}

/// The second factor: one of the two.
#[derive(Deserialize, ToSchema)]
pub(crate) struct SecondFactorProof {
    /// The six digits of the authenticator.
    code: Option<String>,
    /// The credential of `navigator.credentials.get`, as JSON.
    #[schema(value_type = Option<Object>)]
    passkey: Option<Value>,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = open_sign_ins)]
struct Row {
    token_hash: String,
    staff_id: i64,
    first_factor: String,
    challenge: Option<String>,
    session_id: Option<i64>,
}

impl Row {
    /// The one of this browser, and its member.
    fn find(conn: &mut DbConnection, hash: &str, now: NaiveDateTime) -> Result<(Self, StaffRow), Error> {
        let row: Option<Self> = open_sign_ins::table
            .filter(open_sign_ins::token_hash.eq(hash))
            .filter(open_sign_ins::expires_at.gt(now))
            .select(Self::as_select())
            .first(conn)
            .optional()?;
        let row = row.ok_or(Error::SignInExpired)?;
        let member = StaffRow::by_id(conn, row.staff_id)?;
        if member.state != ACTIVE {
            return Err(Error::SignInExpired);
        }
        Ok((row, member))
    }
}

/// Opens a sign-in, with a challenge for the member's passkeys.
pub(crate) fn open(
    conn: &mut DbConnection,
    passkeys: &Passkeys,
    staff_id: i64,
    first_factor: FirstFactor,
    now: NaiveDateTime,
) -> Result<Opened, Error> {
    diesel::delete(open_sign_ins::table.filter(open_sign_ins::expires_at.le(now))).execute(conn)?;
    let token = token::random();
    let (options, challenge) = passkeys.challenge(conn, staff_id)?.unzip();
    diesel::insert_into(open_sign_ins::table)
        .values((
            open_sign_ins::token_hash.eq(token::hash(&token)),
            open_sign_ins::staff_id.eq(staff_id),
            open_sign_ins::first_factor.eq(first_factor.name()),
            open_sign_ins::challenge.eq(challenge),
            open_sign_ins::expires_at.eq(now + LIFETIME),
            open_sign_ins::session_id.eq(match first_factor {
                FirstFactor::Session(id) => Some(id),
                FirstFactor::Password | FirstFactor::Provider => None,
            }),
        ))
        .execute(conn)?;
    Ok(Opened { token, needed: SecondFactor { passkey: options } })
}

/// Ends those of a member.
pub(crate) fn end_all(conn: &mut DbConnection, staff_id: i64) -> Result<(), Error> {
    diesel::delete(open_sign_ins::table.filter(open_sign_ins::staff_id.eq(staff_id))).execute(conn)?;
    Ok(())
}

/// The cookie, or, with an empty token, the one that removes it. It comes along when the provider sends the browser back, so it is `Lax`.
pub(crate) fn cookie(app: &App, token: String) -> Cookie<'static> {
    let mut cookie = Cookie::build(app.cookie_name(COOKIE), token)
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(app.is_https())
        .max_age(COOKIE_LIFETIME)
        .finish();
    if cookie.value().is_empty() {
        cookie.make_removal();
    }
    cookie
}

/// The hash of this browser's token.
pub(crate) fn hash_of(req: &HttpRequest, app: &App) -> Result<String, Error> {
    req.cookie(&app.cookie_name(COOKIE)).map(|cookie| token::hash(cookie.value())).ok_or(Error::SignInExpired)
}

/// Begins to prove the second factor of the caller's session again.
#[utoipa::path(post, path = "", responses((status = 200, description = "What is needed.", body = SecondFactor)))]
pub(crate) async fn begin_proof(member: Member, app: Data<App>) -> Result<HttpResponse, Error> {
    let (passkeys, now) = (app.passkeys.clone(), app.clock.now());
    let session = FirstFactor::Session(member.session_id);
    let opened = app.db.write(move |conn| open(conn, &passkeys, member.id, session, now)).await?;
    Ok(HttpResponse::Ok().cookie(cookie(&app, opened.token)).json(opened.needed))
}

/// What this browser's sign-in still needs, with a new challenge.
#[utoipa::path(
    get,
    path = "",
    responses((status = 200, description = "What is needed.", body = SecondFactor), NotFound)
)]
pub(crate) async fn get_second_factor(app: Data<App>, req: HttpRequest) -> Result<Json<SecondFactor>, Error> {
    let (hash, now, passkeys) = (hash_of(&req, &app)?, app.clock.now(), app.passkeys.clone());
    let needed = app
        .db
        .write(move |conn| {
            let (row, _) = Row::find(conn, &hash, now)?;
            let (options, challenge) = passkeys.challenge(conn, row.staff_id)?.unzip();
            diesel::update(open_sign_ins::table.filter(open_sign_ins::token_hash.eq(hash)))
                .set(open_sign_ins::challenge.eq(challenge))
                .execute(conn)?;
            Ok::<_, Error>(SecondFactor { passkey: options })
        })
        .await?;
    Ok(Json(needed))
}

/// Opens the session of this browser's sign-in, or renews the proof of the one that it has.
#[utoipa::path(
    post,
    path = "",
    request_body = SecondFactorProof,
    responses(
        (status = 200, description = "The member of staff; the cookie of a new session is set.", body = SignedIn),
        Unauthorized,
        NotFound,
        TooMany
    )
)]
pub(crate) async fn prove_second_factor(
    app: Data<App>,
    req: HttpRequest,
    proof: Json<SecondFactorProof>,
) -> Result<HttpResponse, Error> {
    let SecondFactorProof { code, passkey } = proof.into_inner();
    let (hash, origin, now) = (hash_of(&req, &app)?, Origin::of(&req, &app), app.clock.now());
    let (counted, is_code) = (hash.clone(), code.is_some());
    // In a transaction of its own, which also uses up the challenge: neither comes back where the rest fails.
    let (row, member) = app
        .audited(move |conn| {
            let (row, member) = Row::find(conn, &counted, now)?;
            // A passkey cannot be guessed.
            if is_code {
                sign_in::count_attempt(conn, Attempt::Code { email: &member.email }, now)?;
            }
            diesel::update(open_sign_ins::table.filter(open_sign_ins::token_hash.eq(&row.token_hash)))
                .set(open_sign_ins::challenge.eq(None::<String>))
                .execute(conn)?;
            Ok((row, member))
        })
        .await?;
    let (keys, passkeys) = (app.second_factor_keys.clone(), app.passkeys.clone());
    let opened = app
        .audited(move |conn| {
            // Again: a reset or a removal may have ended it.
            let (_, current) = Row::find(conn, &hash, now)?;
            let factor = match (&code, &passkey, &row.challenge) {
                (Some(code), None, _) => second_factor::accept(conn, &keys, &current, code, now)?.then_some("code"),
                (None, Some(proof), Some(challenge)) => {
                    passkeys.accept(conn, current.id, proof, challenge, now)?.then_some("passkey")
                }
                _ => None,
            };
            let Some(factor) = factor else {
                sign_in::refuse(conn, &member, &origin, now)?;
                return Ok(None);
            };
            diesel::delete(open_sign_ins::table.filter(open_sign_ins::token_hash.eq(hash))).execute(conn)?;
            let session = match row.session_id {
                None => Some(sign_in::open_session(conn, &current, &origin, [&row.first_factor, factor], now)?),
                Some(id) if sessions::renew_proof(conn, id, now)? => {
                    sign_in::forget_attempts(conn, &current.email)?;
                    let details = json!({ "session": id, "address": origin.address, "factor": factor });
                    let by = Some((current.id, current.email.as_str()));
                    audit::append(conn, by, "second_factor.proved", &current.email, &details, now)?;
                    None
                }
                Some(_) => return Err(Error::SignInExpired),
            };
            Ok(Some((session, current)))
        })
        .await?;
    let (session, member) = opened.ok_or(Error::SecondFactorRefused)?;
    let mut reply = HttpResponse::Ok();
    if let Some(session) = session {
        reply.cookie(sessions::cookie(&app, session));
    }
    Ok(reply.cookie(cookie(&app, String::new())).json(SignedIn::from(member)))
}

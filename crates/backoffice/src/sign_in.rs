//! Signing in and out, with limits on failed attempts.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Json},
};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::{dsl::count_star, prelude::*};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::openapi::{TooMany, Unauthorized};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    error::Error,
    members::{ACTIVE, Member, Role, StaffRow, roles_of},
    open_sign_ins::{self, FirstFactor, SecondFactor},
    passkeys,
    schema::{attempts, sessions},
    second_factor,
    sessions::{self as session_rows, Origin},
};

/// Failed attempts are counted over this time.
const WINDOW: TimeDelta = TimeDelta::minutes(15);
/// The most failed attempts of one account at one address within that time, and the most wrong codes of one account.
const MOST: i64 = 10;
/// The most of one address; colleagues may share it.
const MOST_BY_ADDRESS: i64 = 100;
/// The address of wrong codes, which count by the account.
const OF_CODES: &str = "";

/// An attempt to sign in, and the account or address that it counts against.
#[derive(Clone, Copy)]
pub(crate) enum Attempt<'a> {
    /// A password: the account at this address, so that who knows only an email address shuts no owner out.
    Password { email: &'a str, address: &'a str },
    /// A code after the first factor was proved: the account, since six digits can be guessed from many addresses.
    Code { email: &'a str },
    /// The way to the provider: the address alone.
    Provider { address: &'a str },
}

/// A sign-in.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Credentials {
    #[schema(max_length = 254)]
    email: String,
    #[schema(max_length = 256)]
    password: String,
    /// The six digits of the authenticator. Empty: a person with passkeys uses one in the next step.
    code: String,
}

/// The member of staff of a session.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignedIn {
    pub(crate) staff: Person,
}

impl From<StaffRow> for SignedIn {
    fn from(row: StaffRow) -> Self {
        let StaffRow { id, email, name, roles, .. } = row;
        Self { staff: Person { id, email, name, roles: roles_of(&roles) } }
    }
}

/// A member of staff.
#[derive(Serialize, ToSchema)]
pub(crate) struct Person {
    pub(crate) id: i64,
    pub(crate) email: String,
    pub(crate) name: String,
    pub(crate) roles: Vec<Role>,
}

/// Until when an account is locked, if it is: its codes, or its passwords at an address.
pub(crate) fn locked_until(
    conn: &mut DbConnection,
    email: &str,
    now: NaiveDateTime,
) -> Result<Option<NaiveDateTime>, Error> {
    let addresses: Vec<String> = attempts::table
        .filter(attempts::email.eq(email))
        .filter(attempts::at.gt(now - WINDOW))
        .group_by(attempts::address)
        .having(count_star().ge(MOST))
        .select(attempts::address)
        .load(conn)?;
    let ends = addresses.iter().map(|address| address_locked_until(conn, Some(email), address, now));
    Ok(ends.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().max())
}

/// Until when an address is locked: for this account, or without one for all.
fn address_locked_until(
    conn: &mut DbConnection,
    email: Option<&str>,
    address: &str,
    now: NaiveDateTime,
) -> Result<Option<NaiveDateTime>, Error> {
    let mut newest = attempts::table
        .filter(attempts::address.eq(address))
        .filter(attempts::at.gt(now - WINDOW))
        .order(attempts::at.desc())
        .select(attempts::at)
        .into_boxed();
    let mut most = MOST_BY_ADDRESS;
    if let Some(email) = email {
        newest = newest.filter(attempts::email.eq(email));
        most = MOST;
    }
    let last_allowed: Option<NaiveDateTime> = newest.offset(most - 1).first(conn).optional()?;
    Ok(last_allowed.map(|at| at + WINDOW))
}

/// Removes what counts against an account.
pub(crate) fn forget_attempts(conn: &mut DbConnection, email: &str) -> Result<(), Error> {
    diesel::delete(attempts::table.filter(attempts::email.eq(email))).execute(conn)?;
    Ok(())
}

/// Counts an attempt before it is examined, so that concurrent ones cannot exceed the limit; success removes it.
pub(crate) fn count_attempt(conn: &mut DbConnection, attempt: Attempt<'_>, now: NaiveDateTime) -> Result<(), Error> {
    diesel::delete(attempts::table.filter(attempts::at.le(now - WINDOW))).execute(conn)?;
    let (email, address) = match attempt {
        Attempt::Password { email, address } => (email, address),
        Attempt::Code { email } => (email, OF_CODES),
        Attempt::Provider { address } => ("", address),
    };
    let by_address = match attempt {
        Attempt::Code { .. } => None,
        _ => address_locked_until(conn, None, address, now)?,
    };
    let by_account = match attempt {
        Attempt::Provider { .. } => None,
        _ => address_locked_until(conn, Some(email), address, now)?,
    };
    if let Some(until) = by_account.max(by_address) {
        return Err(Error::Locked(u64::try_from((until - now).num_seconds()).unwrap_or_default().saturating_add(1)));
    }
    diesel::insert_into(attempts::table)
        .values((attempts::email.eq(email), attempts::address.eq(address), attempts::at.eq(now)))
        .execute(conn)?;
    Ok(())
}

/// Opens the session of a member who has proved who they are; returns its token.
pub(crate) fn open_session(
    conn: &mut DbConnection,
    row: &StaffRow,
    origin: &Origin,
    factors: [&str; 2],
    now: NaiveDateTime,
) -> Result<String, Error> {
    forget_attempts(conn, &row.email)?;
    let token = session_rows::open(conn, row.id, origin, now)?;
    let details = json!({ "address": origin.address, "factors": factors });
    audit::append(conn, Some((row.id, &row.email)), "session.opened", &row.email, &details, now)?;
    Ok(token)
}

/// Enters a refused attempt of a known account.
pub(crate) fn refuse(
    conn: &mut DbConnection,
    row: &StaffRow,
    origin: &Origin,
    now: NaiveDateTime,
) -> Result<(), Error> {
    audit::append(conn, None, "session.refused", &row.email, &json!({ "address": origin.address }), now)
}

/// What a right password leads to.
enum Outcome {
    Opened {
        session: String,
        row: StaffRow,
    },
    /// A passkey or a code is still needed.
    SecondFactor(open_sign_ins::Opened),
}

/// Opens a session, or asks for the second factor.
#[utoipa::path(
    post,
    path = "",
    request_body = Credentials,
    responses(
        (status = 200, description = "The member of staff; the session's cookie is set.", body = SignedIn),
        (status = 202, description = "The password is right, and the person has passkeys: the second factor is needed.", body = SecondFactor),
        Unauthorized,
        TooMany
    )
)]
pub(crate) async fn sign_in(
    app: Data<App>,
    req: HttpRequest,
    credentials: Json<Credentials>,
) -> Result<HttpResponse, Error> {
    let Credentials { email, password, code } = credentials.into_inner();
    let (email, origin, now) = (email.trim().to_lowercase(), Origin::of(&req, &app), app.clock.now());
    if email.chars().count() > 254 || password.chars().count() > 256 {
        return Err(Error::SignInRefused);
    }
    let (counted, address) = (email.clone(), origin.address.clone());
    let row = app
        .audited(move |conn| {
            count_attempt(conn, Attempt::Password { email: &counted, address: &address }, now)?;
            StaffRow::by_email(conn, &counted)
        })
        .await?;
    let stored = row.as_ref().filter(|row| row.state == ACTIVE).and_then(|row| row.password_hash.clone());
    let is_password = app.passwords.verify(password, stored.clone()).await?;
    let Some(row) = row else { return Err(Error::SignInRefused) };
    let (keys, passkeys) = (app.second_factor_keys.clone(), app.passkeys.clone());
    let outcome = app
        .audited(move |conn| {
            // Read again: the account may have been changed while the password was verified.
            let current =
                StaffRow::by_email(conn, &row.email)?.filter(|now| now.state == ACTIVE && now.password_hash == stored);
            let Some(current) = current.filter(|_| is_password) else {
                refuse(conn, &row, &origin, now)?;
                return Ok(None);
            };
            if code.trim().is_empty() && passkeys::has_any(conn, current.id)? {
                let opened = open_sign_ins::open(conn, &passkeys, current.id, FirstFactor::Password, now)?;
                return Ok(Some(Outcome::SecondFactor(opened)));
            }
            count_attempt(conn, Attempt::Code { email: &current.email }, now)?;
            if !second_factor::accept(conn, &keys, &current, &code, now)? {
                refuse(conn, &current, &origin, now)?;
                return Ok(None);
            }
            let session = open_session(conn, &current, &origin, [FirstFactor::Password.name(), "code"], now)?;
            Ok(Some(Outcome::Opened { session, row: current }))
        })
        .await?;
    match outcome.ok_or(Error::SignInRefused)? {
        Outcome::Opened { session, row } => {
            Ok(HttpResponse::Ok().cookie(session_rows::cookie(&app, session)).json(SignedIn::from(row)))
        }
        Outcome::SecondFactor(opened) => {
            Ok(HttpResponse::Accepted().cookie(open_sign_ins::cookie(&app, opened.token)).json(opened.needed))
        }
    }
}

/// The member of staff of the session.
#[utoipa::path(get, path = "", responses((status = 200, description = "The member of staff.", body = SignedIn)))]
pub(crate) async fn get_session(member: Member) -> Json<SignedIn> {
    let Member { id, email, name, roles, .. } = member;
    Json(SignedIn { staff: Person { id, email, name, roles } })
}

/// Ends the session of this call.
#[utoipa::path(delete, path = "", responses((status = 204, description = "It has ended.")))]
pub(crate) async fn sign_out(member: Member, app: Data<App>) -> Result<HttpResponse, Error> {
    let now = app.clock.now();
    app.audited(move |conn| {
        diesel::delete(sessions::table.filter(sessions::id.eq(member.session_id))).execute(conn)?;
        audit::append_of(conn, &member, "session.ended", &member.email, &json!({ "session": member.session_id }), now)
    })
    .await?;
    Ok(HttpResponse::NoContent().cookie(session_rows::cookie(&app, String::new())).finish())
}

//! Signing in and out, with limits on failed attempts.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Json},
};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::openapi::{TooMany, Unauthorized};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    error::Error,
    guard::Member,
    schema::{attempts, sessions, staff},
    second_factor,
    sessions::{self as session_rows, Origin},
    staff::{ACTIVE, Role, StaffRow, roles_of},
};

/// Failed attempts are counted over this time.
const WINDOW: TimeDelta = TimeDelta::minutes(15);
/// The most failed attempts of one account within that time.
const MAX_BY_EMAIL: i64 = 10;
/// The most of one address; colleagues may share it.
const MAX_BY_ADDRESS: i64 = 100;

/// A sign-in.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Credentials {
    #[schema(max_length = 254)]
    email: String,
    #[schema(max_length = 256)]
    password: String,
    /// The six digits of the authenticator.
    code: String,
}

/// The member of staff of a session.
#[derive(Serialize, ToSchema)]
pub(crate) struct SignedIn {
    pub(crate) staff: Person,
}

/// A member of staff.
#[derive(Serialize, ToSchema)]
pub(crate) struct Person {
    pub(crate) id: i64,
    pub(crate) email: String,
    pub(crate) name: String,
    pub(crate) roles: Vec<Role>,
}

/// Until when an account is locked, if it is: it has ten failed attempts within fifteen minutes.
pub(crate) fn locked_until(
    conn: &mut DbConnection,
    email: &str,
    now: NaiveDateTime,
) -> Result<Option<NaiveDateTime>, Error> {
    let tenth = attempts::table
        .filter(attempts::email.eq(email))
        .filter(attempts::at.gt(now - WINDOW))
        .order(attempts::at.desc())
        .offset(MAX_BY_EMAIL - 1)
        .select(attempts::at)
        .first::<NaiveDateTime>(conn)
        .optional()?;
    Ok(tenth.map(|at| at + WINDOW))
}

/// Removes what counts against an account.
pub(crate) fn forget_attempts(conn: &mut DbConnection, email: &str) -> Result<(), Error> {
    diesel::delete(attempts::table.filter(attempts::email.eq(email))).execute(conn)?;
    Ok(())
}

/// Counts an attempt before it is examined, so that concurrent ones cannot exceed the limit; success removes it.
fn count_attempt(conn: &mut DbConnection, email: &str, address: &str, now: NaiveDateTime) -> Result<(), Error> {
    diesel::delete(attempts::table.filter(attempts::at.le(now - WINDOW))).execute(conn)?;
    let by_address = attempts::table
        .filter(attempts::address.eq(address))
        .filter(attempts::at.gt(now - WINDOW))
        .order(attempts::at.desc())
        .offset(MAX_BY_ADDRESS - 1)
        .select(attempts::at)
        .first::<NaiveDateTime>(conn)
        .optional()?;
    let until = locked_until(conn, email, now)?.max(by_address.map(|at| at + WINDOW));
    if let Some(until) = until {
        return Err(Error::Locked(u64::try_from((until - now).num_seconds()).unwrap_or_default().saturating_add(1)));
    }
    diesel::insert_into(attempts::table)
        .values((attempts::email.eq(email), attempts::address.eq(address), attempts::at.eq(now)))
        .execute(conn)?;
    Ok(())
}

/// Opens a session.
#[utoipa::path(
    post,
    path = "",
    request_body = Credentials,
    responses((status = 200, description = "The member of staff; the session's cookie is set.", body = SignedIn), Unauthorized, TooMany)
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
            count_attempt(conn, &counted, &address, now)?;
            StaffRow::by_email(conn, &counted)
        })
        .await?;
    let stored = row.as_ref().filter(|row| row.state == ACTIVE).and_then(|row| row.password_hash.clone());
    let is_password = app.passwords.verify(password, stored.clone()).await?;
    let Some(row) = row else { return Err(Error::SignInRefused) };
    let keys = app.second_factor_keys.clone();
    let signed_in = app
        .audited(move |conn| {
            let actor = Some((row.id, row.email.as_str()));
            // Read again: the account may have been changed while the password was verified.
            let current =
                StaffRow::by_email(conn, &row.email)?.filter(|now| now.state == ACTIVE && now.password_hash == stored);
            let secret = match current.as_ref().and_then(|row| row.totp_secret.as_deref()) {
                Some(stored) if is_password => Some(second_factor::decrypted(&keys, stored, row.id)?),
                _ => None,
            };
            let step = match (&current, &secret) {
                (Some(current), Some(secret)) => {
                    second_factor::step_of(secret, &row.email, &code, now)?.filter(|step| *step > current.totp_step)
                }
                _ => None,
            };
            let (Some(current), Some(secret), Some(step)) = (current, secret, step) else {
                audit::append(conn, None, "session.refused", &row.email, &json!({ "address": origin.address }), now)?;
                return Ok(None);
            };
            // Again, so that all secrets are by the current key some time after a rotation.
            let stored = second_factor::encrypted(&keys, &secret, row.id)?;
            diesel::update(staff::table.filter(staff::id.eq(row.id)))
                .set((staff::totp_step.eq(step), staff::totp_secret.eq(stored)))
                .execute(conn)?;
            forget_attempts(conn, &row.email)?;
            let token = session_rows::open(conn, row.id, &origin, now)?;
            audit::append(conn, actor, "session.opened", &row.email, &json!({ "address": origin.address }), now)?;
            Ok(Some((token, current)))
        })
        .await?;
    let (token, row) = signed_in.ok_or(Error::SignInRefused)?;
    let staff = Person { id: row.id, email: row.email, name: row.name, roles: roles_of(&row.roles) };
    Ok(HttpResponse::Ok().cookie(session_rows::cookie(&app, token)).json(SignedIn { staff }))
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

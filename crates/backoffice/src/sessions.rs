//! Sessions: opened by a sign-in, listed, ended.

use actix_web::{
    HttpRequest, HttpResponse,
    cookie::{Cookie, SameSite},
    dev::ServiceRequest,
    http::header::{self, HeaderValue},
    web::{Data, Json, Path, Query},
};
use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{Id, openapi::NotFound};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    error::Error,
    members::{ACTIVE, Member, Role, StaffRow, roles_of},
    open_sign_ins,
    schema::{sessions, staff},
    token,
};

/// How long a session lasts at most.
const LIFETIME: TimeDelta = TimeDelta::hours(12);
/// How long it lasts without a call.
const IDLE: TimeDelta = TimeDelta::hours(1);
/// How exactly the last call's time is kept.
const SEEN_EVERY: TimeDelta = TimeDelta::minutes(1);

const MAX_AGENT_CHARS: usize = 200;

#[derive(Queryable, Selectable)]
#[diesel(table_name = sessions)]
struct SessionRow {
    id: i64,
    started_at: NaiveDateTime,
    last_seen_at: NaiveDateTime,
    proved_at: Option<NaiveDateTime>,
    address: String,
    agent: String,
}

/// The member of a session.
#[derive(Queryable, Selectable)]
#[diesel(table_name = staff)]
struct MemberRow {
    id: i64,
    email: String,
    name: String,
    roles: String,
}

/// Where a session was opened.
pub(crate) struct Origin {
    pub(crate) address: String,
    pub(crate) agent: String,
}

impl Origin {
    pub(crate) fn of(req: &HttpRequest, app: &App) -> Self {
        let named = |name: &str| req.headers().get_all(name).map(HeaderValue::as_bytes).collect::<Vec<_>>().into_iter();
        let agent = req.headers().get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
        Self {
            address: req
                .peer_addr()
                .map(|peer| app.proxies.client(peer.ip(), named("x-forwarded-for"), named("forwarded")).to_string())
                .unwrap_or_default(),
            agent: agent.chars().take(MAX_AGENT_CHARS).collect(),
        }
    }
}

/// Opens a session; returns its token.
pub(crate) fn open(
    conn: &mut DbConnection,
    staff_id: i64,
    origin: &Origin,
    now: NaiveDateTime,
) -> Result<String, Error> {
    let token = token::random();
    diesel::delete(sessions::table.filter(sessions::started_at.lt(now - LIFETIME))).execute(conn)?;
    diesel::insert_into(sessions::table)
        .values((
            sessions::token_hash.eq(token::hash(&token)),
            sessions::staff_id.eq(staff_id),
            sessions::started_at.eq(now),
            sessions::last_seen_at.eq(now),
            sessions::address.eq(&origin.address),
            sessions::agent.eq(&origin.agent),
            sessions::proved_at.eq(now),
        ))
        .execute(conn)?;
    diesel::update(staff::table.filter(staff::id.eq(staff_id))).set(staff::last_seen_at.eq(now)).execute(conn)?;
    Ok(token)
}

/// Notes that the session's second factor was proved again; false where the session has ended.
pub(crate) fn renew_proof(conn: &mut DbConnection, id: i64, now: NaiveDateTime) -> Result<bool, Error> {
    if owner_of(conn, id, now)?.is_none() {
        return Ok(false);
    }
    diesel::update(sessions::table.filter(sessions::id.eq(id))).set(sessions::proved_at.eq(now)).execute(conn)?;
    Ok(true)
}

/// Ends all sessions of a member, and the sign-ins that wait for a second factor.
pub(crate) fn end_all(conn: &mut DbConnection, staff_id: i64) -> Result<(), Error> {
    diesel::delete(sessions::table.filter(sessions::staff_id.eq(staff_id))).execute(conn)?;
    open_sign_ins::end_all(conn, staff_id)
}

/// The member of a session that has not ended.
pub(crate) fn owner_of(conn: &mut DbConnection, id: i64, now: NaiveDateTime) -> Result<Option<StaffRow>, Error> {
    let row = sessions::table
        .inner_join(staff::table.on(staff::id.eq(sessions::staff_id)))
        .filter(sessions::id.eq(id))
        .filter(sessions::started_at.gt(now - LIFETIME))
        .filter(sessions::last_seen_at.gt(now - IDLE))
        .filter(staff::state.eq(ACTIVE))
        .select(StaffRow::as_select())
        .first(conn)
        .optional()?;
    Ok(row)
}

/// The cookie with a session's token.
const COOKIE: &str = "spaza_staff";

/// The token of a request's session.
pub(crate) fn token_of(req: &ServiceRequest, app: &App) -> Option<String> {
    req.cookie(&app.cookie_name(COOKIE)).map(|cookie| cookie.value().to_owned())
}

/// The cookie of a session, or, with an empty token, the one that removes it.
pub(crate) fn cookie(app: &App, token: String) -> Cookie<'static> {
    let mut cookie = Cookie::build(app.cookie_name(COOKIE), token)
        .path("/")
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(app.is_https())
        .finish();
    if cookie.value().is_empty() {
        cookie.make_removal();
    }
    cookie
}

/// The member whose session has this token.
pub(crate) async fn member_of(app: &App, token: &str) -> Result<Option<Member>, Error> {
    let (hash, now) = (token::hash(token), app.clock.now());
    let found = app
        .db
        .run(move |conn| {
            sessions::table
                .inner_join(staff::table.on(staff::id.eq(sessions::staff_id)))
                .filter(sessions::token_hash.eq(hash))
                .filter(sessions::started_at.gt(now - LIFETIME))
                .filter(sessions::last_seen_at.gt(now - IDLE))
                .filter(staff::state.eq(ACTIVE))
                .select((SessionRow::as_select(), MemberRow::as_select()))
                .first(conn)
                .optional()
                .map_err(Error::from)
        })
        .await?;
    let Some((session, MemberRow { id, email, name, roles })) = found else { return Ok(None) };
    let session_id = session.id;
    if session.last_seen_at < now - SEEN_EVERY {
        app.db
            .write(move |conn| {
                diesel::update(sessions::table.filter(sessions::id.eq(session_id)))
                    .set(sessions::last_seen_at.eq(now))
                    .execute(conn)?;
                diesel::update(staff::table.filter(staff::id.eq(id))).set(staff::last_seen_at.eq(now)).execute(conn)?;
                Ok::<_, Error>(())
            })
            .await?;
    }
    let proved_at = session.proved_at.unwrap_or(session.started_at);
    Ok(Some(Member { id, email, name, roles: roles_of(&roles), session_id, proved_at }))
}

/// Whose sessions.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SessionQuery {
    /// For administrators: another member's.
    staff: Option<i64>,
}

/// A session.
#[derive(Serialize, ToSchema)]
pub(crate) struct Session {
    id: i64,
    #[schema(value_type = String, format = "date-time")]
    started_at: DateTime<Utc>,
    #[schema(value_type = String, format = "date-time")]
    last_seen_at: DateTime<Utc>,
    /// The address of the connection.
    address: String,
    agent: String,
    /// Whether it is the one of this call.
    current: bool,
}

/// Sessions.
#[derive(Serialize, ToSchema)]
pub(crate) struct Sessions {
    /// Newest first.
    sessions: Vec<Session>,
}

/// The caller's sessions; for administrators, another member's.
#[utoipa::path(get, path = "", params(SessionQuery), responses((status = 200, description = "Sessions that have not ended.", body = Sessions)))]
pub(crate) async fn list_sessions(
    member: Member,
    app: Data<App>,
    query: Query<SessionQuery>,
) -> Result<Json<Sessions>, Error> {
    let staff_id = query.staff.unwrap_or(member.id);
    if staff_id != member.id && !member.roles.contains(&Role::Administrator) {
        return Err(Error::NoRole);
    }
    let now = app.clock.now();
    let rows = app
        .db
        .run(move |conn| {
            let rows = sessions::table
                .filter(sessions::staff_id.eq(staff_id))
                .filter(sessions::started_at.gt(now - LIFETIME))
                .filter(sessions::last_seen_at.gt(now - IDLE))
                .order(sessions::id.desc())
                .select(SessionRow::as_select());
            rows.load(conn).map_err(Error::from)
        })
        .await?;
    let sessions = rows.into_iter().map(|row| Session {
        id: row.id,
        started_at: row.started_at.and_utc(),
        last_seen_at: row.last_seen_at.and_utc(),
        address: row.address,
        agent: row.agent,
        current: row.id == member.session_id,
    });
    Ok(Json(Sessions { sessions: sessions.collect() }))
}

/// Ends one of the caller's sessions; for administrators, anyone's.
#[utoipa::path(
    delete,
    path = "",
    params(("id" = Id, Path, description = "The session's id.")),
    responses((status = 204, description = "It has ended."), NotFound)
)]
pub(crate) async fn end_session(member: Member, app: Data<App>, id: Path<Id>) -> Result<HttpResponse, Error> {
    let (id, now) = (id.get(), app.clock.now());
    app.audited(move |conn| {
        let found = sessions::table
            .inner_join(staff::table.on(staff::id.eq(sessions::staff_id)))
            .filter(sessions::id.eq(id))
            .select((staff::id, staff::email))
            .first::<(i64, String)>(conn)
            .optional()?;
        let (owner, email) = found.ok_or(Error::NotFound)?;
        if owner != member.id && !member.roles.contains(&Role::Administrator) {
            return Err(Error::NotFound);
        }
        diesel::delete(sessions::table.filter(sessions::id.eq(id))).execute(conn)?;
        audit::append_of(conn, &member, "session.ended", &email, &json!({ "session": id }), now)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

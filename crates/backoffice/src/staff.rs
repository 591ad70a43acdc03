//! Members of staff: their roles, and how they lose them.

use actix_web::web::{Data, Json, Path};
use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    Id,
    openapi::{Conflict, NotFound},
};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    error::Error,
    grants::{self, WaitingRole},
    guard::Administrator,
    invitations,
    members::{Member, MemberState, REMOVED, Role, StaffRow, forget_factors, has_administrator, roles_of, roles_text},
    schema::staff,
    sessions, sign_in,
    word::word,
};

/// A member of staff as administrators see them.
#[derive(Serialize, ToSchema)]
pub(crate) struct StaffMember {
    id: i64,
    email: String,
    name: String,
    roles: Vec<Role>,
    /// Requested by one administrator.
    waiting: Vec<WaitingRole>,
    state: MemberState,
    /// Set while ten failed attempts lie within fifteen minutes.
    #[schema(value_type = Option<String>, format = "date-time", required = true)]
    locked_until: Option<DateTime<Utc>>,
    #[schema(value_type = Option<String>, format = "date-time", required = true)]
    last_seen_at: Option<DateTime<Utc>>,
}

impl StaffMember {
    fn load(conn: &mut DbConnection, admin: &Member, row: StaffRow, now: NaiveDateTime) -> Result<Self, Error> {
        Ok(Self {
            waiting: grants::waiting(conn, admin, row.id)?,
            locked_until: sign_in::locked_until(conn, &row.email, now)?.map(|until| until.and_utc()),
            id: row.id,
            roles: roles_of(&row.roles),
            email: row.email,
            name: row.name,
            state: word(&row.state)?,
            last_seen_at: row.last_seen_at.map(|at| at.and_utc()),
        })
    }
}

/// All members of staff.
#[derive(Serialize, ToSchema)]
pub(crate) struct StaffList {
    /// By email address.
    staff: Vec<StaffMember>,
}

/// What an administrator sets.
#[derive(Deserialize, ToSchema)]
pub(crate) struct StaffChange {
    roles: Vec<Role>,
    removed: bool,
}

/// All members of staff.
#[utoipa::path(get, path = "", responses((status = 200, description = "All, also removed ones.", body = StaffList)))]
pub(crate) async fn list_staff(admin: Administrator, app: Data<App>) -> Result<Json<StaffList>, Error> {
    let now = app.clock.now();
    let staff = app
        .db
        .run(move |conn| {
            let rows: Vec<StaffRow> = staff::table.order(staff::email).select(StaffRow::as_select()).load(conn)?;
            rows.into_iter().map(|row| StaffMember::load(conn, &admin.0, row, now)).collect::<Result<Vec<_>, Error>>()
        })
        .await?;
    Ok(Json(StaffList { staff }))
}

/// Sets the roles of a member of staff, or removes them; ends their sessions where they lose something. Roles that touch money or numbers
/// wait for a second administrator.
#[utoipa::path(
    put,
    path = "",
    params(("id" = Id, Path, description = "The member's id.")),
    request_body = StaffChange,
    responses((status = 200, description = "The member as changed.", body = StaffMember), NotFound, Conflict)
)]
pub(crate) async fn change_staff(
    admin: Administrator,
    app: Data<App>,
    id: Path<Id>,
    change: Json<StaffChange>,
) -> Result<Json<StaffMember>, Error> {
    let (id, now) = (id.get(), app.clock.now());
    let issuer = app.issuer();
    app.audited(move |conn| change_row(conn, &admin.0, issuer.as_deref(), id, &change, now)).await.map(Json)
}

fn change_row(
    conn: &mut DbConnection,
    admin: &Member,
    issuer: Option<&str>,
    id: i64,
    change: &StaffChange,
    now: NaiveDateTime,
) -> Result<StaffMember, Error> {
    let row = StaffRow::by_id(conn, id)?;
    if row.state == REMOVED && !change.removed {
        return Err(Error::Removed);
    }
    let stays_administrator = !change.removed && change.roles.contains(&Role::Administrator);
    if row.is_administrator() && !stays_administrator && !has_administrator(conn, issuer, Some(id))? {
        return Err(Error::LastAdministrator);
    }
    let state = if change.removed { REMOVED } else { row.state.as_str() };
    let has = roles_of(&row.roles);
    let mut requested = change.roles.clone();
    requested.retain(|role| !change.removed || has.contains(role));
    let roles = roles_text(&grants::request(conn, admin, id, &has, &requested, now)?);
    diesel::update(staff::table.filter(staff::id.eq(id)))
        .set((staff::roles.eq(&roles), staff::state.eq(state)))
        .execute(conn)?;
    if change.removed {
        invitations::end_all(conn, id, now)?;
        forget_factors(conn, id)?;
    }
    let loses_role = has.iter().any(|role| !change.roles.contains(role));
    if change.removed || loses_role {
        sessions::end_all(conn, id)?;
    }
    let action = if change.removed { "staff.removed" } else { "staff.changed" };
    let details = json!({ "roles": roles, "roles_requested": roles_text(&requested), "roles_before": row.roles, "state_before": row.state });
    audit::append_of(conn, admin, action, &row.email, &details, now)?;
    let row = StaffRow::by_id(conn, id)?;
    StaffMember::load(conn, admin, row, now)
}

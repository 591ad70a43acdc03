//! Roles that touch money or numbers: one administrator requests them and another one grants them, or the operator of the machine does by
//! `backoffice grant`. Who got such a role from colleagues decides about others' requests a day later.

use actix_web::{
    HttpResponse,
    web::{Data, Json, Path},
};
use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{Clock, Id, StartError, openapi::NotFound};
use store::{Db, DbConnection, on_each_backend};
use utoipa::ToSchema;

use crate::{
    Grant, MIGRATIONS, NAME,
    app::App,
    audit,
    error::Error,
    guard::Administrator,
    members::{Member, REMOVED, Role, StaffRow, roles_of, roles_text},
    schema::{role_grants, staff},
};

/// How long a role is too new to decide about a colleague's request.
const NEW: TimeDelta = TimeDelta::days(1);

/// A role that waits for a second administrator.
#[derive(Serialize, ToSchema)]
pub(crate) struct WaitingRole {
    role: Role,
    requested_by: String,
    #[schema(value_type = String, format = "date-time")]
    requested_at: DateTime<Utc>,
    /// Whether the caller requested it, and so may not decide.
    mine: bool,
}

/// The second administrator's decision.
#[derive(Deserialize, ToSchema)]
pub(crate) struct RoleDecision {
    role: Role,
    accept: bool,
}

/// Ends what was requested and granted before, for a link that another administrator sees now.
pub(crate) fn forget(conn: &mut DbConnection, id: i64) -> Result<(), Error> {
    diesel::delete(role_grants::table.filter(role_grants::staff_id.eq(id))).execute(conn)?;
    Ok(())
}

/// Of `requested`, the roles that the member has at once: those of `has`, and those that one administrator can give. The others wait from now
/// on, and what is not requested any more waits no longer.
pub(crate) fn request(
    conn: &mut DbConnection,
    admin: &Member,
    id: i64,
    has: &[Role],
    requested: &[Role],
    now: NaiveDateTime,
) -> Result<Vec<Role>, Error> {
    let of_member = role_grants::table.filter(role_grants::staff_id.eq(id));
    let (at_once, waiting): (Vec<Role>, Vec<Role>) =
        requested.iter().copied().partition(|role| has.contains(role) || !role.touches_money());
    let kept: Vec<&str> = at_once.iter().map(|role| role.name()).collect();
    diesel::delete(of_member.filter(role_grants::granted_at.is_not_null()).filter(role_grants::role.ne_all(kept)))
        .execute(conn)?;
    let waiting_names: Vec<&str> = waiting.iter().map(|role| role.name()).collect();
    diesel::delete(of_member.filter(role_grants::granted_at.is_null()).filter(role_grants::role.ne_all(waiting_names)))
        .execute(conn)?;
    for role in waiting {
        on_each_backend!(conn, conn => diesel::insert_into(role_grants::table)
            .values((
                role_grants::staff_id.eq(id),
                role_grants::role.eq(role.name()),
                role_grants::requested_by_id.eq(admin.id),
                role_grants::requested_by.eq(&admin.email),
                role_grants::requested_at.eq(now),
            ))
            .on_conflict_do_nothing()
            .execute(conn))?;
    }
    Ok(at_once)
}

/// The roles of a member that wait.
pub(crate) fn waiting(conn: &mut DbConnection, admin: &Member, id: i64) -> Result<Vec<WaitingRole>, Error> {
    #[derive(Queryable, Selectable)]
    #[diesel(table_name = role_grants)]
    struct Row {
        role: String,
        requested_by_id: i64,
        requested_by: String,
        requested_at: NaiveDateTime,
    }
    let rows = role_grants::table
        .filter(role_grants::staff_id.eq(id).and(role_grants::granted_at.is_null()))
        .order(role_grants::role)
        .select(Row::as_select())
        .load(conn)?;
    let views = rows.into_iter().flat_map(|row| {
        roles_of(&row.role).into_iter().map(move |role| WaitingRole {
            role,
            requested_by: row.requested_by.clone(),
            requested_at: row.requested_at.and_utc(),
            mine: row.requested_by_id == admin.id,
        })
    });
    Ok(views.collect())
}

/// Refuses who made the request, and who got the role that decides from colleagues less than a day ago.
pub(crate) fn may_decide(
    conn: &mut DbConnection,
    member: &Member,
    requested_by: i64,
    by_role: Role,
    now: NaiveDateTime,
) -> Result<(), Error> {
    if requested_by == member.id {
        return Err(Error::OwnRequest);
    }
    let granted = role_grants::table
        .filter(role_grants::staff_id.eq(member.id).and(role_grants::role.eq(by_role.name())))
        .filter(role_grants::granted_at.gt(now - NEW));
    let is_new: i64 = granted.count().get_result(conn)?;
    if is_new > 0 { Err(Error::NewRole) } else { Ok(()) }
}

/// Gives a role that another administrator requested, or refuses it.
#[utoipa::path(
    post,
    path = "",
    params(("id" = Id, Path, description = "The member's id.")),
    request_body = RoleDecision,
    responses((status = 204, description = "It is decided."), NotFound)
)]
pub(crate) async fn decide_role(
    admin: Administrator,
    app: Data<App>,
    id: Path<Id>,
    decision: Json<RoleDecision>,
) -> Result<HttpResponse, Error> {
    let (admin, id, now) = (admin.0, id.get(), app.clock.now());
    let RoleDecision { role, accept } = decision.into_inner();
    app.audited(move |conn| {
        let row = StaffRow::by_id(conn, id)?;
        let of_role = role_grants::table.filter(role_grants::staff_id.eq(id).and(role_grants::role.eq(role.name())));
        let (by_id, requested_by): (i64, String) = of_role
            .filter(role_grants::granted_at.is_null())
            .select((role_grants::requested_by_id, role_grants::requested_by))
            .first(conn)
            .optional()?
            .ok_or(Error::NotFound)?;
        may_decide(conn, &admin, by_id, Role::Administrator, now)?;
        if accept {
            diesel::update(of_role).set(role_grants::granted_at.eq(now)).execute(conn)?;
            give(conn, &row, &[role])?;
        } else {
            diesel::delete(of_role).execute(conn)?;
        }
        let action = if accept { "role.approved" } else { "role.refused" };
        let details = json!({ "role": role.name(), "requested_by": requested_by });
        audit::append_of(conn, &admin, action, &row.email, &details, now)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

fn give(conn: &mut DbConnection, row: &StaffRow, more: &[Role]) -> Result<(), Error> {
    let roles = [roles_of(&row.roles).as_slice(), more].concat();
    diesel::update(staff::table.filter(staff::id.eq(row.id))).set(staff::roles.eq(roles_text(&roles))).execute(conn)?;
    Ok(())
}

/// Gives roles to an account on the machine: at the start, and where there is no second administrator. They count at once.
pub async fn grant(command: Grant) -> Result<(), StartError> {
    let Grant { email, roles, store, .. } = command;
    let (email, now) = (email.trim().to_lowercase(), Clock::system_now());
    let db = Db::open(&store, NAME, MIGRATIONS).await?;
    db.write(move |conn| {
        audit::lock(conn)?;
        let row = StaffRow::by_email(conn, &email)?.filter(|row| row.state != REMOVED).ok_or(Error::NotFound)?;
        let names: Vec<&str> = roles.iter().map(|role| role.name()).collect();
        let of_member = role_grants::table.filter(role_grants::staff_id.eq(row.id));
        diesel::delete(of_member.filter(role_grants::role.eq_any(names))).execute(conn)?;
        give(conn, &row, &roles)?;
        audit::append(conn, None, "role.granted", &row.email, &json!({ "roles": roles_text(&roles) }), now)
    })
    .await
    .map_err(|error: Error| StartError::other(NAME, error))
}

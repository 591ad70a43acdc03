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
    guard::{Administrator, Member},
    invitations,
    schema::{identities, passkeys, staff},
    sessions, sign_in,
    word::word,
};

/// Has a link that was not used yet.
pub(crate) const INVITED: &str = "invited";
/// May sign in.
pub(crate) const ACTIVE: &str = "active";
/// May not; can be invited again.
pub(crate) const REMOVED: &str = "removed";

/// Whether a member of staff may sign in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MemberState {
    /// Has a link that was not used yet.
    Invited,
    /// May sign in.
    Active,
    /// May not; can be invited again.
    Removed,
}

/// What a member of staff may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    /// Writes content.
    Editor,
    /// Puts content live.
    Publisher,
    /// Answers subscribers.
    Support,
    /// Keeps the books.
    Finance,
    /// Invites, restricts and removes staff; reads the audit log.
    Administrator,
}

const ROLES: [(&str, Role); 5] = [
    ("editor", Role::Editor),
    ("publisher", Role::Publisher),
    ("support", Role::Support),
    ("finance", Role::Finance),
    ("administrator", Role::Administrator),
];

/// The roles in a column.
pub(crate) fn roles_of(text: &str) -> Vec<Role> {
    text.split(',').filter_map(|name| ROLES.iter().find(|(known, _)| *known == name)).map(|(_, role)| *role).collect()
}

/// A column's text: each role once, in the order of `Role`.
pub(crate) fn roles_text(roles: &[Role]) -> String {
    let names: Vec<&str> = ROLES.iter().filter(|(_, role)| roles.contains(role)).map(|(name, _)| *name).collect();
    names.join(",")
}

/// Whether a text has the shape of an email address.
pub(crate) fn is_email(text: &str) -> bool {
    let shape =
        text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.') && !host.contains('@'));
    // No colon: an `otpauth` address separates issuer and account by one.
    shape && text.len() <= 254 && !text.chars().any(|char| char.is_whitespace() || char.is_control() || char == ':')
}

/// A row of staff.
#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = staff)]
pub(crate) struct StaffRow {
    pub(crate) id: i64,
    pub(crate) email: String,
    pub(crate) name: String,
    pub(crate) roles: String,
    pub(crate) state: String,
    pub(crate) password_hash: Option<String>,
    pub(crate) totp_secret: Option<String>,
    pub(crate) totp_step: i64,
    pub(crate) last_seen_at: Option<NaiveDateTime>,
}

impl StaffRow {
    pub(crate) fn by_email(conn: &mut DbConnection, email: &str) -> Result<Option<Self>, Error> {
        Ok(staff::table.filter(staff::email.eq(email)).select(Self::as_select()).first(conn).optional()?)
    }

    pub(crate) fn by_id(conn: &mut DbConnection, id: i64) -> Result<Self, Error> {
        let row = staff::table.filter(staff::id.eq(id)).select(Self::as_select()).first(conn).optional()?;
        row.ok_or(Error::NotFound)
    }

    fn is_administrator(&self) -> bool {
        roles_of(&self.roles).contains(&Role::Administrator)
    }
}

/// Whether an administrator other than `except` can sign in: by password, or by the single sign-on of `issuer`.
pub(crate) fn has_administrator(
    conn: &mut DbConnection,
    issuer: Option<&str>,
    except: Option<i64>,
) -> Result<bool, Error> {
    let linked: Vec<i64> = match issuer {
        Some(issuer) => {
            identities::table.filter(identities::issuer.eq(issuer)).select(identities::staff_id).load(conn)?
        }
        None => Vec::new(),
    };
    let rows: Vec<StaffRow> = staff::table
        .filter(staff::state.eq(ACTIVE))
        .filter(staff::totp_secret.is_not_null())
        .select(StaffRow::as_select())
        .load(conn)?;
    let can_sign_in = |row: &StaffRow| row.password_hash.is_some() || linked.contains(&row.id);
    Ok(rows.iter().any(|row| Some(row.id) != except && row.is_administrator() && can_sign_in(row)))
}

/// Removes what a member signs in with, for good: password, authenticator, passkeys and the account of the provider.
pub(crate) fn forget_factors(conn: &mut DbConnection, id: i64) -> Result<(), Error> {
    diesel::update(staff::table.filter(staff::id.eq(id)))
        .set((staff::password_hash.eq(None::<String>), staff::totp_secret.eq(None::<String>)))
        .execute(conn)?;
    forget_linked_factors(conn, id)
}

/// Removes passkeys and the account of the provider.
pub(crate) fn forget_linked_factors(conn: &mut DbConnection, id: i64) -> Result<(), Error> {
    diesel::delete(identities::table.filter(identities::staff_id.eq(id))).execute(conn)?;
    diesel::delete(passkeys::table.filter(passkeys::staff_id.eq(id))).execute(conn)?;
    Ok(())
}

/// A member of staff as administrators see them.
#[derive(Serialize, ToSchema)]
pub(crate) struct StaffMember {
    id: i64,
    email: String,
    name: String,
    roles: Vec<Role>,
    state: MemberState,
    /// Set while ten failed attempts lie within fifteen minutes.
    #[schema(value_type = Option<String>, format = "date-time", required = true)]
    locked_until: Option<DateTime<Utc>>,
    #[schema(value_type = Option<String>, format = "date-time", required = true)]
    last_seen_at: Option<DateTime<Utc>>,
}

impl StaffMember {
    fn load(conn: &mut DbConnection, row: StaffRow, now: NaiveDateTime) -> Result<Self, Error> {
        Ok(Self {
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
pub(crate) async fn list_staff(_: Administrator, app: Data<App>) -> Result<Json<StaffList>, Error> {
    let now = app.clock.now();
    let staff = app
        .db
        .run(move |conn| {
            let rows: Vec<StaffRow> = staff::table.order(staff::email).select(StaffRow::as_select()).load(conn)?;
            rows.into_iter().map(|row| StaffMember::load(conn, row, now)).collect::<Result<Vec<_>, Error>>()
        })
        .await?;
    Ok(Json(StaffList { staff }))
}

/// Sets the roles of a member of staff, or removes them; ends their sessions where they lose something.
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
    let roles = roles_text(&change.roles);
    diesel::update(staff::table.filter(staff::id.eq(id)))
        .set((staff::roles.eq(&roles), staff::state.eq(state)))
        .execute(conn)?;
    if change.removed {
        invitations::end_all(conn, id, now)?;
        forget_factors(conn, id)?;
    }
    let loses_role = roles_of(&row.roles).iter().any(|role| !change.roles.contains(role));
    if change.removed || loses_role {
        sessions::end_all(conn, id)?;
    }
    let action = if change.removed { "staff.removed" } else { "staff.changed" };
    let details = json!({ "roles": roles, "roles_before": row.roles, "state_before": row.state });
    audit::append_of(conn, admin, action, &row.email, &details, now)?;
    let row = StaffRow::by_id(conn, id)?;
    StaffMember::load(conn, row, now)
}

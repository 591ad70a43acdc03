//! Members of staff as rows: their roles, their states, what they sign in with. And the member of a session.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    error::Error,
    schema::{identities, passkeys, staff},
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Role {
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

impl Role {
    pub(crate) fn name(self) -> &'static str {
        ROLES.iter().find(|(_, role)| *role == self).map_or("", |(name, _)| name)
    }

    /// Whether it reaches money or subscribers' numbers, by itself or by giving roles.
    pub(crate) fn touches_money(self) -> bool {
        matches!(self, Self::Support | Self::Finance | Self::Administrator)
    }
}

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

    pub(crate) fn is_administrator(&self) -> bool {
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

/// A member of staff with a session.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) id: i64,
    pub(crate) email: String,
    pub(crate) name: String,
    pub(crate) roles: Vec<Role>,
    pub(crate) session_id: i64,
    /// When the session's second factor was last proved.
    pub(crate) proved_at: NaiveDateTime,
}

//! The audit log: what staff did, in a chain of hashes.
//!
//! `hash` of an entry is the SHA-256, in hexadecimal, of the previous entry's hash, a line feed, and the JSON array of id, time (RFC 3339
//! with microseconds), staff id, staff address, action, subject and details (as text). The row in `audit_head` names the newest entry,
//! so that entries removed from the end are noticed, too.

pub(crate) mod log;

use chrono::{NaiveDateTime, SecondsFormat};
use diesel::prelude::*;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use store::DbConnection;

use crate::{
    error::Error,
    members::Member,
    schema::{audit, audit_head},
};

/// How many entries a check or an export reads at once.
const BATCH: i64 = 1000;

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = audit)]
struct Row {
    id: i64,
    at: NaiveDateTime,
    staff_id: Option<i64>,
    staff: String,
    action: String,
    subject: String,
    details: String,
    hash: String,
}

impl Row {
    fn hash_after(&self, previous: &str) -> String {
        let at = self.at.and_utc().to_rfc3339_opts(SecondsFormat::Micros, true);
        let content = json!([self.id, at, self.staff_id, self.staff, self.action, self.subject, self.details]);
        hex::encode(Sha256::digest(format!("{previous}\n{content}")))
    }

    fn after(conn: &mut DbConnection, id: i64, until: i64) -> Result<Vec<Self>, Error> {
        let rows = audit::table.filter(audit::id.gt(id)).filter(audit::id.le(until)).order(audit::id).limit(BATCH);
        Ok(rows.select(Self::as_select()).load(conn)?)
    }
}

/// Locks the log until the transaction ends.
pub(crate) fn lock(conn: &mut DbConnection) -> Result<(), Error> {
    diesel::update(audit_head::table.filter(audit_head::id.eq(1)))
        .set(audit_head::last_id.eq(audit_head::last_id))
        .execute(conn)?;
    Ok(())
}

fn head(conn: &mut DbConnection) -> Result<(i64, String), Error> {
    let head = audit_head::table.filter(audit_head::id.eq(1)).select((audit_head::last_id, audit_head::hash));
    Ok(head.first(conn)?)
}

/// Adds an entry; the transaction holds the lock. Without a member, the service itself acted.
pub(crate) fn append(
    conn: &mut DbConnection,
    member: Option<(i64, &str)>,
    action: &str,
    subject: &str,
    details: &Value,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let (last_id, previous) = head(conn)?;
    let mut row = Row {
        id: last_id.saturating_add(1),
        at: now,
        staff_id: member.map(|(id, _)| id),
        staff: member.map(|(_, email)| email.to_owned()).unwrap_or_default(),
        action: action.to_owned(),
        subject: subject.to_owned(),
        details: details.to_string(),
        hash: String::new(),
    };
    row.hash = row.hash_after(&previous);
    diesel::insert_into(audit::table).values(&row).execute(conn)?;
    diesel::update(audit_head::table.filter(audit_head::id.eq(1)))
        .set((audit_head::last_id.eq(row.id), audit_head::hash.eq(&row.hash)))
        .execute(conn)?;
    Ok(())
}

/// Adds an entry about a call of `member`.
pub(crate) fn append_of(
    conn: &mut DbConnection,
    member: &Member,
    action: &str,
    subject: &str,
    details: &Value,
    now: NaiveDateTime,
) -> Result<(), Error> {
    append(conn, Some((member.id, &member.email)), action, subject, details, now)
}

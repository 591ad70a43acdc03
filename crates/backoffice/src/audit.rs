//! The audit log: what staff did, in a chain of hashes.
//!
//! `hash` of an entry is the SHA-256, in hexadecimal, of the previous entry's hash, a line feed, and the JSON array of id, time (RFC 3339
//! with microseconds), staff id, staff address, action, subject and details (as text). The row in `audit_head` names the newest entry,
//! so that entries removed from the end are noticed, too.

use actix_web::{
    HttpResponse,
    http::header,
    web::{Bytes, Data, Json, Query},
};
use chrono::{DateTime, NaiveDateTime, SecondsFormat, Utc};
use diesel::prelude::*;
use futures_util::stream;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    app::App,
    error::Error,
    guard::{Administrator, Member},
    schema::{audit, audit_head},
};

const PAGE: i64 = 100;
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

/// Which entries.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EntryQuery {
    /// Only entries older than this id: `next` of the previous page.
    before: Option<i64>,
    /// Only those of this member of staff.
    staff: Option<i64>,
    /// Only those of this action.
    action: Option<String>,
}

/// An entry of the audit log.
#[derive(Serialize, ToSchema)]
#[schema(as = AuditEntry)]
pub(crate) struct Entry {
    id: i64,
    #[schema(value_type = String, format = "date-time")]
    at: DateTime<Utc>,
    /// None: the service itself.
    #[schema(required = true)]
    staff_id: Option<i64>,
    /// The email address.
    staff: String,
    action: String,
    subject: String,
    details: Value,
    /// Over the previous entry's hash and this entry.
    hash: String,
}

impl From<Row> for Entry {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            at: row.at.and_utc(),
            staff_id: row.staff_id,
            staff: row.staff,
            action: row.action,
            subject: row.subject,
            details: serde_json::from_str(&row.details).unwrap_or(Value::String(row.details)),
            hash: row.hash,
        }
    }
}

/// A page of entries.
#[derive(Serialize, ToSchema)]
pub(crate) struct Entries {
    /// Newest first, at most 100.
    entries: Vec<Entry>,
    /// `before` of the next page; null on the last.
    #[schema(required = true)]
    next: Option<i64>,
}

/// The outcome of a check.
#[derive(Serialize, ToSchema)]
pub(crate) struct Check {
    /// How many entries were read.
    entries: i64,
    intact: bool,
    /// The first entry that does not follow from those before it.
    #[schema(required = true)]
    broken_at: Option<i64>,
}

/// The audit log, newest first.
#[utoipa::path(get, path = "", params(EntryQuery), responses((status = 200, description = "A page of the log.", body = Entries)))]
pub(crate) async fn list_entries(
    _: Administrator,
    app: Data<App>,
    query: Query<EntryQuery>,
) -> Result<Json<Entries>, Error> {
    let query = query.into_inner();
    let rows: Vec<Row> = app
        .db
        .run(move |conn| {
            let mut rows = audit::table.select(Row::as_select()).order(audit::id.desc()).limit(PAGE + 1).into_boxed();
            if let Some(before) = query.before {
                rows = rows.filter(audit::id.lt(before));
            }
            if let Some(staff) = query.staff {
                rows = rows.filter(audit::staff_id.eq(staff));
            }
            if let Some(action) = query.action {
                rows = rows.filter(audit::action.eq(action));
            }
            Ok::<_, Error>(rows.load(conn)?)
        })
        .await?;
    let page = usize::try_from(PAGE).unwrap_or_default();
    let is_last = rows.len() <= page;
    let entries: Vec<Entry> = rows.into_iter().take(page).map(Entry::from).collect();
    let next = entries.last().filter(|_| !is_last).map(|entry| entry.id);
    Ok(Json(Entries { entries, next }))
}

/// The whole audit log as JSON Lines, oldest first; the export is an entry itself.
#[utoipa::path(get, path = "", responses((status = 200, description = "One entry a line.", body = String, content_type = "application/jsonl")))]
pub(crate) async fn export(admin: Administrator, app: Data<App>) -> Result<HttpResponse, Error> {
    let (member, now) = (admin.0, app.clock.now());
    let until = app
        .audited(move |conn| {
            append_of(conn, &member, "audit.exported", "", &json!({}), now)?;
            Ok(head(conn)?.0)
        })
        .await?;
    let lines = stream::try_unfold(0, move |last| {
        let app = app.clone();
        async move {
            let rows = app.db.run(move |conn| Row::after(conn, last, until)).await?;
            let Some(last) = rows.last().map(|row| row.id) else { return Ok(None) };
            let mut text = String::new();
            for row in rows {
                let line =
                    serde_json::to_string(&Entry::from(row)).map_err(|error| Error::Internal(error.to_string()))?;
                text.push_str(&line);
                text.push('\n');
            }
            Ok::<_, Error>(Some((Bytes::from(text), last)))
        }
    });
    Ok(HttpResponse::Ok()
        .content_type("application/jsonl")
        .insert_header((header::CONTENT_DISPOSITION, "attachment; filename=\"audit.jsonl\""))
        .streaming(lines))
}

/// Reads the whole audit log and verifies its chain.
#[utoipa::path(get, path = "", responses((status = 200, description = "Whether every entry follows from those before it.", body = Check)))]
pub(crate) async fn check(_: Administrator, app: Data<App>) -> Result<Json<Check>, Error> {
    let (until, head_hash) = app.db.run(head).await?;
    let (mut last, mut previous) = (0, String::new());
    loop {
        let rows = app.db.run(move |conn| Row::after(conn, last, until)).await?;
        if rows.is_empty() {
            break;
        }
        for row in rows {
            let id = last + 1;
            if row.id != id || row.hash != row.hash_after(&previous) {
                return Ok(Json(Check { entries: last, intact: false, broken_at: Some(id) }));
            }
            (last, previous) = (id, row.hash);
        }
    }
    let intact = last == until && previous == head_hash;
    Ok(Json(Check { entries: last, intact, broken_at: (!intact).then_some(last + 1) }))
}

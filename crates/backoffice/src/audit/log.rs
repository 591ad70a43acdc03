//! The calls that show, export and check the audit log.

use std::{sync::Arc, time::Duration};

use actix_web::{
    HttpResponse,
    web::{Bytes, Data, Json, Query},
};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use futures_util::stream;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{Row, append_of, head};
use crate::{app::App, document::attachment, error::Error, guard::Administrator, schema::audit};

const PAGE: i64 = 100;
/// How often the newest hash is written to the process's own log.
const ANCHOR_INTERVAL: Duration = Duration::from_secs(3600);

/// Writes the newest hash to the process's own log, at the start and then by the hour: that log is in no database, so a chain that was
/// computed anew differs from it.
pub(crate) fn start(app: &App) {
    let (alive, db) = (Arc::downgrade(&app.alive), app.db.clone());
    actix_web::rt::spawn(async move {
        while alive.strong_count() > 0 {
            match db.run(head).await {
                Ok((entries, hash)) => tracing::info!(
                    audit.entries = entries,
                    audit.hash = hash,
                    "the audit log has {entries} entries, the newest with hash {hash}"
                ),
                Err(error) => tracing::error!(error = %error, "the newest hash of the audit log could not be read"),
            }
            tokio::time::sleep(ANCHOR_INTERVAL).await;
        }
    });
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
    Ok(attachment("application/jsonl", "audit.jsonl").streaming(lines))
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

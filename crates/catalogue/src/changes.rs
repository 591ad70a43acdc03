//! The change log: what imports added, changed and removed, by whom, and each record as it was before. It is kept for some months.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use chrono::{Months, NaiveDateTime};
use diesel::{
    prelude::*,
    sql_types::{BigInt, Text, Timestamp},
};
use serde_json::{Map, Value};
use store::{Db, DbConnection};

use self::schema::changes;
use crate::{
    App, Error,
    manifest::{
        Field, Link, Table, never,
        translations::{self, TRANSLATIONS},
    },
};

pub(crate) mod schema {
    diesel::table! {
        changes (id) {
            id -> BigInt,
            at -> Timestamp,
            who -> Text,
            service -> Text,
            kind -> Text,
            record_id -> BigInt,
            action -> Text,
            before -> Nullable<Text>,
        }
    }
}

/// The interval between two deletions of old changes.
const DELETE_INTERVAL: Duration = Duration::from_secs(3600);

/// How often the task looks whether the server has stopped.
const LOOK_INTERVAL: Duration = Duration::from_secs(5);

/// The action of a record that an import added.
const ADDED: &str = "added";

/// Changes deleted in one transaction.
const DELETE_BATCH_SIZE: i64 = 1000;

/// What an import did to a record that was there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Action {
    /// It differed.
    Changed,
    /// The manifest did not have it.
    Removed,
}

impl Action {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Removed => "removed",
        }
    }
}

/// Writes the changes of one import of a service.
pub(crate) struct Log<'a> {
    pub(crate) service: &'a str,
    pub(crate) who: &'a str,
    pub(crate) at: NaiveDateTime,
}

#[derive(QueryableByName)]
struct Last {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

/// The newest id of a table: an import's additions get later ones.
pub(crate) fn last_id(conn: &mut DbConnection, table: &Table) -> Result<i64, Error> {
    let newest: Option<Last> =
        diesel::sql_query(format!("SELECT t.id FROM {} t ORDER BY t.id DESC LIMIT 1", table.rows))
            .get_result(conn)
            .optional()?;
    Ok(newest.map_or(0, |row| row.id))
}

impl Log<'_> {
    /// Keeps records as they are before an import changes them; `which` continues the statement after `FROM records t`, and uses `$1`, the
    /// service.
    pub(crate) fn before(
        &self,
        conn: &mut DbConnection,
        table: &Table,
        action: Action,
        which: &str,
    ) -> Result<(), Error> {
        let record = as_json(conn, table);
        self.write(conn, table, action.as_str(), &record, which)
    }

    /// Records which records an import added: those with ids after `last`.
    pub(crate) fn added(&self, conn: &mut DbConnection, table: &Table, last: i64) -> Result<(), Error> {
        self.write(conn, table, ADDED, "NULL", &format!("WHERE t.service = $1 AND t.id > {last}"))
    }

    fn write(
        &self,
        conn: &mut DbConnection,
        table: &Table,
        action: &str,
        record: &str,
        which: &str,
    ) -> Result<(), Error> {
        let Table { kind, rows, .. } = table;
        diesel::sql_query(format!(
            "INSERT INTO changes (service, who, at, kind, record_id, action, before) \
             SELECT $1, $2, $3, '{kind}', t.id, '{action}', {record} FROM {rows} t {which}"
        ))
        .bind::<Text, _>(self.service)
        .bind::<Text, _>(self.who)
        .bind::<Timestamp, _>(self.at)
        .execute(conn)?;
        Ok(())
    }
}

/// The expression for a record `t` as JSON, with the names and forms of the wire.
pub(crate) fn as_json(conn: &DbConnection, table: &Table) -> String {
    json_of(conn, table, |field| {
        let Link { column, to } = field.link?;
        Some(format!("(SELECT p.slug FROM {} p WHERE p.id = t.{column})", to.rows))
    })
}

/// The expression for a staged record as JSON; its table has the alias `t`. Links are slugs already.
pub(crate) fn staged_as_json(conn: &DbConnection, table: &Table) -> String {
    json_of(conn, table, |_| None)
}

/// The object of a row `t` whose columns have the names of the fields, except those that `other` has an expression for.
fn json_of(conn: &DbConnection, table: &Table, other: impl Fn(&Field) -> Option<String>) -> String {
    let value = |field: Field| {
        let name = field.name;
        let value = other(&field).unwrap_or_else(|| match conn {
            DbConnection::Postgres(_) if field.form == "DateTime" => {
                format!("to_char(t.{name}, 'YYYY-MM-DD HH24:MI:SS')")
            }
            _ => format!("t.{name}"),
        });
        format!("'{name}', {value}")
    };
    let translations = match conn {
        DbConnection::Sqlite(_) => format!("'{TRANSLATIONS}', json(t.{TRANSLATIONS})"),
        DbConnection::Postgres(_) => format!("'{TRANSLATIONS}', t.{TRANSLATIONS}::json"),
    };
    let fields = table.all_fields().map(value).chain([translations]).collect::<Vec<_>>().join(", ");
    match conn {
        DbConnection::Sqlite(_) => format!("json_object({fields})"),
        DbConnection::Postgres(_) => format!("json_build_object({fields})::text"),
    }
}

/// A record without the values that it has by default, and with a field for each translation, so that equal records have equal fields.
pub(crate) fn canonical(mut record: Map<String, Value>) -> Map<String, Value> {
    translations::unpack(&mut record);
    let is_default = |name: &str, value: &Value| match name {
        "publish_at" => value == "1970-01-01 00:00:00",
        "expires_at" => *value == Value::from(never()),
        _ => value.is_null(),
    };
    record.retain(|name, value| !is_default(name, value));
    record.entry("state").or_insert_with(|| "listed".into());
    record
}

/// One change of a record.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = changes)]
pub(crate) struct ChangeRow {
    pub(crate) id: i64,
    pub(crate) at: NaiveDateTime,
    pub(crate) who: String,
    pub(crate) action: String,
    pub(crate) before: Option<String>,
}

/// The changes of a record, newest first, at most a page.
pub(crate) fn of_record(conn: &mut DbConnection, table: &Table, record_id: i64) -> Result<Vec<ChangeRow>, Error> {
    let rows = changes::table.filter(changes::kind.eq(table.kind)).filter(changes::record_id.eq(record_id));
    let rows = rows.order(changes::id.desc()).limit(service::MAX_PAGE).select(ChangeRow::as_select());
    Ok(rows.load(conn)?)
}

/// Whether the history of a record, newest first, goes back to its beginning.
pub(crate) fn is_complete(history: &[ChangeRow]) -> bool {
    history.last().is_some_and(|first| first.action == ADDED)
}

/// Starts the task that deletes old changes, which ends with the server.
pub(crate) fn start(app: &App) {
    let (db, months, alive) = (app.db.clone(), app.changes_months, Arc::downgrade(&app.alive));
    actix_web::rt::spawn(async move {
        let mut deleted: Option<Instant> = None;
        while alive.strong_count() > 0 {
            if deleted.is_none_or(|at| at.elapsed() > DELETE_INTERVAL) {
                deleted = Some(Instant::now());
                match delete_old(&db, months).await {
                    Ok(0) => {}
                    Ok(rows) => {
                        tracing::info!(changes.deleted = rows, "changes of more than {months} months ago are deleted")
                    }
                    Err(error) => tracing::error!(error = %error, "old changes could not be deleted"),
                }
            }
            tokio::time::sleep(LOOK_INTERVAL).await;
        }
    });
}

async fn delete_old(db: &Db, months: u32) -> Result<usize, Error> {
    let Some(until) = service::timestamp::now().checked_sub_months(Months::new(months)) else { return Ok(0) };
    let mut all = 0;
    // In batches, so that no transaction is long.
    loop {
        match db.write(move |conn| delete_before(conn, until)).await? {
            0 => return Ok(all),
            rows => all += rows,
        }
    }
}

/// Deletes the oldest changes, as far as they are before a time, at most a batch; returns how many.
fn delete_before(conn: &mut DbConnection, until: NaiveDateTime) -> Result<usize, Error> {
    // Ids grow with time, so no index of times is needed.
    let oldest = changes::table.filter(changes::id.gt(0)).order(changes::id).limit(DELETE_BATCH_SIZE);
    let oldest: Vec<(i64, NaiveDateTime)> = oldest.select((changes::id, changes::at)).load(conn)?;
    let Some((last, _)) = oldest.into_iter().take_while(|(_, at)| *at < until).last() else { return Ok(0) };
    Ok(diesel::delete(changes::table.filter(changes::id.le(last))).execute(conn)?)
}

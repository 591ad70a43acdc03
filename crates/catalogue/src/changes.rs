//! The change log: what imports added, changed and removed, by whom, and each record as it was before.

use chrono::NaiveDateTime;
use diesel::{
    prelude::*,
    sql_types::{BigInt, Text, Timestamp},
};
use serde_json::{Map, Value};
use store::DbConnection;

use self::schema::changes;
use crate::{
    Error,
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
        self.write(conn, table, "added", "NULL", &format!("WHERE t.service = $1 AND t.id > {last}"))
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

//! Personal data: which rows of a service belong to a mobile number, their export, and what an erasure does to them.
//!
//! Each service lists its tables as `PersonalTable`s. Export and erasure follow that list alone, and a house test refuses a column that
//! could hold a number and is not in it.

use diesel::{
    prelude::*,
    sql_types::{BigInt, Text},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use service::{Language, StaffText};
use utoipa::ToSchema;

use crate::{DbConnection, Error, on_each_backend};

/// The most rows of one table in an export; a number has a few thousand in seven years.
const MAX_ROWS: usize = 100_000;

/// A column with this suffix is a boolean, which SQLite has as a number.
const BOOLEAN: &str = ":bool";

/// A table with rows about persons.
#[derive(Clone, Debug)]
pub struct PersonalTable {
    /// Its name.
    pub name: &'static str,
    /// What a row is, in words for the person.
    pub about: StaffText,
    /// SQL: the rows of the number `$1`; `None` where no index finds them by a number. Those are neither exported nor erased.
    pub of_number: Option<&'static str>,
    /// The columns of an export; a boolean is `name:bool`.
    pub exported: &'static [&'static str],
    /// The columns that are in no export: secrets, and what is of use to the program alone.
    pub internal: &'static [&'static str],
    /// What an erasure does.
    pub erasure: Erasure,
    /// What stays of the table after an erasure; `None` where nothing does.
    pub kept: Option<Keeping>,
}

/// What an erasure does to the rows of a number.
#[derive(Clone, Copy, Debug)]
pub enum Erasure {
    /// They are deleted, after this statement, where there is one.
    Deleted(Option<&'static str>),
    /// Those that fulfil this condition are deleted.
    DeletedWhere(&'static str),
    /// They stay, with columns set to other values.
    Changed(&'static str),
    /// As the two before: the condition, then the change of those that stay.
    DeletedWhereAndChanged(&'static str, &'static str),
    /// They stay as they are.
    Untouched,
}

/// Until when rows stay, and why.
#[derive(Clone, Debug)]
pub struct Keeping {
    /// In words; it continues "kept".
    pub until: StaffText,
    /// In words.
    pub why: StaffText,
}

/// What stays of a table.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Kept {
    /// What a row is.
    pub what: String,
    /// How many; null where they cannot be counted by a number.
    #[schema(required = true)]
    pub rows: Option<i64>,
    /// Continues "kept".
    pub until: String,
    /// Why they stay.
    pub why: String,
}

/// The rows of one table.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ExportedTable {
    /// The table.
    pub name: String,
    /// What a row is.
    pub about: String,
    /// By column.
    pub rows: Vec<Value>,
}

/// All that a service knows of a number.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PersonalData {
    /// Also those without a row of the number.
    pub tables: Vec<ExportedTable>,
}

/// What an erasure did.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Erased {
    /// Rows that are gone.
    pub deleted: i64,
    /// What stays.
    pub kept: Vec<Kept>,
}

#[derive(QueryableByName)]
struct Record {
    #[diesel(sql_type = Text)]
    text: String,
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

impl PersonalTable {
    /// All its columns that the list names.
    pub fn columns(&self) -> impl Iterator<Item = &'static str> {
        let bare = |name: &'static str| name.strip_suffix(BOOLEAN).unwrap_or(name);
        self.exported.iter().chain(self.internal).copied().map(bare)
    }

    /// `None` where there are more than an export has room for.
    fn export(
        &self,
        conn: &mut DbConnection,
        number: &str,
        language: Language,
    ) -> Result<Option<ExportedTable>, Error> {
        let (name, about) = (self.name.to_owned(), self.about.text(language));
        let Some(of_number) = self.of_number else { return Ok(Some(ExportedTable { name, about, rows: Vec::new() })) };
        let is_sqlite = matches!(conn, DbConnection::Sqlite(_));
        let field = |column: &&str| match column.strip_suffix(BOOLEAN) {
            Some(column) if is_sqlite => {
                format!("'{column}', json(CASE WHEN {column} THEN 'true' ELSE 'false' END)")
            }
            Some(column) => format!("'{column}', {column}"),
            None => format!("'{column}', {column}"),
        };
        let fields = self.exported.iter().map(field).collect::<Vec<_>>().join(", ");
        let record =
            if is_sqlite { format!("json_object({fields})") } else { format!("json_build_object({fields})::text") };
        let statement = format!(
            "SELECT {record} AS text FROM {} WHERE {of_number} LIMIT {}",
            self.name,
            MAX_ROWS.saturating_add(1)
        );
        let records: Vec<Record> =
            on_each_backend!(conn, conn => diesel::sql_query(statement).bind::<Text, _>(number).load(conn))?;
        if records.len() > MAX_ROWS {
            return Ok(None);
        }
        let mut rows = Vec::with_capacity(records.len());
        for record in records {
            let mut row: Value = serde_json::from_str(&record.text).map_err(|error| Error::Query(error.to_string()))?;
            for value in row.as_object_mut().into_iter().flat_map(|row| row.values_mut()) {
                if let Value::String(text) = value
                    && let Some(time) = in_seconds(text)
                {
                    *text = time;
                }
            }
            rows.push(row);
        }
        // Sorted here, where no index has the order.
        let first = self.exported.first().copied().unwrap_or_default();
        rows.sort_by_cached_key(|row| match row.get(first) {
            Some(Value::Number(id)) => (id.as_i64(), String::new()),
            Some(Value::String(text)) => (None, text.clone()),
            _ => (None, String::new()),
        });
        Ok(Some(ExportedTable { name, about, rows }))
    }

    fn erase(&self, conn: &mut DbConnection, number: &str) -> Result<usize, Error> {
        let Some(of_number) = self.of_number else { return Ok(0) };
        let mut execute = |statement: &str| -> Result<usize, Error> {
            Ok(
                on_each_backend!(&mut *conn, conn => diesel::sql_query(statement).bind::<Text, _>(number).execute(conn))?,
            )
        };
        let delete = |condition: &str| format!("DELETE FROM {} WHERE {of_number}{condition}", self.name);
        let change = |values: &str| format!("UPDATE {} SET {values} WHERE {of_number}", self.name);
        match self.erasure {
            Erasure::Untouched => Ok(0),
            Erasure::Deleted(before) => {
                if let Some(before) = before {
                    execute(before)?;
                }
                execute(&delete(""))
            }
            Erasure::DeletedWhere(condition) => execute(&delete(&format!(" AND ({condition})"))),
            Erasure::Changed(values) => {
                execute(&change(values))?;
                Ok(0)
            }
            Erasure::DeletedWhereAndChanged(condition, values) => {
                let deleted = execute(&delete(&format!(" AND ({condition})")))?;
                execute(&change(values))?;
                Ok(deleted)
            }
        }
    }

    /// `None` where nothing of the number stays.
    fn kept(&self, conn: &mut DbConnection, number: &str, language: Language) -> Result<Option<Kept>, Error> {
        let Some(Keeping { until, why }) = &self.kept else { return Ok(None) };
        let rows = match self.of_number {
            None => None,
            Some(of_number) => {
                let remaining = match self.erasure {
                    Erasure::DeletedWhere(condition) | Erasure::DeletedWhereAndChanged(condition, _) => {
                        format!(" AND NOT ({condition})")
                    }
                    _ => String::new(),
                };
                let statement = format!("SELECT count(*) AS count FROM {} WHERE {of_number}{remaining}", self.name);
                let counted: Count = on_each_backend!(conn, conn => diesel::sql_query(statement).bind::<Text, _>(number).get_result(conn))?;
                Some(counted.count)
            }
        };
        let kept = Kept { what: self.about.text(language), rows, until: until.text(language), why: why.text(language) };
        Ok((rows != Some(0)).then_some(kept))
    }
}

/// `2026-11-21 08:00:00`, where a text is a time as an engine writes it in JSON.
fn in_seconds(text: &str) -> Option<String> {
    let (seconds, fraction) = (text.get(..19)?, text.get(19..)?);
    let is_time = seconds.bytes().zip("0000-00-00 00:00:00".bytes()).all(|(byte, form)| match form {
        b'0' => byte.is_ascii_digit(),
        b' ' => matches!(byte, b' ' | b'T'),
        form => byte == form,
    });
    let is_fraction = fraction.is_empty()
        || (fraction.starts_with('.') && fraction.bytes().skip(1).all(|byte| byte.is_ascii_digit()));
    (is_time && is_fraction).then(|| seconds.replace('T', " "))
}

/// All rows of a number, with words in a language of staff; `None` where one table has more than an export has room for.
pub fn export(
    conn: &mut DbConnection,
    tables: &[PersonalTable],
    number: &str,
    language: Language,
) -> Result<Option<PersonalData>, Error> {
    let mut exported = Vec::with_capacity(tables.len());
    for table in tables {
        match table.export(conn, number, language)? {
            Some(table) => exported.push(table),
            None => return Ok(None),
        }
    }
    Ok(Some(PersonalData { tables: exported }))
}

/// What an erasure of a number would leave, or has left, in words of a language of staff.
pub fn kept(
    conn: &mut DbConnection,
    tables: &[PersonalTable],
    number: &str,
    language: Language,
) -> Result<Vec<Kept>, Error> {
    let mut all = Vec::new();
    for table in tables {
        all.extend(table.kept(conn, number, language)?);
    }
    Ok(all)
}

/// Erases what the list says, the last table first: a table comes after those that its rows are found by. Repeating it changes nothing.
pub fn erase(
    conn: &mut DbConnection,
    tables: &[PersonalTable],
    number: &str,
    language: Language,
) -> Result<Erased, Error> {
    let kept = kept(conn, tables, number, language)?;
    let mut deleted = 0_usize;
    for table in tables.iter().rev() {
        deleted = deleted.saturating_add(table.erase(conn, number)?);
    }
    Ok(Erased { deleted: i64::try_from(deleted).unwrap_or(i64::MAX), kept })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_seconds_reads_the_times_of_both_engines() {
        for text in
            ["2026-11-21 08:00:00", "2026-11-21T08:00:00", "2026-11-21T08:00:00.123456", "2026-11-21 08:00:00.5"]
        {
            assert_eq!(in_seconds(text).as_deref(), Some("2026-11-21 08:00:00"), "{text}");
        }
        for text in ["", "2026-11-21", "2026-11-21 08:00:00 STOP", "at 2026-11-21 08:00:00", "ééééééééééééééééééé"]
        {
            assert_eq!(in_seconds(text), None, "{text}");
        }
    }
}

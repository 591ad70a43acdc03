//! The difference between a staged manifest and the catalogue, record by record and field by field, and the digest that names it.

use diesel::{
    prelude::*,
    sql_types::{BigInt, Bool, Nullable, Text},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use store::DbConnection;
use utoipa::ToSchema;

use super::{
    compare::absent,
    media::{NewMedia, RecordMedia},
    staged::OpenImport,
};
use crate::{
    Error,
    changes::{as_json, canonical, staged_as_json},
    manifest::Table,
};

/// Records whose part of the digest is read in one query.
const DIGEST_PAGE: i64 = 1000;

/// What an import does to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = DifferenceAction)]
pub enum Action {
    /// It is new.
    Added,
    /// It is there with other values.
    Changed,
    /// The file does not have it.
    Removed,
}

/// Which part of a difference.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DifferenceQuery {
    /// The kind of record.
    pub kind: String,
    /// What happens to the records.
    #[param(inline)]
    pub action: Action,
    /// `next` of the page before.
    pub after: Option<String>,
    /// The most records of a page; at most 200.
    #[param(minimum = 1)]
    pub limit: Option<i64>,
}

/// A record that an import changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = RecordDifference)]
pub struct Difference {
    /// The record's key.
    pub slug: String,
    /// What names it to a person.
    pub title: String,
    /// Its line in the file; null where it goes.
    #[schema(value_type = Option<service::schema::Count>, required = true)]
    pub line: Option<i64>,
    /// The fields that change.
    pub fields: Vec<FieldChange>,
}

/// A field before and after an import; times are UTC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FieldChange {
    /// The field.
    pub field: String,
    /// Its value now; null: none, or its default.
    #[schema(required = true)]
    pub before: Option<Value>,
    /// Its value then.
    #[schema(required = true)]
    pub after: Option<Value>,
}

/// A page of a difference.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = RecordDifferences)]
pub struct Differences {
    /// By slug.
    pub differences: Vec<Difference>,
    /// `after` of the next page; null on the last.
    #[schema(required = true)]
    pub next: Option<String>,
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    slug: String,
    #[diesel(sql_type = BigInt)]
    place: i64,
    #[diesel(sql_type = Bool)]
    held: bool,
    #[diesel(sql_type = Nullable<Text>)]
    before: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    after: Option<String>,
}

impl Row {
    /// The fields before and after the import.
    fn fields(&mut self, action: Action) -> (Map<String, Value>, Map<String, Value>) {
        let fields_of = |text: Option<String>| -> Map<String, Value> {
            text.and_then(|text| serde_json::from_str(&text).ok()).map(canonical).unwrap_or_default()
        };
        let (before, mut after) = (fields_of(self.before.take()), fields_of(self.after.take()));
        if action == Action::Removed {
            after = before.clone();
            after.insert("state".to_owned(), "deleted".into());
        } else if let Some(state) = before.get("state").filter(|_| self.held) {
            // An import does not change the state of a record that is held.
            after.insert("state".to_owned(), state.clone());
        }
        (before, after)
    }
}

impl Difference {
    fn of(table: &Table, mut row: Row, action: Action) -> Self {
        let (before, after) = row.fields(action);
        let title = after.get(table.title()).and_then(Value::as_str).unwrap_or(&row.slug).to_owned();
        let names = table.names().map(str::to_owned).chain(table.translations());
        let fields = names.filter(|name| before.get(name) != after.get(name)).map(|name| FieldChange {
            before: before.get(&name).cloned(),
            after: after.get(&name).cloned(),
            field: name,
        });
        let fields = fields.collect();
        Self { slug: row.slug, title, line: (action != Action::Removed).then_some(row.place), fields }
    }
}

/// At most `limit` records with slugs after this one to which the import does this.
pub(super) fn list(
    conn: &mut DbConnection,
    table: &Table,
    open: &OpenImport,
    action: Action,
    after: &str,
    limit: i64,
) -> Result<Vec<Difference>, Error> {
    let found = rows(conn, table, open, action, after, limit)?;
    Ok(found.into_iter().map(|row| Difference::of(table, row, action)).collect())
}

/// The same records, as far as they name new media; and the last slug of the page, where another may follow.
pub(super) fn new_media(
    conn: &mut DbConnection,
    table: &Table,
    open: &OpenImport,
    action: Action,
    after: &str,
    limit: i64,
) -> Result<(Vec<NewMedia>, Option<String>), Error> {
    let found = rows(conn, table, open, action, after, limit)?;
    let is_full = i64::try_from(found.len()).is_ok_and(|found| found >= limit);
    let last = found.last().filter(|_| is_full).map(|row| row.slug.clone());
    let new = found.into_iter().filter_map(|mut row| {
        let (before, after) = row.fields(action);
        let (before, media) = ((action == Action::Changed).then(|| RecordMedia::of(&before)), RecordMedia::of(&after));
        media.is_new(before.as_ref()).then_some(NewMedia { slug: row.slug, line: row.place, media })
    });
    Ok((new.collect(), last))
}

fn rows(
    conn: &mut DbConnection,
    table: &Table,
    open: &OpenImport,
    action: Action,
    after: &str,
    limit: i64,
) -> Result<Vec<Row>, Error> {
    if action == Action::Removed && !open.prune {
        return Ok(Vec::new());
    }
    let Table { rows, staged, .. } = table;
    let (import, none) = (open.id, "CAST(NULL AS TEXT)");
    let (now, then) = (as_json(conn, table), staged_as_json(conn, table));
    let after_import =
        format!("(SELECT {then} FROM {staged} t WHERE t.import_id = {import} AND t.slug = s.slug LIMIT 1)");
    // SQLite numbers the values in the order in which they are first named.
    let statement = match action {
        Action::Added => format!(
            "SELECT s.slug, s.place, FALSE AS held, {none} AS before, {after_import} AS after FROM {staged} s \
             WHERE s.import_id = {import} \
             AND NOT EXISTS (SELECT 1 FROM {rows} t WHERE t.service = $1 AND t.slug = s.slug) \
             AND s.slug > $2 ORDER BY s.slug LIMIT {limit}"
        ),
        Action::Changed => format!(
            "SELECT s.slug, s.place, t.held, {now} AS before, {after_import} AS after FROM {staged} s \
             JOIN {rows} t ON t.service = $1 AND t.slug = s.slug{} \
             WHERE s.import_id = {import} AND {} AND s.slug > $2 ORDER BY s.slug LIMIT {limit}",
            table.joins(),
            table.differs()
        ),
        Action::Removed => format!(
            "SELECT t.slug, CAST(0 AS BIGINT) AS place, t.held, {now} AS before, {none} AS after FROM {rows} t \
             WHERE {} AND t.slug > $2 ORDER BY t.slug LIMIT {limit}",
            absent(table, open)
        ),
    };
    Ok(diesel::sql_query(statement).bind::<Text, _>(&open.service).bind::<Text, _>(after).load(conn)?)
}

/// SHA-256 of the whole difference: the import changes exactly what a person saw as long as it stays the same.
pub(super) fn digest(conn: &mut DbConnection, tables: &[Table], open: &OpenImport) -> Result<String, Error> {
    let mut sum = Sha256::new();
    for table in tables {
        for action in [Action::Added, Action::Changed, Action::Removed] {
            let mut after = String::new();
            loop {
                let page = list(conn, table, open, action, &after, DIGEST_PAGE)?;
                sum.update(serde_json::to_vec(&(table.kind, action, &page)).unwrap_or_default());
                match page.last() {
                    Some(last) => after.clone_from(&last.slug),
                    None => break,
                }
            }
        }
    }
    Ok(hex::encode(sum.finalize()))
}

//! Compares a staged manifest with the catalogue: its changes and its faults.

use diesel::{
    prelude::*,
    sql_types::{BigInt, Nullable, Text},
};
use languages::{Language, StaffText};
use serde::{Deserialize, Serialize};
use store::DbConnection;
use utoipa::ToSchema;

use super::staged::OpenImport;
use crate::{Error, manifest::Table};

/// The most faults that a reply lists.
const MAX_FAULTS: usize = 100;

/// The most slugs of each list that a reply has.
const NAMES: usize = 5;

/// The changes of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ImportComparison)]
pub struct Comparison {
    /// By kind of record.
    pub changes: Vec<Change>,
    /// The problems; if there are any, the import cannot be applied.
    pub faults: Vec<Fault>,
}

/// The changes of an import to one kind of record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ImportChange)]
pub struct Change {
    /// The kind of record, `video`.
    pub kind: String,
    /// Records that are new.
    #[schema(value_type = service::schema::Count)]
    pub added: i64,
    /// Records that are different.
    #[schema(value_type = service::schema::Count)]
    pub changed: i64,
    /// Records that are there already, word for word.
    #[schema(value_type = service::schema::Count)]
    pub unchanged: i64,
    /// Records that the manifest does not have and that go with `prune`.
    #[schema(value_type = service::schema::Count)]
    pub removed: i64,
    /// Slugs of the first new records.
    pub added_names: Vec<String>,
    /// Slugs of the first different records.
    pub changed_names: Vec<String>,
    /// Slugs of the first records that go.
    pub removed_names: Vec<String>,
}

impl Change {
    /// Whether it changes the catalogue.
    pub fn is_change(&self) -> bool {
        self.added + self.changed + self.removed > 0
    }
}

/// One thing that is wrong with a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ImportFault)]
pub struct Fault {
    /// The record's line in the manifest.
    pub place: i64,
    /// The kind of record.
    pub kind: String,
    /// The record's slug.
    pub slug: String,
    /// The field at fault.
    pub field: String,
    /// The slug that the field names, where it names another record.
    pub names: Option<String>,
    /// The problem, as a sentence.
    pub message: String,
}

/// The changes of an import, and faults whose messages are not written yet.
pub(crate) struct Compared {
    pub(crate) changes: Vec<Change>,
    pub(crate) faults: Vec<Found>,
}

/// A fault whose message is not written yet.
pub(crate) struct Found {
    /// Without its message.
    pub(crate) fault: Fault,
    pub(crate) message: StaffText,
}

impl Compared {
    /// In a language.
    pub(crate) fn written(self, language: Language) -> Comparison {
        let faults = self.faults.into_iter();
        let faults = faults.map(|found| Fault { message: found.message.text(language), ..found.fault }).collect();
        Comparison { changes: self.changes, faults }
    }
}

#[derive(QueryableByName)]
struct Counts {
    #[diesel(sql_type = BigInt)]
    staged: i64,
    #[diesel(sql_type = BigInt)]
    known: i64,
    #[diesel(sql_type = BigInt)]
    changed: i64,
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

#[derive(QueryableByName)]
struct Name {
    #[diesel(sql_type = Text)]
    slug: String,
}

#[derive(QueryableByName)]
struct Suspect {
    #[diesel(sql_type = Text)]
    slug: String,
    #[diesel(sql_type = BigInt)]
    place: i64,
    #[diesel(sql_type = BigInt)]
    first_place: i64,
    #[diesel(sql_type = Nullable<Text>)]
    other: Option<String>,
}

/// Compares the staged manifest of `open` with the catalogue.
pub(crate) fn compare(conn: &mut DbConnection, tables: &[Table], open: &OpenImport) -> Result<Compared, Error> {
    let mut faults = Vec::new();
    for table in tables {
        find_duplicates(conn, table, open, &mut faults)?;
        find_broken_links(conn, table, open, &mut faults)?;
    }
    faults.sort_by_key(|found: &Found| found.fault.place);
    faults.truncate(MAX_FAULTS);
    let changes = tables.iter().map(|table| change(conn, table, open)).collect::<Result<_, _>>()?;
    Ok(Compared { changes, faults })
}

/// The changes to one kind of record.
fn change(conn: &mut DbConnection, table: &Table, open: &OpenImport) -> Result<Change, Error> {
    let Table { rows, staged, .. } = table;
    let (import, joins, differs) = (open.id, table.joins(), table.differs());
    let counts: Counts = diesel::sql_query(format!(
        "SELECT count(*) AS staged, count(t.id) AS known, \
         count(CASE WHEN t.id IS NOT NULL AND {differs} THEN 1 END) AS changed \
         FROM {staged} s LEFT JOIN {rows} t ON t.service = $1 AND t.slug = s.slug{joins} WHERE s.import_id = {import}"
    ))
    .bind::<Text, _>(&open.service)
    .get_result(conn)?;
    let mut change = Change {
        kind: table.kind.to_owned(),
        added: counts.staged - counts.known,
        changed: counts.changed,
        unchanged: counts.known - counts.changed,
        ..Change::default()
    };
    let mut names = |statement: String| -> Result<Vec<String>, Error> {
        let found: Vec<Name> =
            diesel::sql_query(format!("{statement} LIMIT {NAMES}")).bind::<Text, _>(&open.service).load(conn)?;
        Ok(found.into_iter().map(|name| name.slug).collect())
    };
    if change.added > 0 {
        change.added_names = names(format!(
            "SELECT s.slug FROM {staged} s WHERE s.import_id = {import} \
             AND NOT EXISTS (SELECT 1 FROM {rows} t WHERE t.service = $1 AND t.slug = s.slug) ORDER BY s.place"
        ))?;
    }
    if change.changed > 0 {
        change.changed_names = names(format!(
            "SELECT s.slug FROM {staged} s JOIN {rows} t ON t.service = $1 AND t.slug = s.slug{joins} \
             WHERE s.import_id = {import} AND {differs} ORDER BY s.place"
        ))?;
    }
    if open.prune {
        let absent = absent(table, open);
        change.removed_names = names(format!("SELECT t.slug FROM {rows} t WHERE {absent} ORDER BY t.id"))?;
        let removed: Number = diesel::sql_query(format!("SELECT count(*) AS number FROM {rows} t WHERE {absent}"))
            .bind::<Text, _>(&open.service)
            .get_result(conn)?;
        change.removed = removed.number;
    }
    Ok(change)
}

/// The condition for records `t` that the manifest lacks and that may be deleted; held records keep their state.
pub(super) fn absent(table: &Table, open: &OpenImport) -> String {
    let Table { staged, .. } = table;
    let import = open.id;
    let of_kind = match open.file {
        Some(_) => format!(" AND EXISTS (SELECT 1 FROM {staged} s WHERE s.import_id = {import})"),
        None => String::new(),
    };
    format!(
        "t.service = $1 AND t.state <> 'deleted' AND NOT t.held{of_kind} \
         AND NOT EXISTS (SELECT 1 FROM {staged} s WHERE s.import_id = {import} AND s.slug = t.slug)"
    )
}

/// Finds duplicate records.
fn find_duplicates(
    conn: &mut DbConnection,
    table: &Table,
    open: &OpenImport,
    faults: &mut Vec<Found>,
) -> Result<(), Error> {
    let found: Vec<Suspect> = diesel::sql_query(format!(
        "SELECT slug, max(place) AS place, min(place) AS first_place, NULL AS other FROM {} WHERE import_id = {} \
         GROUP BY slug HAVING count(*) > 1 ORDER BY 2 LIMIT {MAX_FAULTS}",
        table.staged, open.id
    ))
    .load(conn)?;
    faults.extend(found.into_iter().map(|twin| Found {
        message: StaffText::new("slug-twice").with("slug", format!("{:?}", twin.slug)).with("line", twin.first_place),
        fault: Fault {
            place: twin.place,
            kind: table.kind.to_owned(),
            slug: twin.slug,
            field: "slug".to_owned(),
            names: None,
            message: String::new(),
        },
    }));
    Ok(())
}

/// Finds records that refer to a record which does not exist, or is removed by the import.
fn find_broken_links(
    conn: &mut DbConnection,
    table: &Table,
    open: &OpenImport,
    faults: &mut Vec<Found>,
) -> Result<(), Error> {
    let import = open.id;
    for (slug, link) in table.links() {
        let removed = if open.prune { format!(" AND NOT ({})", absent(link.to, open)) } else { String::new() };
        // A record that is there already may keep its parent, even one that is deleted: an export has both.
        let known = format!(
            " AND NOT EXISTS (SELECT 1 FROM {to} t WHERE t.service = $1 AND t.slug = s.{slug} \
             AND t.state <> 'deleted'{removed}) \
             AND NOT EXISTS (SELECT 1 FROM {to} t JOIN {rows} r ON r.{column} = t.id \
             WHERE t.service = $1 AND t.slug = s.{slug} AND t.state = 'deleted' AND r.service = $1 AND r.slug = s.slug)",
            to = link.to.rows,
            rows = table.rows,
            column = link.column,
        );
        let statement = format!(
            "SELECT s.slug, s.place, s.place AS first_place, s.{field} AS other FROM {staged} s \
             WHERE s.import_id = {import} AND s.{field} IS NOT NULL AND NOT EXISTS \
             (SELECT 1 FROM {to} p WHERE p.import_id = {import} AND p.slug = s.{field}){known} \
             ORDER BY s.place LIMIT {MAX_FAULTS}",
            field = slug,
            staged = table.staged,
            to = link.to.staged,
        );
        let found: Vec<Suspect> = diesel::sql_query(statement).bind::<Text, _>(&open.service).load(conn)?;
        faults.extend(found.into_iter().map(|suspect| {
            let other = suspect.other.unwrap_or_default();
            let (kind, record) = (link.to.kind, format!("{other:?}"));
            let message = match open.prune {
                true => StaffText::new("link-pruned").with("kind", kind).with("record", record),
                false => StaffText::new("link-unknown").with("kind", kind).with("record", record),
            };
            Found {
                message,
                fault: Fault {
                    place: suspect.place,
                    kind: table.kind.to_owned(),
                    slug: suspect.slug,
                    field: slug.to_owned(),
                    names: Some(other),
                    message: String::new(),
                },
            }
        }));
    }
    Ok(())
}

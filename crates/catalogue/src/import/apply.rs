//! Applies a staged manifest, within the caller's transaction.

use diesel::{prelude::*, sql_types::Text};
use service::{Problem, StaffText};
use store::{DbConnection, imports};

use super::{
    compare::{Change, absent, compare},
    staged::{self, OpenImport},
};
use crate::{
    Error,
    changes::{self, Action, Log},
    manifest::Table,
};

/// The first id of records that are new in a preview, less their place in the manifest: far behind all others, and exact in JavaScript.
const PREVIEW_IDS: i64 = 9_000_000_000_000_000;

/// Where new records get their ids.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ids {
    /// From the engine.
    Engine,
    /// From their place in the manifest: the same in every transaction that is rolled back.
    Place,
}

/// Applies the staged manifest in the name of `who`, or returns an error if it has a fault. Returns the changes.
pub(crate) fn apply(
    conn: &mut DbConnection,
    tables: &[Table],
    open: &OpenImport,
    who: &str,
) -> Result<Vec<Change>, Error> {
    apply_with(conn, tables, open, who, Ids::Engine)
}

/// Applies the staged manifest in a transaction that will be rolled back.
pub(crate) fn preview(conn: &mut DbConnection, tables: &[Table], open: &OpenImport) -> Result<Vec<Change>, Error> {
    apply_with(conn, tables, open, "", Ids::Place)
}

fn apply_with(
    conn: &mut DbConnection,
    tables: &[Table],
    open: &OpenImport,
    who: &str,
    ids: Ids,
) -> Result<Vec<Change>, Error> {
    lock_imports(conn)?;
    let log = Log { service: &open.service, who, at: service::timestamp::now() };
    // The catalogue may have changed since the comparison an editor saw.
    let comparison = compare(conn, tables, open)?;
    if let Some(found) = comparison.faults.first() {
        let detail = StaffText::new("fault-of-import")
            .with("kind", found.fault.kind.as_str())
            .with("slug", found.fault.slug.as_str())
            .with("field", found.fault.field.as_str())
            .with("fault", found.message.clone());
        return Err(Problem::unprocessable(detail).into());
    }
    for (table, change) in tables.iter().zip(&comparison.changes) {
        if change.changed > 0 {
            let (joins, differs) = (table.joins(), table.differs());
            let staged = format!(
                "JOIN {} s ON t.slug = s.slug{joins} WHERE t.service = $1 AND s.import_id = {} AND {differs}",
                table.staged, open.id
            );
            log.before(conn, table, Action::Changed, &staged)?;
            run(conn, &update(table, open), open)?;
        }
        if change.added > 0 {
            let last = changes::last_id(conn, table)?;
            run(conn, &insert(table, open, ids), open)?;
            log.added(conn, table, last)?;
        }
    }
    for (table, change) in tables.iter().zip(&comparison.changes) {
        if change.removed > 0 {
            let absent = absent(table, open);
            log.before(conn, table, Action::Removed, &format!("WHERE {absent}"))?;
            run(conn, &format!("UPDATE {} AS t SET state = 'deleted' WHERE {absent}", table.rows), open)?;
        }
    }
    staged::close(conn, tables, open.id)?;
    let changed = comparison.changes.iter().any(Change::is_change);
    if changed || imports::latest(conn, &open.service)?.as_deref() != Some(open.digest.as_str()) {
        imports::record(conn, &open.service, &open.digest, service::timestamp::now())?;
    }
    Ok(comparison.changes)
}

fn run(conn: &mut DbConnection, statement: &str, open: &OpenImport) -> Result<usize, Error> {
    Ok(diesel::sql_query(statement).bind::<Text, _>(&open.service).execute(conn)?)
}

fn update(table: &Table, open: &OpenImport) -> String {
    let unlinked_columns = table.unlinked_columns().map(|column| format!("{column} = s.{column}"));
    let links = table.links().enumerate().map(|(number, (_, link))| format!("{} = l{number}.id", link.column));
    let state = "state = CASE WHEN t.held THEN t.state ELSE s.state END".to_owned();
    format!(
        "UPDATE {} AS t SET {} FROM {} s{} WHERE t.service = $1 AND s.import_id = {} AND t.slug = s.slug AND {}",
        table.rows,
        unlinked_columns.chain(links).chain([state]).collect::<Vec<_>>().join(", "),
        table.staged,
        table.joins(),
        open.id,
        table.differs()
    )
}

fn insert(table: &Table, open: &OpenImport, ids: Ids) -> String {
    let unlinked_columns: Vec<_> = table.unlinked_columns().chain(["slug", "state"]).collect();
    let id = (ids == Ids::Place).then_some("id");
    let columns = unlinked_columns
        .iter()
        .copied()
        .chain(id)
        .chain(table.links().map(|(_, link)| link.column))
        .collect::<Vec<_>>()
        .join(", ");
    let id = id.map(|_| format!("{PREVIEW_IDS} + s.place"));
    let values = unlinked_columns.iter().map(|column| format!("s.{column}")).chain(id);
    let links = (0..table.links().count()).map(|number| format!("l{number}.id"));
    format!(
        "INSERT INTO {rows} (service, {columns}) SELECT $1, {values} FROM {staged} s{joins} WHERE s.import_id = {import} \
         AND NOT EXISTS (SELECT 1 FROM {rows} t WHERE t.service = $1 AND t.slug = s.slug) ORDER BY s.place",
        rows = table.rows,
        values = values.chain(links).collect::<Vec<_>>().join(", "),
        staged = table.staged,
        joins = table.joins(),
        import = open.id,
    )
}

/// Locks out other imports: two at once would each compare with what the other changes. SQLite has one writer anyway.
pub(crate) fn lock_imports(conn: &mut DbConnection) -> Result<(), Error> {
    if let DbConnection::Postgres(conn) = conn {
        diesel::sql_query("LOCK TABLE imports IN EXCLUSIVE MODE").execute(conn)?;
    }
    Ok(())
}

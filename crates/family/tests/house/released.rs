//! The programs of the last release go on beside the new ones: what they ask of the tables is still answered after every migration.
//!
//! `migrations/OWNER/released/ENGINE.sql` lists, as of the last release, every column with its type and every statement that was sent;
//! `make released` writes it anew.

use std::collections::{BTreeMap, BTreeSet};

use diesel::{
    connection::SimpleConnection,
    prelude::*,
    sql_types::{Bool, Text},
};
use store::{Db, DbConnection, on_each_backend};
use testkit::Engine;

use crate::{migrations::OWNERS, root};

/// Set where the record is to be written and not to be compared.
const RECORD: &str = "RELEASED_STATEMENTS";

/// Before a column's line.
const COLUMN: &str = "-- ";

/// What a program of the last release goes by.
struct Released {
    /// `table.column type`
    columns: BTreeMap<String, String>,
    statements: Vec<String>,
}

#[derive(QueryableByName)]
struct Column {
    #[diesel(sql_type = Text)]
    place: String,
    #[diesel(sql_type = Text)]
    kind: String,
    /// Whether a row cannot be made without naming it.
    #[diesel(sql_type = Bool)]
    required: bool,
}

/// Every column there is now.
fn columns(conn: &mut DbConnection) -> Result<Vec<Column>, store::Error> {
    let statement = match conn {
        DbConnection::Sqlite(_) => {
            "SELECT m.name || '.' || c.name AS place, lower(c.type) AS kind, \
             c.\"notnull\" AND c.dflt_value IS NULL AND NOT (c.pk AND upper(c.type) = 'INTEGER') AS required \
             FROM sqlite_master m JOIN pragma_table_info(m.name) c \
             WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND m.name NOT LIKE '\\_\\_diesel%' ESCAPE '\\' ORDER BY 1"
        }
        DbConnection::Postgres(_) => {
            "SELECT table_name || '.' || column_name AS place, data_type::text AS kind, \
             is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO' AS required \
             FROM information_schema.columns WHERE table_schema = current_schema() AND table_name NOT LIKE '\\_\\_diesel%' ORDER BY 1"
        }
    };
    Ok(diesel::sql_query(statement).load(conn)?)
}

/// Whether the engine would still take a statement.
fn prepare(conn: &mut DbConnection, statement: &str) -> Result<(), diesel::result::Error> {
    match conn {
        DbConnection::Sqlite(conn) => conn.batch_execute(&format!("EXPLAIN {statement}")),
        DbConnection::Postgres(conn) => {
            conn.batch_execute(&format!("PREPARE released AS {statement}"))?;
            conn.batch_execute("DEALLOCATE released")
        }
    }
}

/// The table and the columns of an INSERT.
fn inserts_into(statement: &str) -> Option<(String, BTreeSet<String>)> {
    let bare = |name: &str| name.trim().trim_matches(['"', '`']).to_owned();
    let (_, after) = statement.split_once("INTO ")?;
    let (table, after) = after.split_once('(')?;
    let (columns, _) = after.split_once(')')?;
    Some((bare(table), columns.split(',').map(bare).collect()))
}

impl Released {
    fn parse(text: &str) -> Self {
        let columns = text.lines().filter_map(|line| line.strip_prefix(COLUMN)?.split_once(' '));
        let statements = text.lines().filter(|line| !line.is_empty() && !line.starts_with("--"));
        Self {
            columns: columns.map(|(place, kind)| (place.to_owned(), kind.to_owned())).collect(),
            statements: statements.map(str::to_owned).collect(),
        }
    }

    /// What would break its programs: statements that fail, columns of another type, required columns that an INSERT omits.
    fn faults(&self, conn: &mut DbConnection) -> Result<Vec<String>, store::Error> {
        let mut faults = Vec::new();
        // Read first: SQLite notices that tables have changed only when a statement runs, and EXPLAIN runs none.
        let now = columns(conn)?;
        for statement in &self.statements {
            if let Err(error) = prepare(conn, statement) {
                faults.push(format!("{}: {statement}", error.to_string().replace('\n', " ")));
            }
        }
        for column in &now {
            if let Some(kind) = self.columns.get(&column.place).filter(|kind| **kind != column.kind) {
                faults.push(format!("{} was {kind} and is {}", column.place, column.kind));
            }
        }
        for (table, named) in self.statements.iter().filter_map(|statement| inserts_into(statement)) {
            let of_table =
                now.iter().filter_map(|column| Some((column.place.strip_prefix(&format!("{table}."))?, column)));
            let missing = of_table.filter(|(name, column)| column.required && !named.contains(*name));
            faults.extend(missing.map(|(name, _)| format!("{table}.{name} is required, and an INSERT omits it")));
        }
        faults.dedup();
        Ok(faults)
    }
}

fn word(engine: Engine) -> &'static str {
    if engine == Engine::Sqlite { "sqlite" } else { "postgres" }
}

fn file(owner: &str, engine: Engine) -> std::path::PathBuf {
    root().join("migrations").join(owner).join("released").join(format!("{}.sql", word(engine)))
}

async fn look(db: &Db, released: Released) -> Vec<String> {
    db.run(move |conn| released.faults(conn)).await.unwrap()
}

/// The record of an owner's programs; none before the first release.
fn read(owner: &str, engine: Engine) -> Option<Released> {
    std::fs::read_to_string(file(owner, engine)).ok().map(|text| Released::parse(&text))
}

/// Some of what tt asks, for an engine.
fn statements_of_tt(engine: Engine) -> Vec<String> {
    let statements = [
        "SELECT id, name, artist FROM videos WHERE service = ?",
        "SELECT title FROM banners WHERE service = ?",
        "DELETE FROM watchlist WHERE msisdn = ? AND video_id = ?",
        "INSERT INTO imports (service, digest, at) VALUES (?, ?, ?)",
    ];
    let numbered = |text: &str| {
        (1..).zip(text.split('?')).fold(String::new(), |whole, (place, part)| {
            if place == 1 { part.to_owned() } else { format!("{whole}${}{part}", place - 1) }
        })
    };
    statements.map(|text| if engine == Engine::Sqlite { text.to_owned() } else { numbered(text) }).to_vec()
}

testkit::on_each_engine! {
    async fn statements_of_the_last_release_run_on_the_new_schema(engine) {
        let mut unreleased = 0;
        for (owner, migrations) in OWNERS {
            let Some(released) = read(owner, engine) else {
                unreleased += 1;
                continue;
            };
            let place = testkit::store(engine).await;
            let db = Db::open(&place.config, owner, migrations).await.unwrap();
            assert!(released.statements.len() > 10 && released.columns.len() > 10, "the record of {owner} is empty");
            let faults = look(&db, released).await;
            assert!(faults.is_empty(), "{owner} on {engine:?}:\n{}", faults.join("\n"));
        }
        assert!(unreleased == 0 || unreleased == OWNERS.len(), "the record of {unreleased} owners is missing");
    }

    async fn migrations_that_break_the_last_release_are_found(engine) {
        let id = if engine == Engine::Sqlite { "id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL" } else {
            "id BIGINT PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY NOT NULL"
        };
        let imports = |digest: &str, more: &str| {
            format!("DROP TABLE imports; CREATE TABLE imports ({id}, service TEXT NOT NULL, {digest} NOT NULL, at TIMESTAMP NOT NULL{more})")
        };
        for (change, fault) in [
            ("ALTER TABLE videos RENAME COLUMN artist TO performer".to_owned(), Some("artist")),
            ("DROP INDEX banners_by_title; ALTER TABLE banners DROP COLUMN title".to_owned(), Some("title")),
            ("DROP TABLE watchlist".to_owned(), Some("watchlist")),
            (imports("digest BIGINT", ""), Some("imports.digest was text and is bigint")),
            (imports("digest TEXT", ", who TEXT NOT NULL"), Some("imports.who is required")),
            // What expands: a new table, a new column that may be left out.
            (imports("digest TEXT", ", who TEXT, why TEXT NOT NULL DEFAULT 'x'"), None),
            ("CREATE TABLE newer (id BIGINT NOT NULL)".to_owned(), None),
        ] {
            let place = testkit::store(engine).await;
            let db = Db::open(&place.config, "tt", tt::PUBLICATION.migrations).await.unwrap();
            let before = db.run(columns).await.unwrap();
            let released = Released {
                columns: before.into_iter().map(|column| (column.place, column.kind)).collect(),
                statements: statements_of_tt(engine),
            };
            let text = change.clone();
            db.run(move |conn| on_each_backend!(conn, conn => conn.batch_execute(&text)).map_err(store::Error::from)).await.unwrap();
            let faults = look(&db, released).await;
            match fault {
                Some(fault) => assert!(faults.iter().any(|found| found.contains(fault)), "{change}: {faults:?}"),
                None => assert!(faults.is_empty(), "{change}: {faults:?}"),
            }
        }
    }
}

/// Not a comparison: `make released` calls it with the statements that the services' tests were seen to send.
#[actix_web::test]
#[ignore = "writes the record anew"]
async fn write_down_this_release() {
    let folder = std::path::PathBuf::from(std::env::var_os(RECORD).unwrap());
    for engine in [Engine::Sqlite, Engine::Postgres] {
        for (owner, migrations) in OWNERS {
            let place = testkit::store(engine).await;
            let db = Db::open(&place.config, owner, migrations).await.unwrap();
            let columns = db.run(columns).await.unwrap();
            let services: &[&str] = if owner == "artists" { &["comedy", "diski"] } else { &[owner] };
            let sent: String = services
                .iter()
                .map(|service| std::fs::read_to_string(folder.join(format!("{service}-{}", word(engine)))).unwrap())
                .collect();
            let statements: BTreeSet<&str> = sent.lines().collect();
            let columns = columns.iter().map(|column| format!("{COLUMN}{} {}\n", column.place, column.kind));
            let text: String = columns.chain(statements.iter().map(|statement| format!("{statement}\n"))).collect();
            std::fs::create_dir_all(file(owner, engine).parent().unwrap()).unwrap();
            std::fs::write(file(owner, engine), text).unwrap();
        }
    }
}

#[test]
fn insert_is_parsed_into_table_and_columns() {
    let columns: BTreeSet<String> = ["a".to_owned(), "b".to_owned()].into();
    for text in [
        "INSERT INTO `t` (`a`, `b`) VALUES (?, ?)",
        "INSERT INTO t (a, b) SELECT 1, 2",
        "INSERT OR IGNORE INTO \"t\" (\"a\", \"b\") VALUES ($1, $2)",
    ] {
        assert_eq!(inserts_into(text), Some(("t".to_owned(), columns.clone())), "{text}");
    }
}

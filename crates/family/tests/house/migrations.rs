//! Migrations: both engines alike, reversible, and safe when several replicas start at once.

use std::collections::BTreeSet;

use diesel::{
    prelude::*,
    sql_types::{Nullable, Text},
};
use store::{Db, DbConnection, Migrations};
use testkit::Engine;

use crate::root;

/// Every owner of tables: the folder below `migrations/`, and what its services embed.
pub(crate) const OWNERS: [(&str, Migrations); 6] = [
    ("artists", comedy::PUBLICATION.migrations),
    ("meme", meme::PUBLICATION.migrations),
    ("tt", tt::PUBLICATION.migrations),
    ("subscription", subscription::MIGRATIONS),
    ("backoffice", backoffice::MIGRATIONS),
    ("operator_sandbox", operator_sandbox::MIGRATIONS),
];

#[derive(QueryableByName)]
struct Column {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    column_name: String,
    #[diesel(sql_type = Nullable<Text>)]
    detail: Option<String>,
}

/// Tables and columns; with everything else the engine says of them where `detailed`.
fn schema(conn: &mut DbConnection, detailed: bool) -> BTreeSet<String> {
    let statement = match conn {
        DbConnection::Sqlite(_) => {
            "SELECT m.name AS table_name, c.name AS column_name, m.sql || c.type || c.\"notnull\" AS detail \
             FROM sqlite_master m JOIN pragma_table_xinfo(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
             UNION ALL SELECT 'index', name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        }
        DbConnection::Postgres(_) => {
            // Partitions are left out: SQLite has the whole table only.
            "SELECT table_name::text, column_name::text, concat(data_type, is_nullable, column_default) AS detail \
             FROM information_schema.columns JOIN pg_class c ON c.oid = format('%I.%I', table_schema, table_name)::regclass \
             WHERE table_schema = current_schema() AND NOT c.relispartition \
             UNION ALL SELECT 'index', indexname::text, indexdef FROM pg_indexes \
             JOIN pg_class c ON c.oid = format('%I.%I', schemaname, tablename)::regclass \
             WHERE schemaname = current_schema() AND NOT c.relispartition \
             AND indexname NOT LIKE '%\\_pkey' AND indexname NOT LIKE '%\\_key'"
        }
    };
    let rows: Vec<Column> = diesel::sql_query(statement).load(conn).unwrap();
    rows.into_iter()
        .map(|row| {
            let detail = if detailed { row.detail.unwrap_or_default() } else { String::new() };
            format!("{}.{} {detail}", row.table_name, row.column_name)
        })
        .collect()
}

async fn connect(place: &testkit::TestStore, owner: &'static str, migrations: Migrations) -> Db {
    Db::open(&place.config, owner, migrations).await.unwrap()
}

async fn look(db: &Db, detailed: bool) -> BTreeSet<String> {
    db.run(move |conn| Ok::<_, store::Error>(schema(conn, detailed))).await.unwrap()
}

testkit::on_each_engine! {
    async fn up_down_up_ends_where_it_began(engine) {
        for (owner, migrations) in OWNERS {
            let place = testkit::store(engine).await;
            let db = connect(&place, owner, migrations).await;
            let up = look(&db, true).await;
            let revert = move |conn: &mut DbConnection| store::revert_all(conn, owner, migrations).map_err(store::Error::Query);
            db.run(revert).await.unwrap();
            let down = look(&db, false).await;
            assert!(down.iter().all(|column| column.starts_with("__diesel_schema_migrations")), "{owner} leaves {down:?}");
            let again = move |conn: &mut DbConnection| store::migrate(conn, owner, migrations).map_err(store::Error::Query);
            db.run(again).await.unwrap();
            assert_eq!(look(&db, true).await, up, "{owner}");
        }
    }

    async fn five_replicas_may_start_at_once(engine) {
        for (owner, migrations) in OWNERS {
            let place = testkit::store(engine).await;
            let starts: Vec<_> = (0..5)
                .map(|_| {
                    let config = place.config.clone();
                    actix_web::rt::spawn(async move { Db::open(&config, owner, migrations).await.map(drop) })
                })
                .collect();
            for start in starts {
                start.await.unwrap().unwrap();
            }
        }
    }
}

/// What search keeps in its own way on each engine: a full-text table on SQLite, a column of `tsvector` on PostgreSQL.
fn is_for_search(column: &str) -> bool {
    ["_words", ".words", "_vocabulary."].iter().any(|part| column.contains(part))
}

#[actix_web::test]
async fn both_engines_have_the_same_tables_columns_and_indexes() {
    for (owner, migrations) in OWNERS {
        let sqlite = testkit::store(Engine::Sqlite).await;
        let postgres = testkit::store(Engine::Postgres).await;
        let mut sqlite_schema = look(&connect(&sqlite, owner, migrations).await, false).await;
        let mut postgres_schema = look(&connect(&postgres, owner, migrations).await, false).await;
        for schema in [&mut sqlite_schema, &mut postgres_schema] {
            schema.retain(|column| !is_for_search(column));
        }
        assert_eq!(sqlite_schema, postgres_schema, "{owner}");
    }
}

#[test]
fn both_engines_have_the_same_migrations_each_with_a_way_back() {
    let migrations = root().join("migrations");
    let mut owners = BTreeSet::new();
    for owner in std::fs::read_dir(&migrations).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        owners.insert(owner.file_name().unwrap().to_string_lossy().into_owned());
        let names = |engine: &str| -> BTreeSet<String> {
            let folder = owner.join(engine);
            let entries = std::fs::read_dir(&folder).unwrap_or_else(|_| panic!("{} is missing", folder.display()));
            entries
                .map(|entry| {
                    let path = entry.unwrap().path();
                    for file in ["up.sql", "down.sql"] {
                        let text = std::fs::read_to_string(path.join(file)).unwrap_or_default();
                        assert!(!text.trim().is_empty(), "{}/{file} is empty or missing", path.display());
                    }
                    path.file_name().unwrap().to_string_lossy().into_owned()
                })
                .collect()
        };
        assert_eq!(names("sqlite"), names("postgres"), "{}", owner.display());
    }
    assert_eq!(owners, OWNERS.iter().map(|(owner, _)| (*owner).to_owned()).collect(), "an owner that nothing tests");
}

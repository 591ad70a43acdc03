//! Migrations: both engines alike, reversible, and safe when several replicas start at once.

use std::collections::BTreeSet;

use diesel::{
    prelude::*,
    sql_types::{Nullable, Text},
};
use store::{Db, DbConnection, Migrations, on_each_backend};
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

/// Tables that only staff, imports and daily jobs write to. Every other one may be large, and a join, a charge or a like must not wait for it.
const SMALL_TABLES: [&str; 40] = [
    // artists, meme and tt
    "artists",
    "artists_vocabulary",
    "banners",
    "categories",
    "changes",
    "imports",
    "memes",
    "memes_vocabulary",
    "open_imports",
    "take_downs",
    "videos",
    "videos_vocabulary",
    // subscription
    "billing_days",
    "billing_passes",
    "billing_runners",
    "blocked_numbers",
    "charge_hours",
    "daily_charges",
    "daily_moves",
    "daily_sums",
    "daily_totals",
    "held_publishers",
    "hourly_sums",
    "ledger_bounds",
    "publisher_days",
    "reconciliations",
    "reminder_runs",
    "restores",
    // backoffice
    "assignments",
    "audit_head",
    "closed_months",
    "contract_terms",
    "drafts",
    "erasures",
    "identities",
    "invitations",
    "passkeys",
    "staff",
    "uploads",
    "vat_rates",
];

/// Tables in partitions. Their indexes are made on the whole table alone, and in each partition by `deploy/index-partitions`.
const PARTITIONED_TABLES: [&str; 2] = ["ledger", "events"];

/// The statements of a migration that build an index on a large table under its lock.
fn builds_under_lock(text: &str, runs_in_transaction: bool) -> Vec<String> {
    let code: Vec<&str> = text.lines().map(|line| line.split("--").next().unwrap_or_default()).collect();
    let code = code.join(" ").replace('(', " ( ").to_lowercase();
    let statements: Vec<Vec<&str>> =
        code.split(';').map(|one| one.split_whitespace().collect()).filter(|one: &Vec<&str>| !one.is_empty()).collect();
    let after = |words: &[&str], word: &str, skipped: &[&str]| -> String {
        let rest = words.iter().skip_while(|one| **one != word).skip(1);
        rest.copied().find(|one| !skipped.contains(one)).unwrap_or_default().to_owned()
    };
    let created: Vec<String> = statements
        .iter()
        .filter(|words| words.starts_with(&["create", "table"]) || words.starts_with(&["create", "unlogged", "table"]))
        .map(|words| after(words, "table", &["if", "not", "exists"]))
        .collect();
    let is_free = |table: &String| created.contains(table) || SMALL_TABLES.contains(&table.as_str());
    let locks = |words: &&Vec<&str>| match words.as_slice() {
        ["create", "index", ..] | ["create", "unique", "index", ..] => {
            let table = after(words, "on", &["only"]);
            let is_for_later = words.contains(&"only") && PARTITIONED_TABLES.contains(&table.as_str());
            // PostgreSQL runs several statements of one text in one transaction.
            let is_concurrent = words.contains(&"concurrently") && !runs_in_transaction && statements.len() == 1;
            !is_free(&table) && !is_for_later && !is_concurrent
        }
        ["alter", "table", ..] => {
            let adds_key = words.contains(&"add") && (words.contains(&"unique") || words.contains(&"primary"));
            adds_key && !words.contains(&"using") && !is_free(&after(words, "table", &["if", "exists", "only"]))
        }
        _ => false,
    };
    statements.iter().filter(locks).map(|words| words.join(" ")).collect()
}

#[test]
fn new_migration_builds_no_index_on_a_large_table_under_its_lock() {
    // The imitated network's tables are never those of production.
    for (owner, _) in OWNERS.iter().filter(|(owner, _)| *owner != "operator_sandbox") {
        let folder = root().join("migrations").join(owner).join("postgres");
        for entry in std::fs::read_dir(&folder).unwrap() {
            let migration = entry.unwrap().path();
            let metadata = std::fs::read_to_string(migration.join("metadata.toml")).unwrap_or_default();
            let runs_in_transaction = !metadata.lines().any(|line| line.trim() == "run_in_transaction = false");
            let found =
                builds_under_lock(&std::fs::read_to_string(migration.join("up.sql")).unwrap(), runs_in_transaction);
            assert!(found.is_empty(), "{} (migrations/README.md, Indexes): {found:?}", migration.display());
        }
    }
}

#[test]
fn index_on_a_large_table_is_found_unless_it_is_built_concurrently() {
    let concurrently = "-- Why.\nCREATE INDEX CONCURRENTLY likes_by_day ON likes (day);";
    for (text, runs_in_transaction, found) in [
        ("CREATE INDEX likes_by_day ON likes(day);", true, 1),
        ("create unique index if not exists likes_by_day on likes (day)", false, 1),
        (concurrently, false, 0),
        (concurrently, true, 1),
        ("SELECT 1; CREATE INDEX CONCURRENTLY likes_by_day ON likes (day);", false, 1),
        ("CREATE INDEX ledger_by_day ON ledger (day);", true, 1),
        ("CREATE INDEX ledger_by_day ON ONLY ledger (day);", true, 0),
        ("CREATE INDEX holds_by_day ON ONLY holds (day);", true, 1),
        ("CREATE TABLE visits (day TEXT NOT NULL); CREATE INDEX visits_by_day ON visits (day);", true, 0),
        ("CREATE INDEX videos_by_day ON videos (day);", true, 0),
        ("ALTER TABLE holds ADD COLUMN day TEXT;", true, 0),
        ("ALTER TABLE holds ADD CONSTRAINT one_a_day UNIQUE (day);", true, 1),
        ("ALTER TABLE holds ADD CONSTRAINT one_a_day UNIQUE USING INDEX holds_by_day;", true, 0),
    ] {
        assert_eq!(builds_under_lock(text, runs_in_transaction).len(), found, "{text}");
    }
}

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

    async fn last_release_is_migrated_and_an_earlier_one_is_refused(engine) {
        for (owner, migrations) in OWNERS {
            let place = testkit::store(engine).await;
            let run = async |statement: &'static str| {
                let db = connect(&place, owner, migrations).await;
                let run = move |conn: &mut DbConnection| on_each_backend!(conn, conn => diesel::sql_query(statement).execute(conn)).map_err(store::Error::from);
                db.run(run).await.unwrap();
            };
            // The first release began with this version, and every later one added some.
            run("INSERT INTO __diesel_schema_migrations (version) VALUES ('20261121090000')").await;
            run("DELETE FROM __diesel_schema_migrations WHERE version <> '20261121090000'").await;
            let refused = Db::open(&place.config, owner, migrations).await.map(drop).unwrap_err().to_string();
            assert!(refused.contains("earlier release"), "{owner}: {refused}");
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
        let names = (names("sqlite"), names("postgres"));
        assert_eq!(names.0, names.1, "{}", owner.display());
        // Of two with one version, the second would silently not run.
        let versions: BTreeSet<&str> = names.0.iter().filter_map(|name| name.split('_').next()).collect();
        assert_eq!(versions.len(), names.0.len(), "{}: two migrations have one version", owner.display());
    }
    assert_eq!(owners, OWNERS.iter().map(|(owner, _)| (*owner).to_owned()).collect(), "an owner that nothing tests");
}

//! A database of its own for every test.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    path::PathBuf,
};

use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, sql_types::BigInt};
use store::{Db, Migrations, StoreConfig};
use tempfile::TempDir;

use crate::statements::record_if_requested;

/// The two engines everything runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    /// SQLite, without Redis.
    Sqlite,
    /// PostgreSQL, with Redis.
    Postgres,
}

/// An empty place for state; gone when dropped.
pub struct TestStore {
    /// Hand this to the service under test.
    pub config: StoreConfig,
    dropped_database: Option<(String, String)>,
    _folder: TempDir,
}

/// Makes an empty place for state on `engine`.
///
/// PostgreSQL and Redis are those of `TEST_DATABASE_URL` and `TEST_REDIS_URL`, which `with-servers` sets. A TEST_DATABASE_URL names the
/// database `postgres`.
pub async fn store(engine: Engine) -> TestStore {
    store_with_tables(engine, &[]).await
}

/// The same, where PostgreSQL has the tables of these owners already: migrated once for all tests of one `with-servers`, and copied, which
/// takes a fifth of the time. On SQLite, and below `with-servers --managed`, where each role owns its tables, the services migrate.
pub async fn store_with_tables(engine: Engine, owners: &[(&'static str, Migrations)]) -> TestStore {
    prepared_store(engine, owners, async |_| ()).await
}

/// The same, where `prepare` has changed those tables; all tests with the same owners prepare them alike.
pub async fn prepared_store(
    engine: Engine,
    owners: &[(&'static str, Migrations)],
    prepare: impl AsyncFnOnce(&StoreConfig),
) -> TestStore {
    record_if_requested();
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Each connection costs PostgreSQL as much as all queries of a short test.
    let mut config = StoreConfig { database_connections: 3, ..StoreConfig::sqlite(folder.path()) };
    let mut dropped_database = None;
    if engine == Engine::Postgres {
        store::init_tls();
        let server = server("TEST_DATABASE_URL");
        let name = format!("test_{}", uuid::Uuid::new_v4().simple());
        let pooler = std::env::var("TEST_POOLER_URL");
        let template = match owners.is_empty() || pooler.is_ok() {
            true => "template1".to_owned(),
            false => migrated(&server, owners, prepare).await,
        };
        // By copying its files, which takes a third of the time of copying its pages.
        execute(&server, &format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")).await;
        // Below `with-servers --managed` the services go by its pooler, each as a role of its own.
        config.database_url = Some(database_url(&pooler.unwrap_or_else(|_| server.clone()), &name));
        config.unnamed_statements = std::env::var("TEST_UNNAMED_STATEMENTS").is_ok_and(|value| value == "1");
        config.redis_url = Some(self::server("TEST_REDIS_URL"));
        config.stores_ca_file = std::env::var_os("TEST_CA_FILE").map(PathBuf::from);
        dropped_database = Some((server, name));
    }
    TestStore { config, dropped_database, _folder: folder }
}

fn server(variable: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| {
        panic!("{variable} is not set: run `make test`, or `cargo run -p testkit --bin with-servers -- cargo test`")
    })
}

/// The address of another database of the server than `postgres`.
fn database_url(server: &str, name: &str) -> String {
    let (host, query) = server.rsplit_once("/postgres").expect("the address of the database postgres");
    format!("{host}/{name}{query}")
}

/// A number from the database.
#[derive(QueryableByName)]
pub(crate) struct Count {
    #[diesel(sql_type = BigInt)]
    pub(crate) n: i64,
}

/// The name of a database with the tables of these owners. The first test that needs it makes it, while others that do wait.
async fn migrated(
    server: &str,
    owners: &[(&'static str, Migrations)],
    prepare: impl AsyncFnOnce(&StoreConfig),
) -> String {
    // PostgreSQL cuts a long name off.
    let mut hasher = DefaultHasher::new();
    owners.iter().for_each(|(owner, _)| owner.hash(&mut hasher));
    let name = format!("tables_{:x}", hasher.finish());
    let (url, template) = (server.to_owned(), name.clone());
    let locked = tokio::task::spawn_blocking(move || {
        let mut conn = PgConnection::establish(&url).expect("the test server answers");
        let mut ask = |query: String| diesel::sql_query(query).get_result::<Count>(&mut conn).expect("an answer").n;
        ask(format!("SELECT COUNT(pg_advisory_lock(hashtext('{template}'))) AS n"));
        let found = ask(format!("SELECT COUNT(*) AS n FROM pg_database WHERE datname = '{template}'"));
        (found == 0).then_some(conn)
    });
    // The lock ends with its connection.
    if let Some(_lock) = locked.await.expect("the lock") {
        let unfinished = format!("{name}_unfinished");
        execute(server, &format!("DROP DATABASE IF EXISTS {unfinished}")).await;
        execute(server, &format!("CREATE DATABASE {unfinished}")).await;
        let folder = std::path::Path::new("unused");
        let config =
            StoreConfig { database_url: Some(database_url(server, &unfinished)), ..StoreConfig::sqlite(folder) };
        for (owner, migrations) in owners {
            Db::open(&config, owner, *migrations).await.expect("the tables are made");
        }
        prepare(&config).await;
        disconnect(server, &unfinished).await;
        execute(server, &format!("ALTER DATABASE {unfinished} RENAME TO {name}")).await;
    }
    name
}

/// A copy of a store's database.
pub struct StoreCopy {
    folder: TempDir,
    database: Option<(String, String)>,
}

impl TestStore {
    /// Copies the database, which no process may use meanwhile; one that was just killed may.
    pub async fn copy(&self) -> StoreCopy {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut database = None;
        match &self.dropped_database {
            Some((server, name)) => {
                let copy = format!("copy_{}", uuid::Uuid::new_v4().simple());
                disconnect(server, name).await;
                execute(server, &format!("CREATE DATABASE {copy} TEMPLATE {name}")).await;
                database = Some((server.clone(), copy));
            }
            None => copy_files(&self.config.data_dir, folder.path()),
        }
        StoreCopy { folder, database }
    }

    /// Replaces the database by a copy of it, as a restore does.
    pub async fn put_back(&self, copy: &StoreCopy) {
        match (&self.dropped_database, &copy.database) {
            (Some((server, name)), Some((_, copy))) => {
                execute(server, &format!("DROP DATABASE {name} WITH (FORCE)")).await;
                execute(server, &format!("CREATE DATABASE {name} TEMPLATE {copy}")).await;
            }
            _ => {
                for file in std::fs::read_dir(&self.config.data_dir).expect("the store's folder") {
                    std::fs::remove_file(file.expect("a file").path()).expect("a file is removed");
                }
                copy_files(copy.folder.path(), &self.config.data_dir);
            }
        }
    }

    /// Sets a PostgreSQL setting for every later connection to the database, as the server's own settings file does.
    pub async fn set_on_server(&self, setting: &str, value: &str) {
        let (server, name) = self.dropped_database.as_ref().expect("a database of PostgreSQL");
        execute(server, &format!("ALTER DATABASE {name} SET {setting} = '{value}'")).await;
    }
}

fn copy_files(from: &std::path::Path, to: &std::path::Path) {
    for file in std::fs::read_dir(from).expect("a folder") {
        let file = file.expect("a file");
        std::fs::copy(file.path(), to.join(file.file_name())).expect("a file is copied");
    }
}

/// A server takes a moment to notice that a client was killed.
async fn disconnect(server: &str, database: &str) {
    let end = format!("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '{database}'");
    execute(server, &end).await;
}

fn drop_database(server: &str, name: &str) {
    // A server that is gone already has nothing left to clean.
    if let Ok(mut conn) = PgConnection::establish(server) {
        let _ = diesel::sql_query(format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).execute(&mut conn);
    }
}

impl Drop for StoreCopy {
    fn drop(&mut self) {
        if let Some((server, name)) = self.database.take() {
            drop_database(&server, &name);
        }
    }
}

async fn execute(server: &str, statement: &str) {
    let (server, statement) = (server.to_owned(), statement.to_owned());
    tokio::task::spawn_blocking(move || {
        let mut conn = PgConnection::establish(&server).expect("the test server answers");
        diesel::sql_query(statement).execute(&mut conn).expect("the test server obeys");
    })
    .await
    .expect("the statement ran");
}

impl Drop for TestStore {
    fn drop(&mut self) {
        if let Some((server, name)) = self.dropped_database.take() {
            drop_database(&server, &name);
        }
    }
}

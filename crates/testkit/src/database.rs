//! A database of its own for every test.

use std::path::PathBuf;

use diesel::{Connection, PgConnection, RunQueryDsl};
use store::StoreConfig;
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
    record_if_requested();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut config = StoreConfig::sqlite(folder.path());
    let mut dropped_database = None;
    if engine == Engine::Postgres {
        let server = server("TEST_DATABASE_URL");
        let name = format!("test_{}", uuid::Uuid::new_v4().simple());
        execute(&server, &format!("CREATE DATABASE {name}")).await;
        // Below `with-servers --managed` the services go by its pooler, each as a role of its own.
        let url = std::env::var("TEST_POOLER_URL").unwrap_or_else(|_| server.clone());
        let (host, query) = url.rsplit_once("/postgres").expect("the address of the database postgres");
        config.database_url = Some(format!("{host}/{name}{query}"));
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
            // A server that is gone already has nothing left to clean.
            if let Ok(mut conn) = PgConnection::establish(&server) {
                let _ = diesel::sql_query(format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).execute(&mut conn);
            }
        }
    }
}

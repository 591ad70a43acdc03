//! A migration without a transaction builds an index while the table is written to: the rule of migrations/README.md for large tables.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must say so and fail")]

use diesel::{
    PgConnection,
    connection::SimpleConnection,
    prelude::*,
    sql_types::{BigInt, Bool},
};
use store::{Db, Migrations};
use testkit::{Engine, eventually};

const OWNER: &str = "visits";
const BEFORE: Migrations = store::migrations!("tests/index_concurrently/before", "tests/index_concurrently/before");
const AFTER: Migrations = store::migrations!("tests/index_concurrently/after", "tests/index_concurrently/after");

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

#[derive(QueryableByName)]
struct Index {
    #[diesel(sql_type = Bool)]
    is_valid: bool,
}

/// A connection that waits two seconds at most for a lock.
fn connect(url: &str) -> PgConnection {
    let mut conn = PgConnection::establish(url).unwrap();
    conn.batch_execute(&format!("SET search_path = {OWNER}; SET lock_timeout = '2s'")).unwrap();
    conn
}

#[actix_web::test]
async fn index_is_built_while_the_table_is_written_to() {
    let place = testkit::store(Engine::Postgres).await;
    let url = place.config.database_url.clone().unwrap();
    drop(Db::open(&place.config, OWNER, BEFORE).await.unwrap());
    let (mut first, mut second) = (connect(&url), connect(&url));
    first.batch_execute("BEGIN; INSERT INTO visits VALUES (1, 'join')").unwrap();

    let config = place.config.clone();
    let start = actix_web::rt::spawn(async move { Db::open(&config, OWNER, AFTER).await.map(drop) });
    // An index that is not built concurrently waits as well, and every later write waits behind it.
    let waits = "SELECT count(*) AS count FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX%' AND wait_event_type = 'Lock' AND datname = current_database()";
    eventually("the migration waits for the open write", async || {
        diesel::sql_query(waits).get_result::<Count>(&mut connect(&url)).unwrap().count == 1
    })
    .await;
    second.batch_execute("INSERT INTO visits VALUES (2, 'home')").unwrap();
    first.batch_execute("COMMIT").unwrap();

    start.await.unwrap().unwrap();
    let valid = "SELECT indisvalid AS is_valid FROM pg_index WHERE indexrelid = 'visits_by_page'::regclass";
    assert!(diesel::sql_query(valid).get_result::<Index>(&mut second).unwrap().is_valid);
}

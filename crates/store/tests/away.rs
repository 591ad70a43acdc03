//! A database that ends a session in the middle of it: that is told as what it is, and costs nobody else anything.

use diesel::RunQueryDsl;
use service::Problem;
use store::{Db, DbConnection, EmbeddedMigrations, Error, Migrations};
use testkit::Engine;

const NONE: EmbeddedMigrations = EmbeddedMigrations::new(&[]);

/// What an administrator may do, and a server that stops.
fn lose_session(conn: &mut DbConnection) -> Result<(), Error> {
    diesel::sql_query("SELECT pg_terminate_backend(pg_backend_pid())").execute(conn)?;
    Ok(())
}

fn ask(conn: &mut DbConnection) -> Result<(), Error> {
    diesel::sql_query("SELECT 1").execute(conn)?;
    Ok(())
}

#[actix_web::test]
async fn a_lost_session_is_unavailable_and_nobody_gets_it_again() {
    let place = testkit::store(Engine::Postgres).await;
    let db = Db::open(&place.config, "away", Migrations { sqlite: || NONE, postgres: || NONE }).await.unwrap();
    for writes in [false, true, false, true] {
        let lost = if writes { db.write(lose_session).await } else { db.run(lose_session).await };
        let lost = lost.unwrap_err();
        assert!(matches!(lost, Error::Away(_)), "{lost}");
        assert_eq!(Problem::from(lost).status().as_u16(), 503);
        // At once: the lost connection answered a moment ago, and is tested nonetheless.
        db.run(ask).await.unwrap();
        db.write(ask).await.unwrap();
    }
}

//! A session that the database ends during a query: the error is 503, and the pool does not reuse the connection.

use diesel::RunQueryDsl;
use service::Problem;
use store::{Db, DbConnection, EmbeddedMigrations, Error, Migrations};
use testkit::Engine;

const NONE: EmbeddedMigrations = EmbeddedMigrations::new(&[]);

/// Ends the session, as an administrator or a stopping server does.
fn lose_session(conn: &mut DbConnection) -> Result<(), Error> {
    diesel::sql_query("SELECT pg_terminate_backend(pg_backend_pid())").execute(conn)?;
    Ok(())
}

fn select_one(conn: &mut DbConnection) -> Result<(), Error> {
    diesel::sql_query("SELECT 1").execute(conn)?;
    Ok(())
}

#[actix_web::test]
async fn query_on_lost_session_is_503_and_pool_drops_the_connection() {
    let database = testkit::store(Engine::Postgres).await;
    let db = Db::open(&database.config, "away", Migrations { sqlite: || NONE, postgres: || NONE }).await.unwrap();
    for writes in [false, true, false, true] {
        let lost = if writes { db.write(lose_session).await } else { db.run(lose_session).await };
        let lost = lost.unwrap_err();
        assert!(matches!(lost, Error::Unavailable(_)), "{lost}");
        assert_eq!(Problem::from(lost).status().as_u16(), 503);
        // Immediately: the lost connection was tested within the last second and must be tested again.
        db.run(select_one).await.unwrap();
        db.write(select_one).await.unwrap();
    }
}

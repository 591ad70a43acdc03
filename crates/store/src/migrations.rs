//! Migrations run at start, also when several replicas start at once.

use std::time::{Duration, Instant};

use diesel::{RunQueryDsl, sql_types::Bool};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness};

use crate::DbConnection;

/// The migrations of one owner, with the same names for both engines.
#[derive(Clone, Copy)]
pub struct Migrations {
    /// For SQLite.
    pub sqlite: fn() -> EmbeddedMigrations,
    /// For PostgreSQL.
    pub postgres: fn() -> EmbeddedMigrations,
}

/// How long a replica waits while another one migrates.
const LOCK_TIMEOUT: Duration = Duration::from_secs(120);

#[derive(diesel::QueryableByName)]
struct LockRow {
    #[diesel(sql_type = Bool)]
    acquired: bool,
}

type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Applies pending migrations to `owner`'s schema or file, under a lock, since diesel_migrations takes none.
pub fn migrate(conn: &mut DbConnection, owner: &str, migrations: Migrations) -> Result<(), String> {
    apply(
        conn,
        owner,
        migrations,
        |conn, source| conn.run_pending_migrations(source).map(|_| ()),
        |conn, source| conn.run_pending_migrations(source).map(|_| ()),
    )
}

/// Reverts every migration: for tests that run up, down, up.
pub fn revert_all(conn: &mut DbConnection, owner: &str, migrations: Migrations) -> Result<(), String> {
    apply(
        conn,
        owner,
        migrations,
        |conn, source| conn.revert_all_migrations(source).map(|_| ()),
        |conn, source| conn.revert_all_migrations(source).map(|_| ()),
    )
}

fn apply(
    conn: &mut DbConnection,
    owner: &str,
    migrations: Migrations,
    on_sqlite: impl FnOnce(&mut diesel::SqliteConnection, EmbeddedMigrations) -> Result<(), Cause>,
    on_postgres: impl FnOnce(&mut diesel::PgConnection, EmbeddedMigrations) -> Result<(), Cause>,
) -> Result<(), String> {
    match conn {
        // One write transaction: a second process waits for it, then finds nothing pending.
        DbConnection::Sqlite(conn) => conn
            .immediate_transaction(|conn| on_sqlite(conn, (migrations.sqlite)()).map_err(MigrationError::from))
            .map_err(|error| error.0),
        DbConnection::Postgres(conn) => {
            // Polled, not awaited: a blocked pg_advisory_lock deadlocks with CREATE INDEX CONCURRENTLY.
            let started = Instant::now();
            while !try_lock(conn, owner)? {
                if started.elapsed() > LOCK_TIMEOUT {
                    return Err("another replica has been migrating for two minutes".to_owned());
                }
                std::thread::sleep(Duration::from_millis(50));
            }
            let outcome = diesel::sql_query(format!("CREATE SCHEMA IF NOT EXISTS {owner}"))
                .execute(conn)
                .map_err(|error| error.to_string())
                .and_then(|_| on_postgres(conn, (migrations.postgres)()).map_err(|error| error.to_string()));
            // The lock also ends with the connection, so a failure here can be ignored.
            let _ = diesel::sql_query("SELECT pg_advisory_unlock_all()").execute(conn);
            outcome
        }
    }
}

fn try_lock(conn: &mut diesel::PgConnection, owner: &str) -> Result<bool, String> {
    diesel::sql_query("SELECT pg_try_advisory_lock(hashtext('spaza migrations'), hashtext($1)) AS acquired")
        .bind::<diesel::sql_types::Text, _>(owner)
        .get_result::<LockRow>(conn)
        .map(|row| row.acquired)
        .map_err(|error| error.to_string())
}

struct MigrationError(String);

impl From<Cause> for MigrationError {
    fn from(cause: Cause) -> Self {
        Self(cause.to_string())
    }
}

impl From<diesel::result::Error> for MigrationError {
    fn from(cause: diesel::result::Error) -> Self {
        Self(cause.to_string())
    }
}

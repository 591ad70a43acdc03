//! Migrations run at start, also when several replicas start at once.

use std::time::{Duration, Instant};

use diesel::{
    PgConnection, RunQueryDsl,
    backend::Backend,
    connection::{AnsiTransactionManager, SimpleConnection, TransactionManager},
    migration::MigrationSource,
    sql_types::{Bool, Text},
};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness};

use crate::{DbConnection, connection::Connector};

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
struct Answer {
    #[diesel(sql_type = Bool)]
    yes: bool,
}

type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Applies pending migrations, while replicas that start at the same time wait: diesel_migrations takes no lock.
///
/// On PostgreSQL a second connection holds the lock in a transaction of its own. A lock of the session would not survive a pooler, and one
/// in the migrations' transaction would leave no way to CREATE INDEX CONCURRENTLY. On SQLite the migrations' transaction is the lock.
pub(crate) fn migrate_once(
    connector: &Connector,
    conn: &mut DbConnection,
    migrations: Migrations,
) -> Result<(), String> {
    if matches!(conn, DbConnection::Sqlite(_)) {
        return migrate(conn, connector.owner, migrations);
    }
    let DbConnection::Postgres(mut holder) = connector.connect().map_err(|error| error.to_string())? else {
        return Err("the URL names two engines".to_owned());
    };
    let started = Instant::now();
    // Polled, not awaited: a blocked pg_advisory_xact_lock deadlocks with CREATE INDEX CONCURRENTLY.
    while !try_lock(&mut holder, connector.owner).map_err(|error| error.to_string())? {
        if started.elapsed() > LOCK_TIMEOUT {
            return Err("another replica has been migrating for two minutes".to_owned());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let outcome = migrate(conn, connector.owner, migrations);
    // The lock also ends with the connection, so a failure here can be ignored.
    let _ = AnsiTransactionManager::rollback_transaction(&mut holder);
    outcome
}

/// Applies pending migrations to `owner`'s schema or file, without a lock: for tests.
pub fn migrate(conn: &mut DbConnection, owner: &str, migrations: Migrations) -> Result<(), String> {
    apply(conn, owner, migrations, run_pending, run_pending)
}

/// Applies pending migrations where the database is new, or has the creation of its tables: the programs of the last release gave theirs
/// that version, and those of earlier ones had migrations that are gone.
fn run_pending<DB: Backend>(conn: &mut impl MigrationHarness<DB>, source: EmbeddedMigrations) -> Result<(), Cause> {
    let applied = conn.applied_migrations()?;
    let embedded = MigrationSource::<DB>::migrations(&source)?;
    let creation = embedded.iter().map(|migration| migration.name().version().as_owned()).min();
    if !applied.is_empty() && creation.is_some_and(|creation| !applied.contains(&creation)) {
        return Err(
            "the tables are of an earlier release than the one of 29 November 2026: start that one first".into()
        );
    }
    conn.run_pending_migrations(source).map(|_| ())
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
    on_postgres: impl FnOnce(&mut PgConnection, EmbeddedMigrations) -> Result<(), Cause>,
) -> Result<(), String> {
    match conn {
        // One write transaction: a second process waits for it, then finds nothing pending.
        DbConnection::Sqlite(conn) => conn
            .immediate_transaction(|conn| on_sqlite(conn, (migrations.sqlite)()).map_err(MigrationError::from))
            .map_err(|error| error.0),
        DbConnection::Postgres(conn) => {
            create_schema(conn, owner).map_err(|error| error.to_string())?;
            on_postgres(conn, (migrations.postgres)()).map_err(|error| error.to_string())
        }
    }
}

/// Creates the schema where it is absent. A role that owns its schema alone may not even ask to create one that exists.
fn create_schema(conn: &mut PgConnection, owner: &str) -> diesel::QueryResult<()> {
    let exists = diesel::sql_query("SELECT to_regnamespace($1) IS NOT NULL AS yes").bind::<Text, _>(owner);
    if !exists.get_result::<Answer>(conn)?.yes {
        diesel::sql_query(format!("CREATE SCHEMA IF NOT EXISTS {owner}")).execute(conn)?;
    }
    Ok(())
}

/// Whether this connection's transaction, which stays open then, holds the lock.
fn try_lock(conn: &mut PgConnection, owner: &str) -> diesel::QueryResult<bool> {
    AnsiTransactionManager::begin_transaction(conn)?;
    let lock = "SELECT pg_try_advisory_xact_lock(hashtext('spaza migrations'), hashtext($1)) AS yes";
    let acquired = diesel::sql_query(lock).bind::<Text, _>(owner).get_result::<Answer>(conn)?.yes;
    if acquired {
        // A migration of a large table may take longer than the server lets transactions be idle. And another statement has to follow the query:
        // until then its portal keeps a snapshot, which CREATE INDEX CONCURRENTLY would await without end.
        conn.batch_execute("SET LOCAL idle_in_transaction_session_timeout = 0")?;
    } else {
        AnsiTransactionManager::rollback_transaction(conn)?;
    }
    Ok(acquired)
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

//! A pool of connections, and the one place where blocking queries meet async handlers.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use diesel::{
    Connection, ConnectionResult, PgConnection, RunQueryDsl, SqliteConnection,
    connection::{AnsiTransactionManager, SimpleConnection, TransactionManager},
    r2d2::{CustomizeConnection, Pool},
};
use metrics::{Histogram, histogram};
use service::StartError;
use telemetry::names::DB_WAIT_SECONDS;
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};

use crate::{
    DbConnection, Error, Migrations, StoreConfig,
    after_commit::UnderWay,
    migrate, on_each_backend,
    pool::{Manager, Pooled},
};

/// Connections one process holds per service at most.
const POOL_SIZE: u16 = 8;

/// How long a request waits for a connection.
const PATIENCE: Duration = Duration::from_secs(5);

/// The pool tries to connect anew at least twice as often as this: so soon after a database is back there are connections to it.
const RECONNECT: Duration = Duration::from_secs(2);

/// How long a start waits for a database that is still coming up.
const START_PATIENCE: Duration = Duration::from_secs(8);

/// One service's database.
#[derive(Clone)]
pub struct Db {
    pool: Pool<Manager>,
    /// One turn per connection: who waits for one waits here, and holds no thread meanwhile.
    turns: Arc<Semaphore>,
    /// SQLite has one writer at a time; waiting here is fair and cheap, waiting inside SQLite is neither.
    writer: Option<Arc<Mutex<()>>>,
    /// How long queries wait until they have what they need.
    waits: Histogram,
}

impl Db {
    /// Connects, waiting a few seconds for a database that is still starting, and brings the tables up to date.
    ///
    /// `owner` names the schema (PostgreSQL) or file (SQLite) that this service alone uses.
    pub async fn open(config: &StoreConfig, owner: &'static str, migrations: Migrations) -> Result<Self, StartError> {
        let url = config.url_of(owner)?;
        telemetry::collect_metrics();
        let waits = histogram!(DB_WAIT_SECONDS, "service" => owner);
        let variable = if config.postgres().is_some() { "DATABASE_URL" } else { "DATA_DIR" };
        tokio::task::spawn_blocking(move || {
            let unusable = |cause: String| {
                StartError::Setting(format!(
                    "{variable}: the database of {owner} cannot be used: {}",
                    cause.split_whitespace().collect::<Vec<_>>().join(" ")
                ))
            };
            let mut first = connect_patiently(&url).map_err(unusable)?;
            migrate(&mut first, owner, migrations).map_err(unusable)?;
            let writer = matches!(first, DbConnection::Sqlite(_)).then(Arc::default);
            drop(first);
            let pool = Pool::builder()
                .max_size(POOL_SIZE.into())
                .min_idle(Some(1))
                .connection_timeout(RECONNECT)
                .connection_customizer(Box::new(Prepare))
                .error_handler(Box::new(LogPoolError))
                // That it can be connected to has just been seen.
                .build_unchecked(Manager::new(url));
            Ok(Self { pool, turns: Arc::new(Semaphore::new(POOL_SIZE.into())), writer, waits })
        })
        .await
        .unwrap_or_else(|error| Err(StartError::other(owner, error)))
    }

    /// Runs a query on a blocking thread, inside the caller's span.
    pub async fn run<T, E, F>(&self, query: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
        F: FnOnce(&mut DbConnection) -> Result<T, E> + Send + 'static,
    {
        let turn = self.turn(Instant::now()).await?;
        self.blocking(move |db| {
            let _turn = turn;
            let mut pooled = db.pool.get_timeout(PATIENCE).map_err(|error| Error::Pool(error.to_string()))?;
            let outcome = query(&mut pooled.conn);
            pooled.trust(outcome.is_ok());
            outcome
        })
        .await
    }

    /// Runs writes in one transaction: all of it happens, or nothing. An error rolls back.
    pub async fn write<T, E, F>(&self, writes: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
        F: FnOnce(&mut DbConnection) -> Result<T, E> + Send + 'static,
    {
        let asked = Instant::now();
        let only_writer = match &self.writer {
            Some(writer) => Some(writer.clone().lock_owned().await),
            None => None,
        };
        let turn = self.turn(asked).await?;
        self.blocking(move |db| {
            // Held here, so that a caller who goes away does not let the next one in before this work is done.
            let _held = (only_writer, turn);
            let mut pooled = db.pool.get_timeout(PATIENCE).map_err(|error| Error::Pool(error.to_string()))?;
            let outcome = transact(&mut pooled.conn, writes);
            pooled.trust(outcome.is_ok());
            outcome
        })
        .await
    }

    /// Whether the database answers.
    pub async fn answers(&self) -> bool {
        self.run(|conn| {
            diesel::sql_query("SELECT 1").execute(conn).map_err(Error::from)?;
            Ok::<_, Error>(())
        })
        .await
        .is_ok()
    }

    /// A turn, for who wants one since `asked`.
    async fn turn(&self, asked: Instant) -> Result<OwnedSemaphorePermit, Error> {
        let turn = tokio::time::timeout(PATIENCE, self.turns.clone().acquire_owned()).await;
        self.waits.record(asked.elapsed());
        match turn {
            Ok(Ok(turn)) => Ok(turn),
            Ok(Err(closed)) => Err(Error::Pool(closed.to_string())),
            Err(_) => Err(Error::Pool("every connection is busy".to_owned())),
        }
    }

    async fn blocking<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
        F: FnOnce(Self) -> Result<T, E> + Send + 'static,
    {
        let db = self.clone();
        let (span, request) = (tracing::Span::current(), telemetry::request_id());
        let work = move || {
            let _entered = span.enter();
            let started = Instant::now();
            let outcome = work(db);
            tracing::trace!(duration_ms = started.elapsed().as_secs_f64() * 1000.0, "query ran");
            outcome
        };
        tokio::task::spawn_blocking(move || telemetry::for_request_blocking(request, work))
            .await
            .unwrap_or_else(|_| Err(Error::Cancelled.into()))
    }
}

fn connect_patiently(url: &str) -> Result<DbConnection, String> {
    let started = Instant::now();
    loop {
        let outcome = connect(url)
            .map_err(|error| error.to_string())
            .and_then(|mut conn| prepare(&mut conn).map(|()| conn).map_err(|error| error.to_string()));
        match outcome {
            Ok(conn) => return Ok(conn),
            Err(cause) if started.elapsed() >= START_PATIENCE => return Err(cause),
            Err(_) => std::thread::sleep(Duration::from_millis(500)),
        }
    }
}

/// By engine, not through `DbConnection`: that one tries every engine and keeps no cause.
fn connect(url: &str) -> ConnectionResult<DbConnection> {
    if url.starts_with("postgres") {
        PgConnection::establish(url).map(DbConnection::Postgres)
    } else {
        SqliteConnection::establish(url).map(DbConnection::Sqlite)
    }
}

/// SQLite: readers beside a writer, a committed write survives the process and the power, a busy file is waited for, and
/// pages are read where the system keeps them: at a million rows a random draw costs half as much as by reading them over.
///
/// PostgreSQL: a page anywhere costs what the next page does, as it does in memory and on anything but spinning disks. Left to itself
/// the planner walks a whole small table for each category of a home page, which takes twice as long; at 1.1 it still collects and sorts
/// what an index has in order, which takes half as long again.
fn prepare(conn: &mut DbConnection) -> diesel::QueryResult<()> {
    match conn {
        DbConnection::Sqlite(conn) => conn.batch_execute(
            "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
             PRAGMA foreign_keys = ON; PRAGMA mmap_size = 1073741824;",
        ),
        DbConnection::Postgres(conn) => conn.batch_execute("SET random_page_cost = 1"),
    }
}

#[derive(Debug)]
struct Prepare;

impl CustomizeConnection<Pooled, diesel::r2d2::Error> for Prepare {
    fn on_acquire(&self, pooled: &mut Pooled) -> Result<(), diesel::r2d2::Error> {
        prepare(&mut pooled.conn).map_err(diesel::r2d2::Error::QueryError)
    }
}

#[derive(Debug)]
struct LogPoolError;

impl<E: std::error::Error> diesel::r2d2::HandleError<E> for LogPoolError {
    fn handle_error(&self, error: E) {
        tracing::warn!(error = %error.to_string().trim(), "the pool could not open a database connection");
    }
}

/// All of it, or nothing.
fn transact<T, E: From<Error>>(
    conn: &mut DbConnection,
    writes: impl FnOnce(&mut DbConnection) -> Result<T, E>,
) -> Result<T, E> {
    begin(conn).map_err(Error::from)?;
    let under_way = UnderWay::begin();
    // A panic between here and the commit drops the connection, and with it the transaction.
    match writes(conn) {
        Ok(done) => {
            commit(conn).map_err(Error::from)?;
            under_way.committed();
            Ok(done)
        }
        Err(error) => {
            // Where the connection is lost the database rolls back by itself.
            if let Err(cause) = rollback(conn) {
                tracing::warn!(error = %cause, "a rollback failed");
            }
            Err(error)
        }
    }
}

fn begin(conn: &mut DbConnection) -> diesel::QueryResult<()> {
    match conn {
        DbConnection::Postgres(conn) => AnsiTransactionManager::begin_transaction(conn),
        // Taken at once, not at the first write: a deferred transaction that reads first can fail as "locked" later.
        DbConnection::Sqlite(conn) => AnsiTransactionManager::begin_transaction_sql(conn, "BEGIN IMMEDIATE"),
    }
}

fn commit(conn: &mut DbConnection) -> diesel::QueryResult<()> {
    on_each_backend!(conn, conn => AnsiTransactionManager::commit_transaction(conn))
}

fn rollback(conn: &mut DbConnection) -> diesel::QueryResult<()> {
    on_each_backend!(conn, conn => AnsiTransactionManager::rollback_transaction(conn))
}

//! A connection pool that runs blocking queries for async handlers.

use std::{
    sync::{Arc, Mutex as StdMutex},
    time::{Duration, Instant},
};

use diesel::{
    RunQueryDsl,
    connection::{AnsiTransactionManager, TransactionManager},
    r2d2::Pool,
};
use metrics::{Histogram, histogram};
use service::{StartError, machine};
use telemetry::names::DB_WAIT_SECONDS;
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};

use crate::{
    DbConnection, Error, Migrations, StoreConfig, after_commit::PendingWork, migrations::migrate_once, on_each_backend,
    pool::Manager,
};

/// How long a request waits for a connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

/// The pool retries a failed connection at least twice within this time, so it recovers soon after the database does.
const RECONNECT: Duration = Duration::from_secs(2);

/// One service's database.
#[derive(Clone)]
pub struct Db {
    pool: Pool<Manager>,
    /// One permit per connection: a request waits here without blocking a thread.
    permits: Arc<Semaphore>,
    /// SQLite allows one writer at a time. This mutex is fair; waiting inside SQLite is polling and can starve a writer.
    writer: Option<Arc<Mutex<()>>>,
    /// How long queries wait for a connection.
    waits: Histogram,
}

impl Db {
    /// Connects, waiting a few seconds for a database that is still starting, and brings the tables up to date.
    ///
    /// `owner` names the schema (PostgreSQL) or file (SQLite) that this service alone uses.
    pub async fn open(config: &StoreConfig, owner: &'static str, migrations: Migrations) -> Result<Self, StartError> {
        let connector = config.connector(owner)?;
        telemetry::collect_metrics();
        let connections = config.database_connections;
        let waits = histogram!(DB_WAIT_SECONDS, "service" => owner);
        let variable = if config.postgres().is_some() { "DATABASE_URL" } else { "DATA_DIR" };
        machine::blocking(move || {
            let unusable = |cause: String| {
                StartError::Setting(format!(
                    "{variable}: the database of {owner} cannot be used: {}",
                    cause.split_whitespace().collect::<Vec<_>>().join(" ")
                ))
            };
            let (connector, mut first) = connector.start().map_err(unusable)?;
            migrate_once(&connector, &mut first, migrations).map_err(unusable)?;
            let writer = matches!(first, DbConnection::Sqlite(_)).then(Arc::default);
            let pool = Pool::builder()
                .max_size(connections.into())
                // A spare one, unless it would be a third of all.
                .min_idle(Some(u32::from(connections > 3)))
                .connection_timeout(RECONNECT)
                .error_handler(Box::new(LogPoolError))
                // `first` has just shown that the database accepts connections.
                .build_unchecked(Manager { connector, first: StdMutex::new(Some(first)) });
            Ok(Self { pool, permits: Arc::new(Semaphore::new(connections.into())), writer, waits })
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
        let permit = self.permit(Instant::now()).await?;
        self.blocking(move |db| {
            let _permit = permit;
            let mut pooled = db.pool.get_timeout(ACQUIRE_TIMEOUT).map_err(|error| Error::Pool(error.to_string()))?;
            let outcome = query(&mut pooled.conn);
            pooled.record_outcome(outcome.is_ok());
            outcome
        })
        .await
    }

    /// Runs `writes` in one transaction. An error rolls back.
    pub async fn write<T, E, F>(&self, writes: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
        F: FnOnce(&mut DbConnection) -> Result<T, E> + Send + 'static,
    {
        self.transaction(commit, writes).await
    }

    /// Runs `work` in one transaction that is always rolled back: what it writes, only its own queries see.
    pub async fn write_and_undo<T, E, F>(&self, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
        F: FnOnce(&mut DbConnection) -> Result<T, E> + Send + 'static,
    {
        self.transaction(rollback, work).await
    }

    /// Runs `writes` in one transaction, which `end` ends.
    async fn transaction<T, E, F>(&self, end: End, writes: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
        F: FnOnce(&mut DbConnection) -> Result<T, E> + Send + 'static,
    {
        let started = Instant::now();
        let only_writer = match &self.writer {
            Some(writer) => Some(writer.clone().lock_owned().await),
            None => None,
        };
        let permit = self.permit(started).await?;
        self.blocking(move |db| {
            // Kept until the work is done, also when the caller is cancelled before.
            let _permits = (only_writer, permit);
            let mut pooled = db.pool.get_timeout(ACQUIRE_TIMEOUT).map_err(|error| Error::Pool(error.to_string()))?;
            let outcome = transact(&mut pooled.conn, end, writes);
            pooled.record_outcome(outcome.is_ok());
            outcome
        })
        .await
    }

    /// Whether the database responds.
    pub async fn is_reachable(&self) -> bool {
        self.run(|conn| {
            diesel::sql_query("SELECT 1").execute(conn).map_err(Error::from)?;
            Ok::<_, Error>(())
        })
        .await
        .is_ok()
    }

    /// Acquires a connection permit; records the wait since `started`.
    async fn permit(&self, started: Instant) -> Result<OwnedSemaphorePermit, Error> {
        let permit = tokio::time::timeout(ACQUIRE_TIMEOUT, self.permits.clone().acquire_owned()).await;
        self.waits.record(started.elapsed());
        match permit {
            Ok(Ok(permit)) => Ok(permit),
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
        machine::blocking(move || telemetry::for_request_blocking(request, work))
            .await
            .unwrap_or_else(|_| Err(Error::Cancelled.into()))
    }
}

#[derive(Debug)]
struct LogPoolError;

impl<E: std::error::Error> diesel::r2d2::HandleError<E> for LogPoolError {
    fn handle_error(&self, error: E) {
        tracing::warn!(error = %error.to_string().trim(), "the pool could not open a database connection");
    }
}

/// Ends a transaction: `commit` or `rollback`.
type End = fn(&mut DbConnection) -> diesel::QueryResult<Ended>;

/// How a transaction ended.
#[derive(PartialEq, Eq)]
enum Ended {
    Committed,
    RolledBack,
}

/// Runs `writes` in a transaction.
fn transact<T, E: From<Error>>(
    conn: &mut DbConnection,
    end: End,
    writes: impl FnOnce(&mut DbConnection) -> Result<T, E>,
) -> Result<T, E> {
    begin(conn).map_err(Error::from)?;
    let pending_work = PendingWork::begin();
    // A panic before the commit drops the connection, and with it the transaction.
    match writes(conn) {
        Ok(done) => {
            if end(conn).map_err(Error::from)? == Ended::Committed {
                pending_work.committed();
            }
            Ok(done)
        }
        Err(error) => {
            // If the connection is lost, the database rolls back by itself.
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
        // Locks for writing at the start: a deferred transaction that reads first can later fail with "database is locked".
        DbConnection::Sqlite(conn) => AnsiTransactionManager::begin_transaction_sql(conn, "BEGIN IMMEDIATE"),
    }
}

fn commit(conn: &mut DbConnection) -> diesel::QueryResult<Ended> {
    on_each_backend!(conn, conn => AnsiTransactionManager::commit_transaction(conn))?;
    Ok(Ended::Committed)
}

fn rollback(conn: &mut DbConnection) -> diesel::QueryResult<Ended> {
    on_each_backend!(conn, conn => AnsiTransactionManager::rollback_transaction(conn))?;
    Ok(Ended::RolledBack)
}

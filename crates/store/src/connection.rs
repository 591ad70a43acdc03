//! One connection type over both engines, and how connections are opened.

use std::time::{Duration, Instant};

use diesel::{
    Connection, ConnectionError, ConnectionResult, PgConnection, QueryResult, RunQueryDsl, SqliteConnection,
    connection::{CacheSize, SimpleConnection},
    sql_types::Text,
};

/// How long a start waits for a database that is still starting.
const START_TIMEOUT: Duration = Duration::from_secs(8);

/// Has OpenSSL, by which libpq speaks TLS, leave its tables alone when the process ends: it would free them while other threads still have
/// connections, and the process would end by a crash. Comes before the first connection to PostgreSQL.
pub fn init_tls() {
    openssl_sys::init();
}

/// A connection to the engine that the URL names.
#[derive(diesel::MultiConnection)]
pub enum DbConnection {
    /// `postgres://…`
    Postgres(PgConnection),
    /// A file's path. Last, because SQLite takes any string for a path.
    Sqlite(SqliteConnection),
}

/// Opens connections to one owner's tables.
#[derive(Clone)]
pub(crate) struct Connector {
    /// The schema on PostgreSQL.
    pub owner: &'static str,
    /// A URL of libpq, or a file's path.
    pub url: String,
    /// PostgreSQL: statements are sent without names, for a pooler that does not keep named ones.
    pub unnamed_statements: bool,
}

impl Connector {
    /// Opens a connection.
    pub fn connect(&self) -> ConnectionResult<DbConnection> {
        // By engine and not through `DbConnection`, which tries every engine and loses the error.
        if self.url.starts_with("postgres") {
            init_tls();
            let mut conn = PgConnection::establish(&self.url)?;
            if self.unnamed_statements {
                conn.set_prepared_statement_cache_size(CacheSize::Disabled);
            }
            return Ok(DbConnection::Postgres(conn));
        }
        let mut conn = SqliteConnection::establish(&self.url)?;
        // WAL lets readers run beside a writer; committed writes survive a crash or power loss; a locked file is retried; and mmap
        // halves the cost of random reads at a million rows.
        conn.batch_execute(
            "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
             PRAGMA foreign_keys = ON; PRAGMA mmap_size = 1073741824;",
        )
        .map_err(ConnectionError::CouldntSetupConfiguration)?;
        Ok(DbConnection::Sqlite(conn))
    }

    /// The first connection, and the way to open more: waits a few seconds for a database that is still starting.
    pub fn start(self) -> Result<(Self, DbConnection), String> {
        let started = Instant::now();
        loop {
            match self.clone().connect_to_schema() {
                Ok(done) => return Ok(done),
                Err(cause) if started.elapsed() >= START_TIMEOUT => return Err(cause),
                Err(_) => std::thread::sleep(Duration::from_millis(500)),
            }
        }
    }

    /// A connection whose statements reach the owner's schema and no other.
    ///
    /// A role of the service's own names the schema itself (`ALTER ROLE … SET search_path`), which also holds behind a pooler. For any
    /// other role the connection asks for it when it opens, which poolers refuse or ignore.
    fn connect_to_schema(mut self) -> Result<(Self, DbConnection), String> {
        let mut conn = self.connect().map_err(|error| error.to_string())?;
        if self.search_path(&mut conn)?.is_some_and(|path| path != self.owner) {
            self.url.push_str(&format!("&options=-csearch_path%3D{}%20-crandom_page_cost%3D1", self.owner));
            conn = self.connect().map_err(|error| {
                let cause = error.to_string();
                if cause.contains("startup parameter") { format!("{cause}: {ROLE_HINT}") } else { cause }
            })?;
            if let Some(path) = self.search_path(&mut conn)?.filter(|path| path != self.owner) {
                return Err(format!("the search_path is {path} and not {}: {ROLE_HINT}", self.owner));
            }
        }
        Ok((self, conn))
    }

    /// The schemas that statements look for tables in; `None` on SQLite.
    fn search_path(&self, conn: &mut DbConnection) -> Result<Option<String>, String> {
        let DbConnection::Postgres(conn) = conn else { return Ok(None) };
        let row: QueryResult<SearchPath> =
            diesel::sql_query("SELECT current_setting('search_path') AS path").get_result(conn);
        row.map(|row| Some(row.path)).map_err(|error| error.to_string())
    }
}

/// What to do where a pooler drops the options of a connection.
const ROLE_HINT: &str = "behind a pooler each service needs a role of its own, as deploy/roles makes them";

#[derive(diesel::QueryableByName)]
struct SearchPath {
    #[diesel(sql_type = Text)]
    path: String,
}

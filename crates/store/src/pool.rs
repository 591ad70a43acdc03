//! Opens the pool's connections, and tests each before use unless it was tested within the last second.

use std::{
    sync::Mutex,
    time::{Duration, Instant},
};

use diesel::r2d2::{Error, ManageConnection, R2D2Connection};

use crate::{DbConnection, connection::Connector};

/// How long a tested connection counts as valid. A test costs a query; without one, a request may get a connection that the
/// database has closed.
const VALID_FOR: Duration = Duration::from_secs(1);

/// Opens connections and tests them.
pub(crate) struct Manager {
    pub connector: Connector,
    /// The connection by which the tables were brought up to date, which the pool has first.
    pub first: Mutex<Option<DbConnection>>,
}

/// A connection and the time of its last test.
pub(crate) struct Pooled {
    pub conn: DbConnection,
    /// `None`: it must be tested before its next use.
    last_tested: Option<Instant>,
}

impl Pooled {
    /// Records whether a query succeeded. After a failure the connection may be broken, and diesel does not tell the pool.
    pub fn record_outcome(&mut self, succeeded: bool) {
        if !succeeded {
            self.last_tested = None;
        }
    }
}

impl ManageConnection for Manager {
    type Connection = Pooled;
    type Error = Error;

    fn connect(&self) -> Result<Pooled, Error> {
        let first = self.first.lock().ok().and_then(|mut first| first.take());
        let conn = first.map_or_else(|| self.connector.connect(), Ok).map_err(Error::ConnectionError)?;
        Ok(Pooled { conn, last_tested: Some(Instant::now()) })
    }

    fn is_valid(&self, pooled: &mut Pooled) -> Result<(), Error> {
        if pooled.last_tested.is_none_or(|at| at.elapsed() >= VALID_FOR) {
            pooled.conn.ping().map_err(Error::QueryError)?;
            pooled.last_tested = Some(Instant::now());
        }
        Ok(())
    }

    fn has_broken(&self, pooled: &mut Pooled) -> bool {
        std::thread::panicking() || pooled.conn.is_broken()
    }
}

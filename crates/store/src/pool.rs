//! The pool's connections: each is tested before it is handed out, but not one that answered a moment ago.

use std::time::{Duration, Instant};

use diesel::r2d2::{ConnectionManager, Error, ManageConnection};

use crate::DbConnection;

/// How long a connection that answered is trusted: a test costs a question of its own, and after a database's restart
/// a trusted connection costs somebody an error.
const TRUSTED: Duration = Duration::from_secs(1);

/// Opens connections and tests them.
pub(crate) struct Manager(ConnectionManager<DbConnection>);

/// A connection, and when it last answered a test.
pub(crate) struct Pooled {
    pub conn: DbConnection,
    /// `None`: whoever gets it next has to test it.
    answered: Option<Instant>,
}

impl Pooled {
    /// Notes how its work went. Where something failed it may be the connection that did, and diesel does not tell the pool.
    pub fn trust(&mut self, went_well: bool) {
        if !went_well {
            self.answered = None;
        }
    }
}

impl Manager {
    /// For the database at `url`.
    pub fn new(url: String) -> Self {
        Self(ConnectionManager::new(url))
    }
}

impl ManageConnection for Manager {
    type Connection = Pooled;
    type Error = Error;

    fn connect(&self) -> Result<Pooled, Error> {
        Ok(Pooled { conn: self.0.connect()?, answered: Some(Instant::now()) })
    }

    fn is_valid(&self, pooled: &mut Pooled) -> Result<(), Error> {
        if pooled.answered.is_none_or(|at| at.elapsed() >= TRUSTED) {
            self.0.is_valid(&mut pooled.conn)?;
            pooled.answered = Some(Instant::now());
        }
        Ok(())
    }

    fn has_broken(&self, pooled: &mut Pooled) -> bool {
        self.0.has_broken(&mut pooled.conn)
    }
}

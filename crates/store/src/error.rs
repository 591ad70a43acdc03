//! Why the database could not answer: what passes by itself is told from what does not.

use diesel::result::{DatabaseErrorInformation, DatabaseErrorKind, Error as DieselError};
use service::Problem;

/// After how many seconds a client may ask again for what the database could not do just now.
const RETRY_AFTER_SECONDS: u64 = 2;

/// How PostgreSQL and SQLite say that there is no room left; diesel does not pass on PostgreSQL's code for it (53100).
const NO_ROOM: [&str; 2] = ["No space left on device", "database or disk is full"];

/// Why the database could not answer; the text is for the log, never for a client.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// No connection could be had.
    #[error("no database connection: {0}")]
    Pool(String),
    /// The database went away in the middle, or cannot write just now. Whether a commit that was under way is done, nobody knows.
    #[error("the database is away: {0}")]
    Away(String),
    /// The database refused a statement.
    #[error("database: {0}")]
    Query(String),
    /// What we were asked for is not there.
    #[error("no such row")]
    NotFound,
    /// The blocking thread ended early.
    #[error("the query's thread was cancelled")]
    Cancelled,
}

impl From<DieselError> for Error {
    fn from(error: DieselError) -> Self {
        match error {
            DieselError::NotFound => Self::NotFound,
            // What diesel says once a connection has broken within a transaction.
            DieselError::BrokenTransactionManager => Self::Away(error.to_string()),
            // The rollback fails because the commit has; the commit's own failure tells why.
            DieselError::RollbackErrorOnCommit { commit_error, .. } => Self::from(*commit_error),
            DieselError::DatabaseError(kind, said) if passes(kind, said.as_ref()) => {
                Self::Away(said.message().trim().to_owned())
            }
            other => Self::Query(other.to_string()),
        }
    }
}

/// Whether the same statement may well succeed a moment later.
fn passes(kind: DatabaseErrorKind, said: &(dyn DatabaseErrorInformation + Send + Sync)) -> bool {
    match kind {
        // Stopped, crashed, or failed over to: the connection is of no more use, the next one may be.
        DatabaseErrorKind::ClosedConnection
        | DatabaseErrorKind::UnableToSendCommand
        | DatabaseErrorKind::ReadOnlyTransaction => true,
        _ => NO_ROOM.iter().any(|words| said.message().contains(words)),
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::NotFound => Self::not_found("There is no such thing."),
            Error::Pool(_) | Error::Away(_) => {
                Self::unavailable("We are busy right now. Please try again in a moment.", RETRY_AFTER_SECONDS, error)
            }
            Error::Query(_) | Error::Cancelled => Self::internal(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(error: DieselError) -> u16 {
        Problem::from(Error::from(error)).status().as_u16()
    }

    fn said(kind: DatabaseErrorKind, text: &str) -> DieselError {
        DieselError::DatabaseError(kind, Box::new(text.to_owned()))
    }

    #[test]
    fn what_passes_by_itself_is_unavailable_and_the_rest_is_our_fault() {
        let lost = || said(DatabaseErrorKind::ClosedConnection, "server closed the connection unexpectedly");
        for passing in [
            lost(),
            said(DatabaseErrorKind::UnableToSendCommand, "no connection to the server"),
            said(DatabaseErrorKind::ReadOnlyTransaction, "cannot execute INSERT in a read-only transaction"),
            said(DatabaseErrorKind::Unknown, "could not extend file \"base/5/16384\": No space left on device"),
            said(DatabaseErrorKind::Unknown, "database or disk is full"),
            DieselError::BrokenTransactionManager,
            DieselError::RollbackErrorOnCommit { rollback_error: Box::new(lost()), commit_error: Box::new(lost()) },
        ] {
            assert_eq!(status(passing), 503);
        }
        for ours in [
            said(DatabaseErrorKind::Unknown, "relation \"memes\" does not exist"),
            said(DatabaseErrorKind::UniqueViolation, "duplicate key value"),
            DieselError::NotInTransaction,
        ] {
            assert_eq!(status(ours), 500);
        }
        assert_eq!(status(DieselError::NotFound), 404);
    }
}

//! Why a query failed: transient errors are told apart from bugs.

use diesel::result::{DatabaseErrorInformation, DatabaseErrorKind, Error as DieselError};
use service::{Message, Problem};

/// `Retry-After` of a transient error, in seconds.
const RETRY_AFTER_SECONDS: u64 = 2;

/// The messages of PostgreSQL and SQLite for a full disk; diesel does not expose PostgreSQL's error code (53100).
const DISK_FULL: [&str; 2] = ["No space left on device", "database or disk is full"];

/// How PostgreSQL begins to say that diesel's named statement is not there, or is another connection's.
const LOST_STATEMENT: &str = "prepared statement \"__diesel_stmt_";

/// Why a query failed. The text is for the log, never for a client.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// No connection became available.
    #[error("no database connection: {0}")]
    Pool(String),
    /// The connection was lost, or the database cannot write now. The outcome of a commit in progress is unknown.
    #[error("the database is away: {0}")]
    Unavailable(String),
    /// The database refused a statement.
    #[error("database: {0}")]
    Query(String),
    /// The row does not exist.
    #[error("no such row")]
    NotFound,
    /// The blocking task was cancelled.
    #[error("the query's thread was cancelled")]
    Cancelled,
}

impl From<DieselError> for Error {
    fn from(error: DieselError) -> Self {
        match error {
            DieselError::NotFound => Self::NotFound,
            // diesel's error after a connection breaks within a transaction.
            DieselError::BrokenTransactionManager => Self::Unavailable(error.to_string()),
            // The rollback fails because the commit did; the commit's error has the cause.
            DieselError::RollbackErrorOnCommit { commit_error, .. } => Self::from(*commit_error),
            DieselError::DatabaseError(kind, info) if is_transient(kind, info.as_ref()) => {
                Self::Unavailable(info.message().trim().to_owned())
            }
            DieselError::DatabaseError(_, info) if info.message().starts_with(LOST_STATEMENT) => Self::Query(format!(
                "{}: a pooler between keeps no named statements, which UNNAMED_STATEMENTS=1 does without",
                info.message()
            )),
            other => Self::Query(other.to_string()),
        }
    }
}

/// Whether the same statement may succeed when it is retried.
fn is_transient(kind: DatabaseErrorKind, info: &(dyn DatabaseErrorInformation + Send + Sync)) -> bool {
    match kind {
        // The server stopped, crashed or failed over: this connection is unusable, a new one may work.
        DatabaseErrorKind::ClosedConnection
        | DatabaseErrorKind::UnableToSendCommand
        | DatabaseErrorKind::ReadOnlyTransaction => true,
        _ => DISK_FULL.iter().any(|words| info.message().contains(words)),
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::NotFound => Self::not_found(Message::new("no-such-row")),
            Error::Pool(_) | Error::Unavailable(_) => {
                Self::unavailable(Message::new("busy"), RETRY_AFTER_SECONDS, error)
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

    fn database_error(kind: DatabaseErrorKind, text: &str) -> DieselError {
        DieselError::DatabaseError(kind, Box::new(text.to_owned()))
    }

    #[test]
    fn problem_of_transient_error_is_503_and_of_others_500() {
        let lost = || database_error(DatabaseErrorKind::ClosedConnection, "server closed the connection unexpectedly");
        for transient in [
            lost(),
            database_error(DatabaseErrorKind::UnableToSendCommand, "no connection to the server"),
            database_error(DatabaseErrorKind::ReadOnlyTransaction, "cannot execute INSERT in a read-only transaction"),
            database_error(
                DatabaseErrorKind::Unknown,
                "could not extend file \"base/5/16384\": No space left on device",
            ),
            database_error(DatabaseErrorKind::Unknown, "database or disk is full"),
            DieselError::BrokenTransactionManager,
            DieselError::RollbackErrorOnCommit { rollback_error: Box::new(lost()), commit_error: Box::new(lost()) },
        ] {
            assert_eq!(status(transient), 503);
        }
        for permanent in [
            database_error(DatabaseErrorKind::Unknown, "relation \"memes\" does not exist"),
            database_error(DatabaseErrorKind::UniqueViolation, "duplicate key value"),
            DieselError::NotInTransaction,
        ] {
            assert_eq!(status(permanent), 500);
        }
        assert_eq!(status(DieselError::NotFound), 404);
    }
}

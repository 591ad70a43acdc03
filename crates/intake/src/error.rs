//! What can go wrong when editors' work comes in, and what they are told of it.

use actix_web::{HttpResponse, ResponseError, http::StatusCode};
use service::Problem;

/// An error of one of the editors' calls.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// No brand of the catalogue's kind has that service name.
    #[error("unknown service")]
    UnknownService,
    /// No import of that id is open.
    #[error("unknown import")]
    UnknownImport,
    /// What was sent is against a rule.
    #[error(transparent)]
    Refused(#[from] Problem),
    /// The database could not answer.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl From<diesel::result::Error> for Error {
    fn from(error: diesel::result::Error) -> Self {
        Self::Store(error.into())
    }
}

impl From<&Error> for Problem {
    fn from(error: &Error) -> Self {
        match error {
            Error::UnknownService => Self::not_found("There is no such service."),
            Error::UnknownImport => Self::not_found("There is no such import; one that is a day old is forgotten."),
            Error::Refused(problem) => problem.clone(),
            Error::Store(error) => error.clone().into(),
        }
    }
}

impl ResponseError for Error {
    fn status_code(&self) -> StatusCode {
        Problem::from(self).status()
    }

    fn error_response(&self) -> HttpResponse {
        Problem::from(self).response()
    }
}

//! What can go wrong in a catalogue's service, and what a client is told of it.

use actix_web::{HttpResponse, ResponseError, http::StatusCode};
use service::Problem;

/// An error of one call.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// There is no such thing: a `service` of that name, an `artist` of that id.
    #[error("unknown {0}")]
    Unknown(&'static str),
    /// The request is against a rule.
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
            Error::Unknown(thing) => Self::not_found(format!("There is no such {thing}.")),
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

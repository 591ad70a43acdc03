//! Errors of a catalogue service, and the problems they become.

use actix_web::{HttpResponse, ResponseError, http::StatusCode};
use service::{Message, Problem};

/// An error of one call.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// Not found: a `service` with that name, an `artist` with that id.
    #[error("unknown: {0:?}")]
    Unknown(Message),
    /// The request is invalid.
    #[error(transparent)]
    Rejected(#[from] Problem),
    /// The query failed.
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
            Error::Unknown(message) => Self::not_found(*message),
            Error::Rejected(problem) => problem.clone(),
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

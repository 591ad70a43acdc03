//! What can go wrong in a catalogue, and what a client is told of it.

use actix_web::{HttpResponse, ResponseError, http::StatusCode};
use service::Problem;

/// An error of one catalogue call.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// No brand of this kind has that service name.
    #[error("unknown service")]
    UnknownService,
    /// No artist has that id.
    #[error("unknown artist")]
    UnknownArtist,
    /// No video has that id.
    #[error("unknown video")]
    UnknownVideo,
    /// The request was refused before it came to a query.
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
            Error::UnknownArtist => Self::not_found("There is no such artist."),
            Error::UnknownVideo => Self::not_found("There is no such video."),
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

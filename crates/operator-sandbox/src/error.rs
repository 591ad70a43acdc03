//! What can go wrong in the sandbox.

use actix_web::{HttpResponse, ResponseError, http::StatusCode};
use web::Problem;

/// An error of one call.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The text is no South African mobile number.
    #[error("not a number")]
    InvalidMsisdn,
    /// This network bills no such service.
    #[error("unknown service")]
    UnknownService,
    /// The page to return to is no address on the web.
    #[error("bad return_url")]
    BadReturnUrl,
    /// No opt-in of that reference.
    #[error("unknown opt-in")]
    UnknownOptIn,
    /// Not a calendar day.
    #[error("not a day")]
    BadDay,
    /// An SMS that is no command.
    #[error("not a command")]
    UnknownCommand,
    /// A reply could not be written.
    #[error("{0}")]
    Unwritable(String),
    /// The database could not answer.
    #[error(transparent)]
    Store(#[from] store::Error),
}

impl From<diesel::result::Error> for Error {
    fn from(error: diesel::result::Error) -> Self {
        Self::Store(error.into())
    }
}

impl From<identity::InvalidMsisdn> for Error {
    fn from(_: identity::InvalidMsisdn) -> Self {
        Self::InvalidMsisdn
    }
}

impl From<&Error> for Problem {
    fn from(error: &Error) -> Self {
        match error {
            Error::InvalidMsisdn => Self::unprocessable("That is not a South African mobile number."),
            Error::UnknownService => Self::unprocessable("This network bills no such service."),
            Error::BadReturnUrl => Self::unprocessable("The return_url must be an http or https address."),
            Error::UnknownOptIn => Self::not_found("There is no such opt-in."),
            Error::BadDay => Self::unprocessable("The day must be written YYYY-MM-DD."),
            Error::UnknownCommand => Self::unprocessable("The network understands only STOP."),
            Error::Unwritable(cause) => Self::internal(cause),
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

//! What can go wrong in the sandbox.

use actix_web::{HttpResponse, ResponseError, http::StatusCode};
use service::Problem;

use crate::faults;

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
    /// Not a page's size.
    #[error("not a limit")]
    BadLimit,
    /// Not a key of a charge or refund.
    #[error("not a key")]
    BadKey,
    /// The key names something else already.
    #[error("a key used for something else")]
    KeyUsed,
    /// Nothing, or less, to charge or give back.
    #[error("not an amount")]
    BadAmount,
    /// A reason that is too long, or of more than a line.
    #[error("not a reason")]
    BadReason,
    /// No charge of that key.
    #[error("unknown charge")]
    UnknownCharge,
    /// More to be given back than was taken.
    #[error("more than was charged")]
    MoreThanCharged,
    /// The clock is not to be moved here.
    #[error("the clock is fixed")]
    ClockFixed,
    /// The clock moves forward only.
    #[error("the clock moves forward only")]
    ClockBack,
    /// `brands.toml` has no network of that name.
    #[error("unknown network")]
    UnknownNetwork,
    /// The network does not give this charge back.
    #[error("refund refused")]
    RefundRefused,
    /// The network does not deliver to this number.
    #[error("SMS refused")]
    SmsRefused,
    /// The network fails on purpose.
    #[error("failed on purpose")]
    FailedOnPurpose,
    /// The network is busy.
    #[error("unavailable")]
    Unavailable,
    /// The network is busy with this charge.
    #[error("busy")]
    Busy,
    /// The network has had as many charges as it takes in a second.
    #[error("too many")]
    TooMany,
    /// The network left the call without an answer.
    #[error("hung on purpose")]
    Hung,
    /// Not 0 to 100.
    #[error("not a percentage")]
    BadPercentage,
    /// The process is ending.
    #[error("stopping")]
    Stopping,
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
            Error::BadLimit => Self::bad_request("The limit must be an integer from 1 to 10000."),
            Error::BadKey => Self::unprocessable("A key is 1 to 128 visible ASCII characters."),
            Error::KeyUsed => Self::unprocessable("The key names something else already."),
            Error::BadAmount => Self::unprocessable("The amount must be at least one cent."),
            Error::BadReason => Self::unprocessable("The reason must be one line of at most 500 characters."),
            Error::UnknownCharge => Self::not_found("There is no such charge."),
            Error::MoreThanCharged => Self::unprocessable("That is more than was charged."),
            Error::ClockFixed => Self::not_found("The clock cannot be moved here."),
            Error::ClockBack => Self::unprocessable("The clock moves forward only."),
            Error::UnknownNetwork => Self::unprocessable("There is no such network."),
            Error::RefundRefused => Self::unprocessable("The network does not give this charge back."),
            Error::SmsRefused => Self::unprocessable("The network does not deliver to this number."),
            Error::FailedOnPurpose => Self::internal("this list fails on purpose"),
            Error::Unavailable | Error::Busy | Error::Hung => faults::unavailable(),
            Error::TooMany => Self::too_many("Too many charges in this second.", 1),
            Error::BadPercentage => Self::unprocessable("The percentage must be from 0 to 100."),
            Error::Stopping => Self::unavailable("The network is stopping.", 2, "stopping"),
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
        match self {
            Self::Hung => faults::cut(),
            _ => Problem::from(self).response(),
        }
    }
}

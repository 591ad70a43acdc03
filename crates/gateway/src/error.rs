//! The gateway's own errors; a service's error responses are passed on.

use http::StatusCode;
use service::Problem;

/// Why a request failed.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("the path can be read in two ways")]
    AmbiguousPath,
    #[error("the host is missing, named twice or malformed")]
    Host,
    #[error("the request's head is too large")]
    HeadTooLarge,
    #[error("the request's body is too large")]
    BodyTooLarge,
    #[error("the request's body took too long")]
    BodyTooSlow,
    #[error("the request's body broke off")]
    BodyBroken,
    #[error("the request's body is not JSON")]
    NotJson,
    #[error("the request's body is not a form")]
    NotAForm,
    #[error("a write from another site")]
    ForeignOrigin,
    #[error("no such method here, only {0}")]
    Method(&'static str),
    #[error("nothing at this address")]
    NotFound,
    #[error("no session that counts")]
    NoSession,
    #[error("the subscription is not active")]
    NotActive,
    #[error("{service} does not answer: {cause}")]
    Unavailable { service: &'static str, cause: String },
    #[error("{service} has more calls under way than it can answer")]
    Busy { service: &'static str },
    #[error("not an image address: {0}")]
    ImageAddress(&'static str),
    #[error("images of that origin are not ours")]
    ImageOrigin,
    #[error("not an image we can show: {0}")]
    NotAnImage(String),
    #[error("too many requests of one address")]
    TooMany { seconds: u64 },
    #[error("too many connections of one address")]
    TooManyConnections,
    #[error("no page of ours, or no figure")]
    Vital,
    #[error("{0}")]
    Internal(String),
}

/// `Retry-After` when a service is unavailable, in seconds.
const RETRY_AFTER_SECONDS: u64 = 2;

impl Error {
    /// The problem that the client gets.
    pub(crate) fn problem(&self) -> Problem {
        match self {
            Self::AmbiguousPath => Problem::bad_request("The address could not be understood."),
            Self::Host => Problem::bad_request("The request must name one host."),
            Self::HeadTooLarge => Problem::new(
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                "head-too-large",
                "The request's headers are too large.",
            ),
            Self::BodyTooLarge => Problem::too_large(),
            Self::BodyTooSlow => {
                Problem::new(StatusCode::REQUEST_TIMEOUT, "too-slow", "The request took too long to arrive.")
            }
            Self::BodyBroken => Problem::bad_request("The body could not be understood."),
            Self::NotJson => Problem::unsupported_media_type(),
            Self::NotAForm => Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "unsupported-media-type",
                "Please send the form itself.",
            ),
            Self::ForeignOrigin => Problem::forbidden("This can only be done from the site itself."),
            Self::Method(allowed) => Problem::method_not_allowed(*allowed),
            Self::NotFound => Problem::not_found("There is nothing at this address."),
            Self::NoSession => Problem::unauthorized(),
            Self::NotActive => Problem::forbidden("Your subscription is not active."),
            Self::Unavailable { .. } => Problem::unavailable(
                "This part of the site is away for a moment. Please try again.",
                RETRY_AFTER_SECONDS,
                self,
            ),
            Self::Busy { .. } => {
                Problem::unavailable("We are busy right now. Please try again in a moment.", RETRY_AFTER_SECONDS, self)
            }
            Self::ImageAddress(detail) => Problem::bad_request(*detail),
            Self::ImageOrigin => Problem::forbidden("Images of that origin are not shown here."),
            Self::NotAnImage(_) => Problem::unprocessable("This is not an image that can be shown."),
            Self::TooMany { seconds } => Problem::too_many(
                "Too many requests come from your connection. Please try again in a moment.",
                *seconds,
            ),
            Self::TooManyConnections => Problem::too_many(
                "Too many connections are open from where you are. Please try again in a moment.",
                RETRY_AFTER_SECONDS,
            ),
            Self::Vital => Problem::unprocessable("This is no figure of a page of ours."),
            Self::Internal(cause) => Problem::internal(cause),
        }
    }
}

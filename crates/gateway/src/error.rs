//! The gateway's own errors; a service's error responses are passed on.

use http::StatusCode;
use service::{Message, Problem};

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
    #[error("the request's body has more than one coding, or another than chunked")]
    BodyCoding,
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
    #[error("not an image address: {0:?}")]
    ImageAddress(Message),
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
            Self::AmbiguousPath => Problem::bad_request(Message::new("malformed-address")),
            Self::Host => Problem::bad_request(Message::new("one-host")),
            Self::HeadTooLarge => Problem::new(
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                "head-too-large",
                Message::new("head-too-large"),
            ),
            Self::BodyTooLarge => Problem::too_large(),
            Self::BodyTooSlow => Problem::new(StatusCode::REQUEST_TIMEOUT, "too-slow", Message::new("too-slow")),
            Self::BodyBroken | Self::BodyCoding => Problem::bad_request(Message::new("malformed-body")),
            Self::NotJson => Problem::unsupported_media_type(),
            Self::NotAForm => {
                Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", Message::new("not-a-form"))
            }
            Self::ForeignOrigin => Problem::forbidden(Message::new("foreign-origin")),
            Self::Method(allowed) => Problem::method_not_allowed(*allowed),
            Self::NotFound => Problem::not_found(Message::new("nothing-here")),
            Self::NoSession => Problem::unauthorized(),
            Self::NotActive => Problem::forbidden(Message::new("subscription-not-active")),
            Self::Unavailable { .. } => {
                Problem::unavailable(Message::new("part-unavailable"), RETRY_AFTER_SECONDS, self)
            }
            Self::Busy { .. } => Problem::unavailable(Message::new("busy"), RETRY_AFTER_SECONDS, self),
            Self::ImageAddress(message) => Problem::bad_request(*message),
            Self::ImageOrigin => Problem::forbidden(Message::new("image-origin")),
            Self::NotAnImage(_) => Problem::unprocessable(Message::new("not-an-image")),
            Self::TooMany { seconds } => Problem::too_many(Message::new("too-many-requests"), *seconds),
            Self::TooManyConnections => Problem::too_many(Message::new("too-many-connections"), RETRY_AFTER_SECONDS),
            Self::Vital => Problem::unprocessable(Message::new("not-our-figure")),
            Self::Internal(cause) => Problem::internal(cause),
        }
    }
}

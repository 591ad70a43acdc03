//! Error responses as RFC 9457 `application/problem+json`; the cause is only logged.

use std::{borrow::Cow, collections::BTreeMap};

use actix_web::{HttpResponse, Responder, ResponseError, http::StatusCode, http::header};
use languages::{Language, Message, StaffText};
use serde::Serialize;
use utoipa::ToSchema;

use crate::current_request_id;

/// An error as a client sees it, and its cause for the log.
#[derive(Clone, Debug)]
pub struct Problem {
    status: StatusCode,
    kind: &'static str,
    detail: Detail,
    hint: Option<Hint>,
    /// Boxed, because most problems have none and a large error makes every `Result` large.
    fields: BTreeMap<String, Detail>,
    cause: Option<String>,
}

/// What happened, for the client.
#[derive(Clone, Debug)]
pub enum Detail {
    /// For visitors, in their language.
    Message(Message),
    /// For staff and machines, in the language of the staff. Boxed, so that errors stay small.
    Staff(Box<StaffText>),
    /// What another program wrote: a parser, another service, an imitated network.
    Verbatim(String),
}

impl Detail {
    /// The text in a language, as far as there is one in it.
    fn text(&self, language: Language) -> Cow<'_, str> {
        match self {
            Self::Message(message) => message.text(language).into(),
            Self::Staff(text) => text.text(language).into(),
            Self::Verbatim(text) => text.into(),
        }
    }
}

impl From<Message> for Detail {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

impl From<StaffText> for Detail {
    fn from(text: StaffText) -> Self {
        Self::Staff(Box::new(text))
    }
}

impl From<&str> for Detail {
    fn from(text: &str) -> Self {
        Self::Verbatim(text.to_owned())
    }
}

impl From<String> for Detail {
    fn from(text: String) -> Self {
        Self::Verbatim(text)
    }
}

/// A header that tells the client what to do next.
#[derive(Clone, Debug)]
enum Hint {
    /// `Retry-After`, in seconds.
    RetryAfter(u64),
    /// `Allow`.
    Allow(String),
    /// `WWW-Authenticate`.
    Authenticate(&'static str),
}

/// The internal cause of a reply, for the access log; never serialised.
#[derive(Clone, Debug)]
pub(crate) struct Cause(pub(crate) String);

/// An error reply: problem details (RFC 9457).
#[derive(Serialize, ToSchema)]
pub(crate) struct Body<'a> {
    /// The type of the problem.
    #[serde(rename = "type")]
    #[schema(pattern = "^urn:spaza:problem:[a-z-]+$", example = "urn:spaza:problem:not-found")]
    kind: String,
    /// The reason phrase of the status.
    title: &'a str,
    /// The reply's status.
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    /// A message for the visitor, in the language of `Content-Language`.
    detail: &'a str,
    /// The same message.
    error_message: &'a str,
    /// The request id, as in the logs.
    #[schema(format = "uuid")]
    request_id: String,
    /// By field of a form, why it is refused; the back office's alone.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(ignore)]
    errors: BTreeMap<&'a str, &'a str>,
}

impl Problem {
    /// A problem of this status; `kind` is the last part of its `type`, `detail` a sentence for the client.
    pub fn new(status: impl Into<u16>, kind: &'static str, detail: impl Into<Detail>) -> Self {
        let status = StatusCode::from_u16(status.into()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self { status, kind, detail: detail.into(), hint: None, fields: BTreeMap::new(), cause: None }
    }

    /// 400: the request could not be understood.
    pub fn bad_request(detail: impl Into<Detail>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed", detail)
    }

    /// The same problem, of one more field of a form: `errors` in the body names it.
    pub fn with_field(mut self, name: impl Into<String>, text: impl Into<Detail>) -> Self {
        self.fields.insert(name.into(), text.into());
        self
    }

    /// What happened, in a language as far as there is a text in it.
    pub fn text(&self, language: Language) -> Cow<'_, str> {
        self.detail.text(language)
    }

    /// The language of the text for a request in `language`.
    pub fn language(&self, language: Language) -> Language {
        match &self.detail {
            Detail::Message(_) => language,
            Detail::Staff(_) => language.of_staff(),
            Detail::Verbatim(_) => Language::ENGLISH,
        }
    }

    /// Seconds after which the client may retry.
    pub fn retry_after_seconds(&self) -> Option<u64> {
        match self.hint {
            Some(Hint::RetryAfter(seconds)) => Some(seconds),
            _ => None,
        }
    }

    /// 401: there is no valid session.
    pub fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "no-session", Message::new("no-session"))
    }

    /// 401: the call needs the admin token, with `WWW-Authenticate` (RFC 6750 section 3).
    pub(crate) fn no_token() -> Self {
        let mut problem = Self::new(StatusCode::UNAUTHORIZED, "no-token", StaffText::new("no-token"));
        problem.hint = Some(Hint::Authenticate("Bearer"));
        problem
    }

    /// 403: the session does not allow this.
    pub fn forbidden(detail: impl Into<Detail>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", detail)
    }

    /// 404: not found.
    pub fn not_found(detail: impl Into<Detail>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", detail)
    }

    /// 405: `allowed` has the methods for an `Allow` header.
    pub fn method_not_allowed(allowed: impl Into<String>) -> Self {
        let mut problem = Self::of_status(StatusCode::METHOD_NOT_ALLOWED);
        problem.hint = Some(Hint::Allow(allowed.into()));
        problem
    }

    /// 409: the current state does not allow this.
    pub fn conflict(detail: impl Into<Detail>) -> Self {
        Self::new(StatusCode::CONFLICT, "conflict", detail)
    }

    /// 413: the body is larger than allowed.
    pub fn too_large() -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", Message::new("too-large"))
    }

    /// 415: the body is not JSON.
    pub fn unsupported_media_type() -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not-json", Message::new("not-json"))
    }

    /// 422: valid, but against a rule.
    pub fn unprocessable(detail: impl Into<Detail>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "refused", detail)
    }

    /// 429: too many calls; the client may retry after `seconds`.
    pub fn too_many(detail: impl Into<Detail>, seconds: u64) -> Self {
        let mut problem = Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many", detail);
        problem.hint = Some(Hint::RetryAfter(seconds));
        problem
    }

    /// 503: a dependency is unavailable; the client may retry after `seconds`. `cause` is only logged.
    pub fn unavailable(detail: impl Into<Detail>, seconds: u64, cause: impl ToString) -> Self {
        let mut problem = Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", detail);
        problem.hint = Some(Hint::RetryAfter(seconds));
        problem.cause = Some(cause.to_string());
        problem
    }

    /// 500: an internal error. `cause` is only logged.
    pub fn internal(cause: impl ToString) -> Self {
        let mut problem = Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", Message::new("went-wrong"));
        problem.cause = Some(cause.to_string());
        problem
    }

    /// The problem for an error status that a library responded with.
    pub fn of_status(status: impl Into<u16>) -> Self {
        match StatusCode::from_u16(status.into()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR) {
            StatusCode::NOT_FOUND => Self::not_found(Message::new("nothing-here")),
            status @ StatusCode::METHOD_NOT_ALLOWED => {
                Self::new(status, "method-not-allowed", Message::new("wrong-method"))
            }
            StatusCode::PAYLOAD_TOO_LARGE => Self::too_large(),
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Self::unsupported_media_type(),
            status @ StatusCode::REQUEST_TIMEOUT => Self::new(status, "too-slow", Message::new("too-slow")),
            status if status.is_server_error() => Self::new(status, "internal", Message::new("went-wrong")),
            status => Self::new(status, "malformed", Message::new("malformed-request")),
        }
    }

    /// The status of the response.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The status as a number.
    pub fn status_code(&self) -> u16 {
        self.status.as_u16()
    }

    /// The body in a language: the problem as JSON, with the id of the current request.
    pub fn json(&self, language: Language) -> Vec<u8> {
        let text = self.text(language);
        let fields: Vec<_> = self.fields.iter().map(|(name, fault)| (name.as_str(), fault.text(language))).collect();
        let body = Body {
            kind: format!("urn:spaza:problem:{}", self.kind),
            title: self.status.canonical_reason().unwrap_or("Error"),
            status: self.status.as_u16(),
            detail: &text,
            error_message: &text,
            request_id: current_request_id(),
            errors: fields.iter().map(|(name, fault)| (*name, &**fault)).collect(),
        };
        // A struct of strings and a number always serialises.
        serde_json::to_vec(&body).unwrap_or_default()
    }

    /// The header that tells the client what to do next: `Retry-After`, `Allow` or `WWW-Authenticate`.
    pub fn header(&self) -> Option<(&'static str, String)> {
        Some(match self.hint.as_ref()? {
            Hint::RetryAfter(seconds) => ("retry-after", seconds.to_string()),
            Hint::Allow(allowed) => ("allow", allowed.clone()),
            Hint::Authenticate(scheme) => ("www-authenticate", (*scheme).to_owned()),
        })
    }

    /// The cause, for the log only.
    pub fn cause(&self) -> Option<&str> {
        self.cause.as_deref()
    }

    /// The whole response of a service, in English. The server writes it in the language of the request.
    pub fn response(&self) -> HttpResponse {
        let mut reply = HttpResponse::build(self.status);
        reply
            .insert_header((header::CONTENT_TYPE, "application/problem+json"))
            .insert_header((header::CACHE_CONTROL, "no-store"))
            .insert_header((header::CONTENT_LANGUAGE, Language::ENGLISH.code()))
            .insert_header((header::VARY, "accept-language"));
        if let Some(hint) = self.header() {
            reply.insert_header(hint);
        }
        let mut reply = reply.body(self.json(Language::ENGLISH));
        reply.extensions_mut().insert(self.clone());
        if let Some(cause) = &self.cause {
            reply.extensions_mut().insert(Cause(cause.clone()));
        }
        reply
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.status.as_u16(), self.text(Language::ENGLISH))
    }
}

impl std::error::Error for Problem {}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        self.status
    }

    fn error_response(&self) -> HttpResponse {
        self.response()
    }
}

impl Responder for Problem {
    type Body = actix_web::body::BoxBody;

    fn respond_to(self, _: &actix_web::HttpRequest) -> HttpResponse {
        self.response()
    }
}

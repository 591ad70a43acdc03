//! For every request: its id, its log line and its span; and every error response becomes a problem.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Instant,
};

use actix_web::{
    Error, HttpMessage, HttpRequest,
    body::{BodySize, BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        Method,
        header::{self, HeaderName, HeaderValue},
    },
    middleware::Next,
};
use bytes::Bytes;
use languages::Language;
use tracing::{Instrument, Span, field::Empty};
use uuid::Uuid;

use crate::{Problem, problem::Cause, route};

/// The header with the request's id, between gateway and services and back to the client.
pub const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The id of the current request; outside of one, the nil id.
pub fn current_request_id() -> String {
    let id = telemetry::request_id().unwrap_or_default();
    id.hyphenated().encode_lower(&mut Uuid::encode_buffer()).to_owned()
}

/// The id from the request's header, or a new one.
pub fn request_id(sent: Option<&[u8]>) -> Uuid {
    sent.and_then(|value| Uuid::try_parse_ascii(value).ok()).unwrap_or_else(Uuid::new_v4)
}

tokio::task_local! {
    /// The `Accept-Language` of the current request.
    static ACCEPTED: Option<HeaderValue>;
}

pub(crate) async fn observe(
    req: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    // Only the gateway calls services, and it sets the header.
    let id = request_id(req.headers().get(&REQUEST_ID_HEADER).map(HeaderValue::as_bytes));
    let span = match telemetry::traced() {
        true => request_span(id, req.headers().get(telemetry::TRACE_PARENT).and_then(|value| value.to_str().ok())),
        false => Span::none(),
    };
    let accepted = req.headers().get(header::ACCEPT_LANGUAGE).cloned();
    let handled = telemetry::for_request(id, observed(req, next, id).instrument(span));
    ACCEPTED.scope(accepted, handled).await
}

/// Handles a request, counts it and logs it.
async fn observed(
    req: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    id: Uuid,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let method = req.method().clone();
    let started = Instant::now();
    let mut reply = respond(req, next).await?;
    let cause = reply.response().extensions().get::<Cause>().map(|cause| cause.0.clone());
    route::count(&reply, started.elapsed());
    let (word, status) = (route::method_word(method.as_str()), reply.status().as_u16());
    if telemetry::traced() {
        let service = route::service_name(reply.request()).unwrap_or_default();
        describe_span(&Span::current(), service, word, &route::name(reply.request()), status);
    }
    if writes_line(cause.as_deref()) {
        write_line(word, &route::name(reply.request()), status, started, cause.as_deref());
    }
    if let Ok(value) = HeaderValue::from_str(id.hyphenated().encode_lower(&mut Uuid::encode_buffer())) {
        reply.headers_mut().insert(REQUEST_ID_HEADER, value);
    }
    Ok(reply)
}

/// Whether a request is logged: no line is formatted that is not written.
fn writes_line(cause: Option<&str>) -> bool {
    cause.is_some() || tracing::enabled!(tracing::Level::DEBUG)
}

/// Writes a request's line of the access log: an error with its cause, or a debug line. It has the route's pattern and not the URL,
/// which can contain phone numbers.
pub fn write_line(method: &str, route: &str, status: u16, started: Instant, cause: Option<&str>) {
    if !writes_line(cause) {
        return;
    }
    let duration_ms = started.elapsed().as_secs_f64() * 1000.0;
    match cause {
        Some(cause) => {
            tracing::error!(
                http.method = method,
                http.route = route,
                http.status = status,
                duration_ms,
                cause,
                "{method} {route} failed"
            );
        }
        None => {
            tracing::debug!(
                http.method = method,
                http.route = route,
                http.status = status,
                duration_ms,
                "{method} {route} answered {status}"
            );
        }
    }
}

/// The span of a request: in the trace of its `traceparent`, or in a new one.
pub fn request_span(id: Uuid, parent: Option<&str>) -> Span {
    // Of the highest level, so that a log filter does not remove spans from traces.
    let span = tracing::error_span!(
        "request",
        otel.kind = "server",
        otel.status_code = Empty,
        spaza.service = Empty,
        http.request.method = Empty,
        http.route = Empty,
        http.response.status_code = Empty,
    );
    telemetry::name_request(&span, id);
    if let Some(parent) = parent {
        telemetry::continue_trace(&span, parent);
    }
    span
}

/// Records the outcome in a request's span; by its route, since URLs can contain phone numbers.
pub fn describe_span(span: &Span, service: &str, method: &str, route: &str, status: u16) {
    telemetry::name_span(span, format!("{method} {route}"));
    span.record("http.request.method", method);
    span.record("http.route", route);
    span.record("http.response.status_code", status);
    if !service.is_empty() {
        span.record("spaza.service", service);
    }
    if status >= 500 {
        span.record("otel.status_code", "ERROR");
    }
}

async fn respond(
    req: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let is_head = req.method() == Method::HEAD;
    // The request must not be cloned here: routing needs exclusive access to it.
    let mut reply = next.call(req).await?.map_into_boxed_body();
    let status = reply.status();
    let is_error = status.is_client_error() || status.is_server_error();
    let is_relayed = reply.request().extensions().contains::<Forwarded>();
    if is_error && !is_relayed && !is_health_check(reply.request().path()) {
        if !reply.response().extensions().contains::<Problem>() {
            let problem = Problem::of_status(status.as_u16()).response();
            reply = reply.into_response(problem).map_into_boxed_body();
        }
        reply = in_language_of_request(reply);
    }
    Ok(if is_head { head_only(reply) } else { reply })
}

/// The language that a request prefers: the gateway sends the visitor's. English where there is none.
pub fn language(req: &HttpRequest) -> Language {
    preferred(req.headers().get(header::ACCEPT_LANGUAGE))
}

/// The language of texts for the staff who make the current request: in replies, and of the calls to other services that it needs. English outside of a
/// request, and where the back office has no texts in the language that the request prefers.
pub fn staff_language() -> Language {
    ACCEPTED.try_with(|accepted| preferred(accepted.as_ref())).unwrap_or(Language::ENGLISH).of_staff()
}

fn preferred(accepted: Option<&HeaderValue>) -> Language {
    accepted.and_then(|value| value.to_str().ok()).and_then(Language::preferred).unwrap_or(Language::ENGLISH)
}

/// Writes a problem, which is in English, in the language that its request accepts.
fn in_language_of_request(reply: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    let Some(problem) = reply.response().extensions().get::<Problem>().cloned() else { return reply };
    let language = problem.language(language(reply.request()));
    if language == Language::ENGLISH {
        return reply;
    }
    reply.map_body(|head, _| {
        head.headers_mut().insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(language.code()));
        BoxBody::new(problem.json(language))
    })
}

/// Sends the body's length without the body. actix goes by the request that it has read last, which may be a later one.
fn head_only(reply: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    reply.map_body(|head, body| {
        let length = match body.size() {
            BodySize::None => return body,
            BodySize::Sized(length) => Some(length),
            BodySize::Stream => None,
        };
        if let Some(length) = length {
            head.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
        }
        head.no_chunking(true);
        BoxBody::new(HeadBody)
    })
}

/// The body of a response to HEAD.
struct HeadBody;

impl MessageBody for HeadBody {
    type Error = std::convert::Infallible;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Poll::Ready(None)
    }
}

/// Health checks are not observed: a probe reads the status only.
fn is_health_check(path: &str) -> bool {
    matches!(path, "/healthz" | "/readyz")
}

/// Set on a request whose response must not be changed: it is forwarded from another server, or has its errors in another API's form.
#[derive(Clone, Copy, Debug)]
pub struct Forwarded;

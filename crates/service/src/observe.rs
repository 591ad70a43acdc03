//! Around every request: its id, its log line, its span; and no error leaves that is not a problem.

use std::{
    pin::Pin,
    task::{Context, Poll},
    time::Instant,
};

use actix_web::{
    Error, HttpMessage,
    body::{BodySize, BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        Method,
        header::{self, HeaderName, HeaderValue},
    },
    middleware::Next,
};
use bytes::Bytes;
use tracing::{Instrument, Span, field::Empty};
use uuid::Uuid;

use crate::{
    Problem,
    problem::{Cause, IsProblem},
    route,
};

/// Carries the request's id between gateway and services, and back to the client.
pub const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The id of the request being answered; outside of one, the nil id.
pub fn current_request_id() -> String {
    let id = telemetry::request_id().unwrap_or_default();
    id.hyphenated().encode_lower(&mut Uuid::encode_buffer()).to_owned()
}

/// The id that a request was given by its caller, or a new one.
pub fn request_id(named: Option<&[u8]>) -> Uuid {
    named.and_then(|value| Uuid::try_parse_ascii(value).ok()).unwrap_or_else(Uuid::new_v4)
}

pub(crate) async fn observe(
    req: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    // Services are called by the gateway alone, which gives each request its id.
    let id = request_id(req.headers().get(&REQUEST_ID_HEADER).map(HeaderValue::as_bytes));
    let span = match telemetry::traced() {
        true => request_span(id, req.headers().get(telemetry::TRACE_PARENT).and_then(|value| value.to_str().ok())),
        false => Span::none(),
    };
    telemetry::for_request(id, observed(req, next, id).instrument(span)).await
}

/// Answers a request, counts it, and writes its line.
async fn observed(
    req: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    id: Uuid,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let method = req.method().clone();
    let started = Instant::now();
    let mut reply = answer(req, next).await?;
    let cause = reply.response().extensions().get::<Cause>().map(|cause| cause.0.clone());
    route::count(&reply, started.elapsed());
    let (word, status) = (route::method_word(method.as_str()), reply.status().as_u16());
    if telemetry::traced() {
        let service = route::answering(reply.request()).unwrap_or_default();
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

/// Whether a request has a line at all: nothing is put together for one that is not written.
fn writes_line(cause: Option<&str>) -> bool {
    cause.is_some() || tracing::enabled!(tracing::Level::DEBUG)
}

/// Writes the access log's line of a request that was answered: an error with its cause, or a debug line. It names the route's pattern
/// and never an address, since addresses carry numbers.
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

/// The span of a request in the trace that its caller names (`traceparent`), or in one of its own.
pub fn request_span(id: Uuid, parent: Option<&str>) -> Span {
    // Of the level that every filter of the log lets pass: fewer log lines must not mean fewer traces.
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

/// Records in a request's span how it was answered; by its route, since addresses carry numbers.
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

async fn answer(
    req: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let asks_for_head = req.method() == Method::HEAD;
    // No copy of the request may be kept here: routing needs it to itself.
    let mut reply = next.call(req).await?.map_into_boxed_body();
    if asks_for_head {
        reply = head_only(reply);
    }
    let status = reply.status();
    let is_error = status.is_client_error() || status.is_server_error();
    let foreign = reply.request().extensions().contains::<Relayed>();
    if is_error && !foreign && !reply.response().extensions().contains::<IsProblem>() && !bare(reply.request().path()) {
        let problem = Problem::of_status(status.as_u16()).response();
        return Ok(reply.into_response(problem).map_into_boxed_body());
    }
    Ok(reply)
}

/// A body's length, and never the body. The server by itself goes by the request that it has read last, and that may be one behind this.
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
        BoxBody::new(Unsent)
    })
}

/// The body of a reply whose head alone is sent.
struct Unsent;

impl MessageBody for Unsent {
    type Error = std::convert::Infallible;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Poll::Ready(None)
    }
}

/// Health answers are bare: a probe reads the status alone.
fn bare(path: &str) -> bool {
    matches!(path, "/healthz" | "/readyz")
}

/// Set on a request whose reply is relayed from elsewhere and must pass as it is.
#[derive(Clone, Copy, Debug)]
pub struct Relayed;

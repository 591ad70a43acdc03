//! Around every request: its id, its log line, its span; and no error leaves that is not a problem.

use std::{
    net::IpAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Instant,
};

use actix_web::{
    Error, HttpMessage,
    body::{BodySize, BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        Method, StatusCode,
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

/// Which peers may name a request's id, as app data; without it everybody may.
#[derive(Clone)]
pub struct RequestIdsFrom(pub Arc<dyn Fn(IpAddr) -> bool + Send + Sync>);

/// The id of the request being answered; outside of one, the nil id.
pub fn current_request_id() -> String {
    let id = telemetry::request_id().unwrap_or_default();
    id.hyphenated().encode_lower(&mut Uuid::encode_buffer()).to_owned()
}

/// The id that a request was named by, or a new one.
pub(crate) fn id(named: Option<&[u8]>) -> Uuid {
    named.and_then(|value| Uuid::try_parse_ascii(value).ok()).unwrap_or_else(Uuid::new_v4)
}

pub(crate) async fn observe(
    req: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    // At the outer edge only a trusted proxy may name a request; behind it, whoever calls is the gateway.
    let may_name =
        req.app_data::<RequestIdsFrom>().is_none_or(|trusted| req.peer_addr().is_some_and(|peer| trusted.0(peer.ip())));
    let id = id(req.headers().get(&REQUEST_ID_HEADER).filter(|_| may_name).map(HeaderValue::as_bytes));
    let span = if telemetry::traced() {
        span(id, req.headers().get(telemetry::TRACE_PARENT).filter(|_| may_name))
    } else {
        Span::none()
    };
    telemetry::for_request(id, told(req, next, id).instrument(span)).await
}

/// Answers, and counts and writes down how it went.
async fn told(
    req: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    id: Uuid,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let method = req.method().clone();
    let started = Instant::now();
    let mut reply = answer(req, next).await?;
    let cause = reply.response().extensions().get::<Cause>().map(|cause| cause.0.clone());
    route::count(&reply, started.elapsed());
    if telemetry::traced() {
        describe(&Span::current(), &method, &reply);
    }
    write_down(&method, || route::name(reply.request()), reply.status(), started, cause.as_deref());
    if let Ok(value) = HeaderValue::from_str(id.hyphenated().encode_lower(&mut Uuid::encode_buffer())) {
        reply.headers_mut().insert(REQUEST_ID_HEADER, value);
    }
    Ok(reply)
}

/// The line of a request, where one is wanted: by its route's pattern and not its address, for addresses carry numbers, and a log must not.
pub(crate) fn write_down(
    method: &Method,
    route: impl FnOnce() -> String,
    status: StatusCode,
    started: Instant,
    cause: Option<&str>,
) {
    // Nothing is put together for a line that nobody writes.
    if cause.is_none() && !tracing::enabled!(tracing::Level::DEBUG) {
        return;
    }
    let (route, status) = (route(), status.as_u16());
    let duration_ms = started.elapsed().as_secs_f64() * 1000.0;
    match cause {
        Some(cause) => {
            tracing::error!(http.method = %method, http.route = route, http.status = status, duration_ms, cause, "{method} {route} failed");
        }
        None => {
            tracing::debug!(http.method = %method, http.route = route, http.status = status, duration_ms, "{method} {route} answered {status}");
        }
    }
}

/// The span of a request in the trace that its caller names, or in one of its own.
fn span(id: Uuid, parent: Option<&HeaderValue>) -> Span {
    // Of the level that every filter of the log lets pass: who wants fewer lines wants no fewer traces.
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
    if let Some(parent) = parent.and_then(|value| value.to_str().ok()) {
        telemetry::continue_trace(&span, parent);
    }
    span
}

/// What a trace tells of a request: by its route, for addresses carry numbers.
fn describe(span: &Span, method: &Method, reply: &ServiceResponse<BoxBody>) {
    let route = route::name(reply.request());
    let status = reply.status();
    let method = route::word(method);
    telemetry::name_span(span, format!("{method} {route}"));
    span.record("http.request.method", method);
    span.record("http.route", route);
    span.record("http.response.status_code", status.as_u16());
    if let Some(service) = route::answering(reply.request()) {
        span.record("spaza.service", service);
    }
    if status.is_server_error() {
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
        let mut problem = Problem::of_status(status).response();
        // Where a file ends, for who asked for more of it (RFC 9110 section 15.5.17); and what holds for every reply of the host.
        for name in [header::CONTENT_RANGE, header::STRICT_TRANSPORT_SECURITY] {
            if let Some(value) = reply.headers().get(&name) {
                problem.headers_mut().insert(name, value.clone());
            }
        }
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

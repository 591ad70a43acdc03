//! A call passes to its service and the reply passes back, as a stream; headers that belong to one connection or to us alone
//! do not travel.

use actix_web::{
    HttpMessage, HttpRequest, HttpResponse,
    body::{BodyStream, BoxBody, SizedStream},
    http::{
        Method, StatusCode,
        header::{self, HeaderMap, HeaderName, HeaderValue},
        uri::PathAndQuery,
    },
    web::{Data, Payload},
};
use futures_util::stream;
use web::{REQUEST_ID_HEADER, Relayed, current_request_id};

use crate::{
    app::App,
    error::Error,
    guard,
    peer::Client,
    routes, site,
    upstreams::{Call, Passing, Reply, Service},
};

/// The host a service hears where none of its brands was asked for: the name that never resolves (RFC 2606).
const NO_BRAND: &str = "invalid";

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// Hop-by-hop (RFC 9110 section 7.6.1): about one connection, not about the message.
fn is_hop_by_hop(name: &str) -> bool {
    matches!(
        name,
        "connection"
            | "keep-alive"
            | "proxy-authenticate"
            | "proxy-authorization"
            | "proxy-connection"
            | "te"
            | "trailer"
            | "transfer-encoding"
            | "upgrade"
    )
}

/// Said by us to services, or used by other software to change what a request means; a client's own never pass.
fn is_ours(name: &str) -> bool {
    matches!(
        name,
        "baggage"
            | "content-length"
            | "expect"
            | "forwarded"
            | "host"
            | "traceparent"
            | "tracestate"
            | "via"
            | "x-client-ip"
            | "x-http-method"
            | "x-http-method-override"
            | "x-method-override"
            | "x-original-url"
            | "x-real-ip"
            | "x-request-id"
            | "x-rewrite-url"
    ) || name.starts_with("x-forwarded-")
}

/// Every address below `/api`.
pub(crate) async fn relay(req: HttpRequest, payload: Payload, app: Data<App>) -> Result<HttpResponse, Error> {
    let service = routes::service_of(req.uri().path()).ok_or(Error::NotFound)?;
    let label = label(&req, &app, service);
    if let Some(shared) = app.replies.answer(&req, &app, service, &label).await? {
        return Ok(shared);
    }
    let body = match *req.method() {
        // A GET that announces a body means an upgrade or a mistake; neither is waited for.
        Method::GET | Method::HEAD | Method::OPTIONS => bytes::Bytes::new(),
        _ => guard::body(&req, &mut payload.into_inner()).await?,
    };
    let call = Call::new(req.method().clone(), address(&req), request_headers(&req, &app, &label), body);
    let reply = app.upstreams.of(service).send(&call).await?;
    Ok(respond(&req, reply))
}

/// Path and query, unchanged.
pub(crate) fn address(req: &HttpRequest) -> PathAndQuery {
    req.uri().path_and_query().cloned().unwrap_or_else(|| PathAndQuery::from_static("/"))
}

/// The label a service hears as its host: that of the brand asked for; on a host without one, its own first brand's.
fn label(req: &HttpRequest, app: &App, service: Service) -> String {
    let own =
        || app.brands.iter().find(|brand| Some(brand.kind) == service.kind()).map(|brand| brand.label().to_owned());
    site::label(&app.brands, req).or_else(own).unwrap_or_else(|| NO_BRAND.to_owned())
}

/// What a service is told of a request that was sent to a host of `label`.
pub(crate) fn request_headers(req: &HttpRequest, app: &App, label: &str) -> HeaderMap {
    let client = Client::of(req, &app.proxies);
    let named = named_by_connection(req.headers());
    let mut headers = HeaderMap::with_capacity(req.headers().len() + 4);
    for (name, value) in req.headers() {
        let text = name.as_str();
        let stays = is_ours(text) || is_hop_by_hop(text) || named.iter().any(|option| option == text);
        if !stays && !app.enrichment.is_forged(name, client.addr) {
            headers.append(name.clone(), value.clone());
        }
    }
    for (name, value) in [
        (header::HOST, label),
        (FORWARDED_FOR, client.addr.to_string().as_str()),
        (FORWARDED_PROTO, if client.https { "https" } else { "http" }),
        (REQUEST_ID_HEADER, current_request_id().as_str()),
    ] {
        // Labels, addresses and ids are plain ASCII.
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    }
    name_trace(&mut headers);
    headers
}

/// Tells a service which trace its work belongs to.
fn name_trace(headers: &mut HeaderMap) {
    if let Some(parent) = telemetry::trace_parent().and_then(|parent| HeaderValue::from_str(&parent).ok()) {
        headers.insert(HeaderName::from_static(telemetry::TRACE_PARENT), parent);
    }
}

/// Headers that a message's `Connection` declares hop-by-hop.
fn named_by_connection(headers: &HeaderMap) -> Vec<String> {
    headers
        .get_all(header::CONNECTION)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|option| option.trim().to_ascii_lowercase())
        .collect()
}

/// What a service is told when nobody but ourselves asks, in the name of `label`.
pub(crate) fn own_headers(label: &str) -> HeaderMap {
    let mut headers = HeaderMap::with_capacity(4);
    for (name, value) in [
        (header::HOST, label),
        (header::ACCEPT_ENCODING, "identity"),
        (FORWARDED_PROTO, "http"),
        (REQUEST_ID_HEADER, current_request_id().as_str()),
    ] {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    }
    name_trace(&mut headers);
    headers
}

/// Keeps of a reply's headers those that travel on.
pub(crate) fn keep_passing(headers: &mut HeaderMap) {
    let named = named_by_connection(headers);
    headers.retain(|name, _| {
        let text = name.as_str();
        !matches!(text, "content-length" | "date" | "server" | "x-request-id")
            && !is_hop_by_hop(text)
            && !named.iter().any(|option| option == text)
    });
}

/// No browser is to take a reply for anything but what it says it is.
pub(crate) const NO_SNIFF: (HeaderName, HeaderValue) =
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));

/// Passes a service's reply on.
pub(crate) fn respond(req: &HttpRequest, upstream: Reply) -> HttpResponse {
    let (status, mut headers, body) = upstream.into_parts();
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    // A service's own problem says it better than we could; anything else that failed becomes one of ours.
    let is_problem =
        headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/problem+json"));
    if is_problem {
        req.extensions_mut().insert(Relayed);
    }
    keep_passing(&mut headers);
    let (name, value) = NO_SNIFF;
    headers.insert(name, value);
    let body = match (status, length, body) {
        (StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED, ..) => BoxBody::new(()),
        // The length of what a GET would have got.
        (_, Some(length), _) if req.method() == Method::HEAD => {
            BoxBody::new(SizedStream::new(length, stream::empty::<Result<_, std::io::Error>>()))
        }
        (.., Passing::Whole(bytes)) => BoxBody::new(bytes),
        (_, Some(length), Passing::Flowing(flowing)) => BoxBody::new(SizedStream::new(length, flowing)),
        (_, None, Passing::Flowing(flowing)) => BoxBody::new(BodyStream::new(flowing)),
    };
    let mut reply = HttpResponse::with_body(status, body);
    *reply.headers_mut() = headers;
    reply
}

/// A small reply read whole, for calls of our own.
pub(crate) async fn read_small(
    reply: Reply,
    service: Service,
    most: usize,
) -> Result<(StatusCode, bytes::Bytes), Error> {
    let status = reply.status();
    let body = reply.read(most).await;
    let body = body.map_err(|cause| Error::Away { service: service.name(), cause: cause.to_string() })?;
    Ok((status, body))
}

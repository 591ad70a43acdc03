//! A call passes to its service and the reply passes back, as a stream; headers that belong to one connection or to us alone
//! do not travel.

use actix_web::{
    HttpMessage, HttpRequest, HttpResponse,
    body::{BodyStream, BoxBody, SizedStream},
    http::{
        Method, StatusCode,
        header::{self, HeaderName, HeaderValue},
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
    upstreams::{Call, Headers, Passing, Reply, Service, connection_options, is_hop_by_hop},
};

/// The host a service hears where none of its brands was asked for: the name that never resolves (RFC 2606).
const NO_BRAND: &str = "invalid";

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
const TRACE_PARENT: HeaderName = HeaderName::from_static(telemetry::TRACE_PARENT);

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
    let call = Call::new(req.method().clone(), address(&req), &request_headers(&req, &app, &label, &[]), &body);
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

/// What a service is told of a request that was sent to a host of `label`; of the client's own headers, not these.
pub(crate) fn request_headers(req: &HttpRequest, app: &App, label: &str, without: &[HeaderName]) -> Headers {
    let client = Client::of(req, &app.proxies);
    let named: Vec<String> = req.headers().get_all(header::CONNECTION).flat_map(connection_options).collect();
    let mut headers = Headers::new();
    for (name, value) in req.headers() {
        let text = name.as_str();
        let stays = is_ours(text)
            || is_hop_by_hop(text)
            || named.iter().any(|option| option == text)
            || without.contains(name)
            || app.enrichment.is_forged(name, client.addr);
        if !stays {
            headers.add(name, value);
        }
    }
    headers.add_addr(&FORWARDED_FOR, client.addr);
    add_ours(&mut headers, label, client.https);
    headers
}

/// What a service is told when nobody but ourselves asks, in the name of `label`.
pub(crate) fn own_headers(label: &str) -> Headers {
    let mut headers = Headers::new();
    headers.add_text(&header::ACCEPT_ENCODING, "identity");
    add_ours(&mut headers, label, false);
    headers
}

/// What every call says: whose host is asked, over what, for which request and as a part of which trace.
fn add_ours(headers: &mut Headers, label: &str, https: bool) {
    headers.add_text(&header::HOST, label);
    headers.add_text(&FORWARDED_PROTO, if https { "https" } else { "http" });
    headers.add_text(&REQUEST_ID_HEADER, &current_request_id());
    if let Some(parent) = telemetry::trace_parent() {
        headers.add_text(&TRACE_PARENT, &parent);
    }
}

/// No browser is to take a reply for anything but what it says it is.
pub(crate) const NO_SNIFF: (HeaderName, HeaderValue) =
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));

/// Passes a service's reply on.
pub(crate) fn respond(req: &HttpRequest, upstream: Reply) -> HttpResponse {
    let length = upstream.length();
    let (mut reply, body) = upstream.into_parts();
    let headers = reply.headers_mut();
    // A service's own problem says it better than we could; anything else that failed becomes one of ours.
    let is_problem =
        headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/problem+json"));
    if is_problem {
        req.extensions_mut().insert(Relayed);
    }
    let (name, value) = NO_SNIFF;
    headers.insert(name, value);
    let body = match (reply.status(), length, body) {
        (StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED, ..) => BoxBody::new(()),
        // The length of what a GET would have got.
        (_, Some(length), _) if req.method() == Method::HEAD => {
            BoxBody::new(SizedStream::new(length, stream::empty::<Result<_, std::io::Error>>()))
        }
        (.., Passing::Whole(bytes)) => BoxBody::new(bytes),
        (_, Some(length), Passing::Flowing(flowing)) => BoxBody::new(SizedStream::new(length, flowing)),
        (_, None, Passing::Flowing(flowing)) => BoxBody::new(BodyStream::new(flowing)),
    };
    reply.set_body(body)
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

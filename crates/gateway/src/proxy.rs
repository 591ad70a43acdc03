//! A call passes to its service and the reply passes back, as a stream; headers that belong to one connection or to us alone
//! do not travel.

use std::sync::Arc;

use actix_web::{
    HttpMessage, HttpRequest, HttpResponse,
    body::{BodyStream, BoxBody, SizedStream},
    http::{
        Method, StatusCode,
        header::{self, HeaderName, HeaderValue},
    },
    web::{Data, Payload},
};
use futures_util::stream;
use identity::cookie_name;
use web::{REQUEST_ID_HEADER, Relayed, current_request_id};

use crate::{
    app::App,
    asked::Asked,
    cache::Kept,
    error::Error,
    guard,
    peer::{Client, FORWARDED_FOR, FORWARDED_PROTO},
    routes, site,
    upstreams::{Call, Headers, Passing, Reply, Service, as_headers, connection_options, is_hop_by_hop},
};

/// The host a service hears where none of its brands was asked for: the name that never resolves (RFC 2606).
const NO_BRAND: &str = "invalid";

const TRACE_PARENT: HeaderName = HeaderName::from_static(telemetry::TRACE_PARENT);

/// Said by us to services, or used by other software to change what a request means; a client's own never pass.
fn is_ours(name: &[u8]) -> bool {
    matches!(
        name,
        b"baggage"
            | b"content-length"
            | b"expect"
            | b"forwarded"
            | b"host"
            | b"traceparent"
            | b"tracestate"
            | b"via"
            | b"x-client-ip"
            | b"x-http-method"
            | b"x-http-method-override"
            | b"x-method-override"
            | b"x-original-url"
            | b"x-real-ip"
            | b"x-request-id"
            | b"x-rewrite-url"
    ) || name.starts_with(b"x-forwarded-")
}

/// Every address below `/api`.
pub(crate) async fn relay(req: HttpRequest, payload: Payload, app: Data<App>) -> Result<HttpResponse, Error> {
    let service = routes::service_of(req.uri().path()).ok_or(Error::NotFound)?;
    let body = match *req.method() {
        // A GET that announces a body means an upgrade or a mistake; neither is waited for.
        Method::GET | Method::HEAD | Method::OPTIONS => bytes::Bytes::new(),
        _ => guard::body(&req, &mut payload.into_inner()).await?,
    };
    let client = Client::of(&req, &app.proxies);
    Ok(match find(&req, &app, service, client, &body).await? {
        Found::Kept(kept) => kept.respond(&req),
        Found::Own(reply) => respond(&req, reply),
    })
}

/// What a call is answered with.
pub(crate) enum Found {
    /// What everybody is shown.
    Kept(Arc<Kept>),
    /// The service's reply to this one.
    Own(Reply),
}

/// Passes a call to its service, unless the reply is kept.
pub(crate) async fn find(
    req: &impl Asked,
    app: &App,
    service: Service,
    client: Client,
    body: &[u8],
) -> Result<Found, Error> {
    let label = label(req, app, service);
    let headers = if routes::is_own(service, req.verb(), req.place()) {
        // Boxed: most calls do not need this future, and it is large.
        let session = Box::pin(checked_session(req, app, &label)).await?;
        let mut headers = request_headers(req, app, service, client, &label, &[header::COOKIE]);
        if let Some(cookie) = session {
            headers.add_text(&header::COOKIE, &cookie);
        }
        headers
    } else {
        if let Some(shared) = app.replies.find(req, app, service, client, &label).await? {
            return Ok(shared);
        }
        request_headers(req, app, service, client, &label, &[])
    };
    let call = Call::new(req.verb().clone(), req.address(), &headers, body);
    let reply = app.upstreams.of(service).send(&call).await;
    // Whatever was answered: a leave may have been recorded although its reply was lost.
    if *req.verb() == Method::POST
        && req.place() == routes::LEAVE
        && let Some(token) = req.cookie_value(&cookie_name(&label))
    {
        Box::pin(app.sessions.forget(token)).await;
    }
    Ok(Found::Own(reply?))
}

/// The session cookie that a service hears on a call for the session's own number. It is the only cookie that passes there: services
/// decode names and values of cookies, so another spelling of one could be a session that was not checked.
///
/// Without a genuine session there is none, and the service answers by its own rules. The session of a subscription that has ended
/// writes nothing, and reads as if it were not there.
async fn checked_session(req: &impl Asked, app: &App, label: &str) -> Result<Option<String>, Error> {
    let Some(proof) = app.sessions.proof_on(req, &app.brands, label) else { return Ok(None) };
    if app.sessions.has_subscription(&app.upstreams, &proof).await? {
        Ok(Some(proof.cookie()))
    } else if req.verb().is_safe() {
        Ok(None)
    } else {
        Err(Error::NoSession)
    }
}

/// The label a service hears as its host: that of the brand asked for; on a host without one, its own first brand's.
fn label(req: &impl Asked, app: &App, service: Service) -> String {
    let own =
        || app.brands.iter().find(|brand| Some(brand.kind) == service.kind()).map(|brand| brand.label().to_owned());
    site::label(&app.brands, req).or_else(own).unwrap_or_else(|| NO_BRAND.to_owned())
}

/// What `service` is told of a request that `client` sent to a host of `label`; of the client's own headers, not these.
pub(crate) fn request_headers(
    req: &impl Asked,
    app: &App,
    service: Service,
    client: Client,
    label: &str,
    without: &[HeaderName],
) -> Headers {
    let named: Vec<String> = req.values(&header::CONNECTION).flat_map(connection_options).collect();
    let mut headers = Headers::new();
    for (name, value) in req.lines() {
        let stays = is_ours(name)
            || is_hop_by_hop(name)
            || named.iter().any(|option| option.as_bytes() == name)
            || without.iter().any(|other| other.as_str().as_bytes() == name)
            || app.enrichment.is_forged(name, client.addr, client.https);
        if !stays {
            headers.add(name, value);
        }
    }
    // Where somebody is, and what he came by, is told to nobody but whom it is for: consents and networks' numbers go by it.
    if service == Service::Subscription {
        headers.add_addr(&FORWARDED_FOR, client.addr);
        headers.add_text(&FORWARDED_PROTO, if client.https { "https" } else { "http" });
    }
    add_ours(&mut headers, label);
    headers
}

/// What a service is told when nobody but ourselves asks, in the name of `label`.
pub(crate) fn own_headers(label: &str) -> Headers {
    let mut headers = Headers::new();
    headers.add_text(&header::ACCEPT_ENCODING, "identity");
    add_ours(&mut headers, label);
    headers
}

/// What every call says: whose host is asked, for which request and as a part of which trace.
fn add_ours(headers: &mut Headers, label: &str) {
    headers.add_text(&header::HOST, label);
    headers.add_text(&REQUEST_ID_HEADER, &current_request_id());
    if let Some(parent) = telemetry::trace_parent() {
        headers.add_text(&TRACE_PARENT, &parent);
    }
}

/// No browser is to take a reply for anything but what it says it is.
pub(crate) const NO_SNIFF: (HeaderName, HeaderValue) =
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));

/// Whether a reply is a service's own problem, which says it better than we could; anything else that failed becomes one of ours.
pub(crate) fn is_problem(reply: &Reply) -> bool {
    let kind = reply.lines().get(header::CONTENT_TYPE.as_str());
    kind.is_some_and(|kind| kind.starts_with(b"application/problem+json"))
}

/// Passes a service's reply on.
pub(crate) fn respond(req: &HttpRequest, upstream: Reply) -> HttpResponse {
    let length = upstream.length();
    if is_problem(&upstream) {
        req.extensions_mut().insert(Relayed);
    }
    let mut reply = HttpResponse::with_body(upstream.status(), ());
    let (lines, body) = upstream.into_parts();
    for (name, value) in as_headers(&lines) {
        reply.headers_mut().append(name, value);
    }
    let (name, value) = NO_SNIFF;
    reply.headers_mut().insert(name, value);
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

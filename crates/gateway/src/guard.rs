//! What every request must satisfy before anything looks at it: a bounded head, a path that means one thing, a write from the
//! site itself; and how a body is taken in.

use std::time::Duration;

use actix_web::{
    Error as ActixError, HttpRequest, ResponseError,
    body::MessageBody,
    dev::{Payload, ServiceRequest, ServiceResponse},
    http::{
        ConnectionType, Method,
        header::{self, HeaderValue},
    },
    middleware::Next,
    web::Data,
};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use url::Url;
use web::Guest;

use crate::{app::App, asked::Asked, connections::Held, error::Error, paths, peer::Client};

/// The largest head: names, values, method and address together.
const MAX_HEAD_BYTES: usize = 16 * 1024;

/// The largest body a client may send.
const MAX_BODY_BYTES: usize = 64 * 1024;

/// Who has come by https once is to come by it always: a year.
pub(crate) const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// How long a client may take to send its body.
const BODY_SECONDS: u64 = 30;

/// The middleware around every route.
pub(crate) async fn guard(
    req: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, ActixError> {
    let client = req.app_data::<Data<App>>().map(|app| Client::of(req.request(), &app.proxies));
    let https = client.is_some_and(|client| client.https);
    let mut reply = match within_bounds(req.request(), client).and_then(|()| check(req.request())) {
        Ok(()) => next.call(req).await?.map_into_left_body(),
        // Answered here and now: an error that travels up as one is written down after the request's id is forgotten.
        Err(refused) => {
            let mut reply = refused.error_response();
            if matches!(refused, Error::Crowded) {
                reply.head_mut().set_connection_type(ConnectionType::Close);
            }
            req.into_response(reply).map_into_right_body()
        }
    };
    if https {
        reply.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, HSTS);
    }
    Ok(reply)
}

/// Whether this client may ask now. Media are left aside: a player asks as often as its film wants.
fn within_bounds(req: &HttpRequest, client: Option<Client>) -> Result<(), Error> {
    let held = req.conn_data::<Guest>().and_then(|Guest(held)| held.downcast_ref::<Held>());
    if held.is_some_and(|held| held.over) {
        return Err(Error::Crowded);
    }
    match (req.app_data::<Data<App>>(), client) {
        (Some(app), Some(client)) if !req.uri().path().starts_with("/media/") => app.rates.count(client.addr),
        _ => Ok(()),
    }
}

/// Whether a request may be looked at, whoever sends it.
pub(crate) fn check(req: &impl Asked) -> Result<(), Error> {
    if head_bytes(req) > MAX_HEAD_BYTES {
        return Err(Error::HeadTooLarge);
    }
    if matches!(*req.verb(), Method::CONNECT | Method::TRACE) {
        return Err(Error::Method("GET, HEAD, OPTIONS, POST, DELETE"));
    }
    let path = req.place();
    // An image's address holds another address, slashes and all; `images` reads it by its own rules.
    if !path.starts_with("/img/") && !paths::means_one_thing(path) {
        return Err(Error::AmbiguousPath);
    }
    let reads = matches!(*req.verb(), Method::GET | Method::HEAD | Method::OPTIONS);
    if !reads && !from_own_origin(req) {
        return Err(Error::ForeignOrigin);
    }
    Ok(())
}

fn head_bytes(req: &impl Asked) -> usize {
    let line = req.verb().as_str().len() + req.place().len() + req.question().map_or(0, |query| query.len() + 1);
    req.lines().fold(line, |sum, (name, value)| sum + name.len() + value.len() + 4)
}

/// Whether a request that names an `Origin` names the host it was sent to. The scheme is left aside: a proxy before us may end TLS.
fn from_own_origin(req: &impl Asked) -> bool {
    let host = req.host().unwrap_or_default();
    req.values(&header::ORIGIN).all(|origin| str::from_utf8(origin).is_ok_and(|origin| is_origin_of(origin, host)))
}

/// Whether an `Origin` header's value names this host and port. Which of the two schemes it has is left aside.
pub fn is_origin_of(origin: &str, host: &str) -> bool {
    let named = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://")).and_then(authority);
    named.is_some() && named == authority(host)
}

/// `host` and port as a pair to compare; no port, 80 and 443 are one, since the scheme is left aside.
fn authority(host: &str) -> Option<(String, u16)> {
    let url = Url::parse(&format!("http://{host}")).ok()?;
    let plain = url.path() == "/" && url.query().is_none() && url.username().is_empty() && url.fragment().is_none();
    let port = url.port().filter(|port| *port != 443).unwrap_or(80);
    plain.then(|| Some((url.host_str()?.to_owned(), port))).flatten()
}

/// The whole body. Small by contract, so it is taken in before a service is bothered: a slow sender holds no connection
/// of ours to a service, and the call can be repeated on another replica.
pub(crate) async fn body(req: &HttpRequest, payload: &mut Payload) -> Result<Bytes, Error> {
    let announced =
        req.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > MAX_BODY_BYTES) {
        return Err(Error::BodyTooLarge);
    }
    let collect = async {
        let mut body = BytesMut::with_capacity(announced.unwrap_or(0));
        while let Some(chunk) = payload.next().await {
            let chunk = chunk.map_err(|_| Error::BodyBroken)?;
            if body.len() + chunk.len() > MAX_BODY_BYTES {
                return Err(Error::BodyTooLarge);
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body.freeze())
    };
    tokio::time::timeout(Duration::from_secs(BODY_SECONDS), collect).await.unwrap_or(Err(Error::BodyTooSlow))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_write_comes_from_the_site_itself() {
        let own = |host: &str, origin: &str| {
            let req =
                TestRequest::post().insert_header(("host", host)).insert_header(("origin", origin)).to_http_request();
            from_own_origin(&req)
        };
        for (host, origin, expected) in [
            ("memeworld.localhost:8080", "http://memeworld.localhost:8080", true),
            ("MemeWorld.localhost:8080", "http://memeworld.localhost:8080", true),
            ("memeworld.example.co.za", "https://memeworld.example.co.za", true),
            ("memeworld.example.co.za", "https://memeworld.example.co.za:443", true),
            ("memeworld.localhost:8080", "http://memeworld.localhost:9090", false),
            ("memeworld.localhost:8080", "http://diski99.localhost:8080", false),
            ("memeworld.localhost:8080", "null", false),
            ("memeworld.localhost:8080", "", false),
            ("memeworld.localhost:8080", "https:evil.example://memeworld.localhost:8080", false),
            ("memeworld.localhost:8080", "http://memeworld.localhost:8080@evil.example", false),
            ("memeworld.localhost:8080", "http://evil.example/memeworld.localhost:8080", false),
        ] {
            assert_eq!(own(host, origin), expected, "{host} {origin}");
        }
        assert!(from_own_origin(&TestRequest::post().insert_header(("host", "x")).to_http_request()));
    }
}

//! What every request must satisfy before anything looks at it: a bounded head, one host, a path that means one thing, a write from the
//! site itself; and how a body is read.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{
    HeaderName, Method, Version,
    header::{self, HeaderValue},
};
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use tokio::time::{Instant, timeout_at};
use url::Url;

use crate::{error::Error, paths, request::Head};

/// The largest head in bytes: names, values, method and address together.
const MAX_HEAD_BYTES: usize = 16 * 1024;

/// The largest body in bytes that a client may send.
const MAX_BODY_BYTES: usize = 64 * 1024;

/// Bytes a second that a body must bring on average, once it has had its grace.
const MIN_BODY_RATE: u64 = 256;

/// How long a body may take before its rate counts.
const RATE_GRACE: Duration = Duration::from_secs(5);

/// Tells browsers that have come by https to come by it always: a year.
pub(crate) const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Where a browser's request comes from, as it says itself (Fetch Metadata).
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Whether a request passes the guard.
pub fn is_acceptable(head: &Head) -> bool {
    check(head).is_ok()
}

/// Refuses what may not be looked at.
pub(crate) fn check(head: &Head) -> Result<(), Error> {
    if head_bytes(head) > MAX_HEAD_BYTES {
        return Err(Error::HeadTooLarge);
    }
    // HTTP/1.0 needs no host; what it then asks for belongs to no brand.
    let is_hostless = head.version < Version::HTTP_11 && !head.headers.contains_key(header::HOST);
    if head.host.is_empty() && !is_hostless {
        return Err(Error::Host);
    }
    if matches!(head.method, Method::CONNECT | Method::TRACE) {
        return Err(Error::Method("GET, HEAD, OPTIONS, POST, DELETE"));
    }
    // An image's address holds another address, slashes and all; `images` reads it by its own rules.
    if !head.path().starts_with("/img/") && !paths::means_one_thing(head.path()) {
        return Err(Error::AmbiguousPath);
    }
    let may_write = || is_from_own_origin(head) && is_from_own_site(head);
    if head.method.is_safe() || may_write() { Ok(()) } else { Err(Error::ForeignOrigin) }
}

fn head_bytes(head: &Head) -> usize {
    let line = head.method.as_str().len() + head.address.as_str().len();
    head.headers.iter().fold(line, |sum, (name, value)| sum + name.as_str().len() + value.len() + 4)
}

/// Whether a request that names an `Origin` names the host it was sent to. The scheme is left aside: a proxy before us may end TLS.
fn is_from_own_origin(head: &Head) -> bool {
    let origins = head.headers.get_all(header::ORIGIN);
    origins.iter().all(|origin| origin.to_str().is_ok_and(|origin| is_origin_of(origin, &head.host)))
}

/// Whether a browser that says where its request comes from names this site, or the person at it.
fn is_from_own_site(head: &Head) -> bool {
    let sites = head.headers.get_all(SEC_FETCH_SITE);
    sites.iter().all(|site| matches!(site.as_bytes(), b"same-origin" | b"none"))
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

/// The whole body, within `patience` and not slower than its least rate. Small by contract, so it is read before a service is called:
/// a slow client holds no connection to a service, and the call can be repeated on another replica.
pub(crate) async fn body(mut body: Incoming, patience: Duration) -> Result<Bytes, Error> {
    let announced = body.size_hint().exact().map_or(Ok(0), usize::try_from).map_err(|_| Error::BodyTooLarge)?;
    if announced > MAX_BODY_BYTES {
        return Err(Error::BodyTooLarge);
    }
    let started = Instant::now();
    let mut read = BytesMut::with_capacity(announced);
    loop {
        // What has come pays for so much more time.
        let earned = Duration::from_millis(read.len() as u64 * 1000 / MIN_BODY_RATE);
        let deadline = started + patience.min(RATE_GRACE + earned);
        match timeout_at(deadline, body.frame()).await {
            Err(_) => return Err(Error::BodyTooSlow),
            Ok(None) => return Ok(read.freeze()),
            Ok(Some(Err(_))) => return Err(Error::BodyBroken),
            Ok(Some(Ok(frame))) => {
                let piece = frame.into_data().unwrap_or_default();
                if read.len() + piece.len() > MAX_BODY_BYTES {
                    return Err(Error::BodyTooLarge);
                }
                read.extend_from_slice(&piece);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;
    use crate::request::tests::head;

    #[test]
    fn a_write_comes_from_the_site_itself() {
        let own = |host: &str, origin: &str| {
            check(&head(Request::post("/").header("host", host).header("origin", origin))).is_ok()
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
        let of_site =
            |site: &str| check(&head(Request::post("/").header("host", "x").header("sec-fetch-site", site))).is_ok();
        assert!(of_site("same-origin") && of_site("none"));
        assert!(!of_site("cross-site") && !of_site("same-site") && !of_site(""));
        assert!(is_acceptable(&head(Request::post("/").header("host", "x"))));
        assert!(is_acceptable(&head(Request::get("/").header("host", "x").header("origin", "http://y"))));
    }

    #[test]
    fn a_request_without_one_host_is_refused() {
        for (request, expected) in [
            (Request::get("/").version(Version::HTTP_10), true),
            (Request::get("/").version(Version::HTTP_10).header("host", "a@b"), false),
            (Request::get("/"), false),
            (Request::get("/").header("host", ""), false),
            (Request::get("/").header("host", "a"), true),
            (Request::get("http://a/").version(Version::HTTP_2), true),
        ] {
            assert_eq!(is_acceptable(&head(request)), expected);
        }
    }
}

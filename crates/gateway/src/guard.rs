//! Checks that every request must pass before it is handled: a bounded head, one host, an unambiguous path, writes only from the same
//! site; and the reading of bodies.

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

/// The largest head in bytes: names, values, method and URL together.
const MAX_HEAD_BYTES: usize = 16 * 1024;

/// The largest body in bytes that a client may send.
const MAX_BODY_BYTES: usize = 64 * 1024;

/// The minimum rate of a body in bytes per second, after the grace period.
const MIN_BODY_RATE: u64 = 256;

/// The grace period, during which the rate does not matter.
const RATE_GRACE: Duration = Duration::from_secs(5);

/// Makes browsers use https only, for a year.
pub(crate) const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// The site that a browser's request comes from (Fetch Metadata).
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Whether a request passes the checks.
pub fn is_acceptable(head: &Head) -> bool {
    check(head).is_ok()
}

/// Rejects a request that fails a check.
pub(crate) fn check(head: &Head) -> Result<(), Error> {
    if head_bytes(head) > MAX_HEAD_BYTES {
        return Err(Error::HeadTooLarge);
    }
    // HTTP/1.0 needs no Host; without one, the request selects no brand.
    let is_hostless = head.version < Version::HTTP_11 && !head.headers.contains_key(header::HOST);
    if head.host.is_empty() && !is_hostless {
        return Err(Error::Host);
    }
    if !has_clear_coding(head) {
        return Err(Error::BodyCoding);
    }
    if matches!(head.method, Method::CONNECT | Method::TRACE) {
        return Err(Error::Method("GET, HEAD, OPTIONS, POST, DELETE"));
    }
    // An image URL contains another URL with slashes; `images` parses it by its own rules.
    if !head.path().starts_with("/img/") && !paths::is_unambiguous(head.path()) {
        return Err(Error::AmbiguousPath);
    }
    let may_write = || is_from_own_origin(head) && is_from_own_site(head);
    if head.method.is_safe() || may_write() { Ok(()) } else { Err(Error::ForeignOrigin) }
}

fn head_bytes(head: &Head) -> usize {
    let line = head.method.as_str().len() + head.address.as_str().len();
    head.headers.iter().fold(line, |sum, (name, value)| sum + name.as_str().len() + value.len() + 4)
}

/// Whether a body's length can be read in one way (RFC 9112 section 6.3). hyper reads two codings, and two lines of them, as the last one.
fn has_clear_coding(head: &Head) -> bool {
    let mut codings = head.headers.get_all(header::TRANSFER_ENCODING).iter();
    codings.next().is_none_or(|coding| coding.as_bytes().eq_ignore_ascii_case(b"chunked")) && codings.next().is_none()
}

/// Whether a request's `Origin`, if present, is its own host. The scheme is ignored: a proxy in front of us may terminate TLS.
fn is_from_own_origin(head: &Head) -> bool {
    let origins = head.headers.get_all(header::ORIGIN);
    origins.iter().all(|origin| origin.to_str().is_ok_and(|origin| is_origin_of(origin, &head.host)))
}

/// Whether `Sec-Fetch-Site`, if present, is the same site or a user action.
fn is_from_own_site(head: &Head) -> bool {
    let sites = head.headers.get_all(SEC_FETCH_SITE);
    sites.iter().all(|site| matches!(site.as_bytes(), b"same-origin" | b"none"))
}

/// Whether an `Origin` header has this host and port, with either scheme.
pub fn is_origin_of(origin: &str, host: &str) -> bool {
    let named = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://")).and_then(authority);
    named.is_some() && named == authority(host)
}

/// Host and port for comparison; no port, 80 and 443 are equal, since the scheme is ignored.
fn authority(host: &str) -> Option<(String, u16)> {
    let url = Url::parse(&format!("http://{host}")).ok()?;
    let plain = url.path() == "/" && url.query().is_none() && url.username().is_empty() && url.fragment().is_none();
    let port = url.port().filter(|port| *port != 443).unwrap_or(80);
    plain.then(|| Some((url.host_str()?.to_owned(), port))).flatten()
}

/// Reads the whole body, within `timeout` and at the minimum rate. Bodies are small, so they are read before a service is called: then a
/// slow client does not hold a service's connection, and the call can be retried on another replica.
pub(crate) async fn body(mut body: Incoming, timeout: Duration) -> Result<Bytes, Error> {
    let announced = body.size_hint().exact().map_or(Ok(0), usize::try_from).map_err(|_| Error::BodyTooLarge)?;
    if announced > MAX_BODY_BYTES {
        return Err(Error::BodyTooLarge);
    }
    let started = Instant::now();
    let mut read = BytesMut::with_capacity(announced);
    loop {
        // The bytes received so far extend the time limit.
        let earned = Duration::from_millis(read.len() as u64 * 1000 / MIN_BODY_RATE);
        let deadline = started + timeout.min(RATE_GRACE + earned);
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
    fn is_from_own_origin_rejects_other_hosts() {
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
    fn check_rejects_requests_without_exactly_one_host() {
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

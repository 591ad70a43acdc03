//! Heads of requests: what the guard lets pass keeps every one of the guard's promises. A line each: method and address, then headers.

use std::net::IpAddr;

use gateway::{Head, is_acceptable, is_origin_of, paths};
use http::{HeaderName, HeaderValue, Method, Request, Uri, Version, request::Parts};
use service::Cidrs;

target!("requests", 15000, holds);

/// The largest head that is acceptable, in bytes.
const MAX_HEAD_BYTES: usize = 16 * 1024;

/// The head that an input spells, as far as a server's own reader would let it through.
fn head(input: &[u8]) -> Option<Head> {
    let mut lines = input.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).skip_while(|line| line.is_empty());
    let mut words = lines.next()?.split(|byte| *byte == b' ');
    let (method, address, version) = (words.next()?, words.next()?, words.next());
    let (mut parts, ()): (Parts, ()) = Request::new(()).into_parts();
    parts.method = Method::from_bytes(method).ok()?;
    parts.uri = Uri::try_from(address).ok()?;
    parts.version = match version {
        Some(b"HTTP/1.0") => Version::HTTP_10,
        Some(b"HTTP/2") => Version::HTTP_2,
        _ => Version::HTTP_11,
    };
    for line in lines.take_while(|line| !line.is_empty()) {
        let colon = line.iter().position(|byte| *byte == b':')?;
        let name = HeaderName::from_bytes(&line[..colon]).ok()?;
        let value = HeaderValue::from_bytes(line[colon + 1..].trim_ascii()).ok()?;
        parts.headers.try_append(name, value).ok()?;
    }
    Some(Head::new(parts, IpAddr::from([203, 0, 113, 9]), false, &Cidrs::default()))
}

fn holds(input: &[u8]) {
    let Some(head) = head(input) else { return };
    if !is_acceptable(&head) {
        return;
    }
    let values = |name: &str| head.headers.get_all(name).into_iter().map(HeaderValue::as_bytes).collect::<Vec<_>>();

    // One host, and nothing in it but a name or an address and a port. HTTP/1.0 alone may name none.
    let hosts = values("host");
    assert!(hosts.len() <= 1, "{hosts:?}");
    if head.host.is_empty() {
        assert!(head.version < Version::HTTP_11 && hosts.is_empty(), "{head:?}");
    }
    let is_of_a_host = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
    assert!(head.host.bytes().all(is_of_a_host), "{:?}", head.host);

    assert!(!matches!(head.method, Method::CONNECT | Method::TRACE));
    assert!(head.path().starts_with("/img/") || paths::segments(head.path()).is_some(), "{:?}", head.path());

    let line = head.method.as_str().len() + head.address.as_str().len();
    let bytes = head.headers.iter().fold(line, |sum, (name, value)| sum + name.as_str().len() + value.len());
    assert!(bytes <= MAX_HEAD_BYTES, "{bytes}");

    if !matches!(head.method, Method::GET | Method::HEAD | Method::OPTIONS) {
        for origin in values("origin") {
            let is_own = std::str::from_utf8(origin).is_ok_and(|origin| is_origin_of(origin, &head.host));
            assert!(is_own, "{:?} writes to {}", String::from_utf8_lossy(origin), head.host);
        }
        let sites = values("sec-fetch-site");
        assert!(sites.iter().all(|site| matches!(*site, b"same-origin" | b"none")), "{sites:?}");
    }
}

#[test]
fn corpus_has_requests_of_both_outcomes() {
    let heads: Vec<_> = crate::corpora::inputs("requests").iter().filter_map(|input| head(input)).collect();
    let (passed, refused): (Vec<_>, Vec<_>) = heads.iter().partition(|head| is_acceptable(head));
    assert!(passed.iter().any(|head| head.method == Method::POST), "a write passes");
    assert!(passed.len() >= 10 && refused.len() >= 10, "{} pass and {} do not", passed.len(), refused.len());
}

//! A request to a service: written once, and sent as often as needed.

use bytes::Bytes;
use http::{
    HeaderMap, Method, Request, Uri,
    header::{self, HeaderValue},
    uri::PathAndQuery,
};
use http_body_util::Full;

/// A request to a service.
pub(crate) struct Call(Request<Full<Bytes>>);

impl Call {
    /// A request for an address; its headers name a host, and the body's length is added to them.
    pub(crate) fn new(method: Method, address: PathAndQuery, mut headers: HeaderMap, body: Bytes) -> Self {
        // Methods whose requests usually have no body announce none (RFC 9110 section 8.6).
        if body.is_empty() && matches!(method, Method::GET | Method::HEAD | Method::OPTIONS) {
            headers.remove(header::CONTENT_LENGTH);
        } else {
            headers.insert(header::CONTENT_LENGTH, HeaderValue::from(body.len()));
        }
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = method;
        *request.uri_mut() = Uri::from(address);
        *request.headers_mut() = headers;
        Self(request)
    }

    /// A GET without a body.
    pub(crate) fn get(address: PathAndQuery, headers: HeaderMap) -> Self {
        Self::new(Method::GET, address, headers, Bytes::new())
    }

    /// The path it is for.
    pub(crate) fn path(&self) -> &str {
        self.0.uri().path()
    }

    /// Whether its response has no body.
    pub(super) fn is_head(&self) -> bool {
        self.0.method() == Method::HEAD
    }

    /// The request, for one try.
    pub(super) fn request(&self) -> Request<Full<Bytes>> {
        self.0.clone()
    }

    /// Whether sending it twice has the effect of sending it once. The check that opens a session is not idempotent although it is a
    /// GET: its first response carries the cookie, a second one would not. A browser's return with its SIM's number counts once, too.
    pub(super) fn is_idempotent(&self) -> bool {
        let counts_once = ["/api/subscribe/check-sub", "/api/subscribe/verify-number"];
        let counts_once = counts_once.iter().any(|path| self.path().starts_with(path));
        let method = self.0.method();
        !counts_once && matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS | Method::PUT | Method::DELETE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(method: Method, address: &'static str, body: &'static str) -> Call {
        Call::new(method, PathAndQuery::from_static(address), HeaderMap::new(), Bytes::from_static(body.as_bytes()))
    }

    #[test]
    fn the_length_is_announced_where_a_body_may_be_expected() {
        for (method, body, expected) in [
            (Method::GET, "", None),
            (Method::HEAD, "", None),
            (Method::OPTIONS, "", None),
            (Method::GET, "{}", Some("2")),
            (Method::POST, "{}", Some("2")),
            (Method::POST, "", Some("0")),
            (Method::DELETE, "", Some("0")),
        ] {
            let request = call(method.clone(), "/", body).request();
            let length = request.headers().get(header::CONTENT_LENGTH).map(|length| length.to_str().unwrap());
            assert_eq!(length, expected, "{method} {body}");
        }
    }

    #[test]
    fn writes_and_the_check_that_opens_a_session_are_not_idempotent() {
        for (method, address, expected) in [
            (Method::GET, "/api/meme/random?a=b", true),
            (Method::DELETE, "/api/meme/unlike", true),
            (Method::PUT, "/api/meme/like", true),
            (Method::POST, "/api/meme/postlike", false),
            (Method::PATCH, "/api/meme/postlike", false),
            (Method::GET, "/api/subscribe/me", true),
            (Method::GET, "/api/subscribe/check-sub?msisdn=1", false),
            (Method::GET, "/api/subscribe/verify-number/return?state=1", false),
        ] {
            assert_eq!(call(method.clone(), address, "").is_idempotent(), expected, "{method} {address}");
        }
    }
}

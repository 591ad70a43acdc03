//! A call as it leaves for a service: written down once, however often it is sent.

use std::net::IpAddr;

use actix_web::http::{
    Method,
    header::{self, HeaderName},
    uri::PathAndQuery,
};

/// Room for headers: most browsers' fit.
const USUAL_BYTES: usize = 1024;

/// Headers as they go over the wire, in the order they were named.
pub(crate) struct Headers(Vec<u8>);

impl Headers {
    pub(crate) fn new() -> Self {
        Self(Vec::with_capacity(USUAL_BYTES))
    }

    /// Adds what came as a header.
    pub(crate) fn add(&mut self, name: &[u8], value: &[u8]) {
        self.line(name, |line| line.extend_from_slice(value));
    }

    /// Adds a header of ours; what can be no header's value is left out.
    pub(crate) fn add_text(&mut self, name: &HeaderName, value: &str) {
        // All of it, which takes less time than to stop at the first that is wrong.
        if !value.bytes().fold(false, |wrong, b| wrong | b.is_ascii_control()) {
            self.line(name.as_str().as_bytes(), |line| line.extend_from_slice(value.as_bytes()));
        }
    }

    /// Adds a header of ours that names an address.
    pub(crate) fn add_addr(&mut self, name: &HeaderName, addr: IpAddr) {
        match addr {
            // It is in every call, and the standard library's way with it costs as much as all its other headers together.
            IpAddr::V4(addr) => self.line(name.as_str().as_bytes(), |line| {
                for (place, octet) in addr.octets().into_iter().enumerate() {
                    if place > 0 {
                        line.push(b'.');
                    }
                    line.extend_from_slice(itoa::Buffer::new().format(octet).as_bytes());
                }
            }),
            IpAddr::V6(addr) => self.add_text(name, &addr.to_string()),
        }
    }

    fn line(&mut self, name: &[u8], value: impl FnOnce(&mut Vec<u8>)) {
        self.0.extend_from_slice(name);
        self.0.extend_from_slice(b": ");
        value(&mut self.0);
        self.0.extend_from_slice(b"\r\n");
    }
}

/// A call, ready to be sent.
pub(crate) struct Call {
    method: Method,
    address: PathAndQuery,
    message: Vec<u8>,
}

impl Call {
    /// A call for an address; its headers name a host, and not the body's length.
    pub(crate) fn new(method: Method, address: PathAndQuery, headers: &Headers, body: &[u8]) -> Self {
        let mut message = Vec::with_capacity(address.as_str().len() + headers.0.len() + body.len() + 64);
        for part in [method.as_str(), " ", address.as_str(), " HTTP/1.1\r\n"] {
            message.extend_from_slice(part.as_bytes());
        }
        message.extend_from_slice(&headers.0);
        // Of what nobody expects to have a body, none is announced (RFC 9110 section 8.6).
        if !body.is_empty() || !matches!(method, Method::GET | Method::HEAD | Method::OPTIONS) {
            for part in [header::CONTENT_LENGTH.as_str(), ": ", itoa::Buffer::new().format(body.len()), "\r\n"] {
                message.extend_from_slice(part.as_bytes());
            }
        }
        message.extend_from_slice(b"\r\n");
        message.extend_from_slice(body);
        Self { method, address, message }
    }

    /// A GET.
    pub(crate) fn get(address: PathAndQuery, headers: &Headers) -> Self {
        Self::new(Method::GET, address, headers, &[])
    }

    /// The path it is for.
    pub(crate) fn path(&self) -> &str {
        self.address.path()
    }

    /// Whether its reply is a head alone.
    pub(super) fn is_head(&self) -> bool {
        self.method == Method::HEAD
    }

    /// All of it, as it goes over the wire.
    pub(super) fn message(&self) -> &[u8] {
        &self.message
    }

    /// Whether doing it twice is doing it once. Not so for the check that opens a session: its first answer carries the
    /// cookie, a second one would not.
    pub(super) fn idempotent(&self) -> bool {
        let opens_session = self.path().starts_with("/api/subscribe/check-sub");
        !opens_session
            && matches!(self.method, Method::GET | Method::HEAD | Method::OPTIONS | Method::PUT | Method::DELETE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(method: Method, body: &str) -> String {
        let mut headers = Headers::new();
        headers.add(b"accept", b"*/*");
        headers.add_text(&header::HOST, "memeworld");
        headers.add_text(&header::COOKIE, "a\r\nb");
        headers.add_addr(&header::FORWARDED, IpAddr::from([10, 0, 200, 7]));
        headers.add_addr(&header::FORWARDED, IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]));
        let call = Call::new(method, PathAndQuery::from_static("/a?b=c"), &headers, body.as_bytes());
        String::from_utf8(call.message().to_owned()).unwrap()
    }

    #[test]
    fn a_call_is_one_message() {
        let head = "accept: */*\r\nhost: memeworld\r\nforwarded: 10.0.200.7\r\nforwarded: ::1\r\n";
        assert_eq!(sent(Method::GET, ""), format!("GET /a?b=c HTTP/1.1\r\n{head}\r\n"));
        assert_eq!(sent(Method::POST, "{}"), format!("POST /a?b=c HTTP/1.1\r\n{head}content-length: 2\r\n\r\n{{}}"));
        assert_eq!(sent(Method::DELETE, ""), format!("DELETE /a?b=c HTTP/1.1\r\n{head}content-length: 0\r\n\r\n"));
    }
}

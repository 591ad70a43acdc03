//! A request's head, as handlers get it.

use std::net::IpAddr;

use http::{
    HeaderMap, Method, Version,
    header::{self, HeaderName},
    request::Parts,
    uri::PathAndQuery,
};
use service::Cidrs;

use crate::{client_addr::Client, host_cookies};

/// The request's id: in logs, in calls to services and in the response.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// A request's head.
#[derive(Clone, Debug)]
pub struct Head {
    /// Its method.
    pub method: Method,
    /// Its HTTP version.
    pub version: Version,
    /// Path and query as sent; `*` without a path (`OPTIONS *`).
    pub address: PathAndQuery,
    /// Every header.
    pub headers: HeaderMap,
    /// Its host and port; empty if there is none, several or an invalid one.
    pub host: String,
    /// The client.
    pub client: Client,
}

impl Head {
    /// Builds the head of a request on a connection from `peer`; `tls` tells whether it uses our TLS, and `proxies` are trusted about the client.
    pub fn new(parts: Parts, peer: IpAddr, tls: bool, proxies: &Cidrs) -> Self {
        let client = Client::of(&parts.headers, peer, tls, proxies);
        let host = host(&parts).unwrap_or_default();
        let address = parts.uri.path_and_query().cloned().unwrap_or_else(|| PathAndQuery::from_static("/"));
        let mut headers = parts.headers;
        if client.https {
            host_cookies::read(&mut headers);
        }
        Self { method: parts.method, version: parts.version, address, headers, host, client }
    }

    /// The path, as it was sent.
    pub fn path(&self) -> &str {
        self.address.path()
    }

    /// The query string.
    pub fn query(&self) -> Option<&str> {
        self.address.query()
    }

    /// Whether it is a GET or a HEAD.
    pub fn is_read(&self) -> bool {
        matches!(self.method, Method::GET | Method::HEAD)
    }

    /// The value of the first cookie with this name (RFC 6265 section 5.4), as sent.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        self.headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|cookies| str::from_utf8(cookies.as_bytes()).ok())
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|pair| pair.split_once('='))
            .find_map(|(named, value)| (named.trim() == name).then_some(value.trim()))
    }

    /// Whether its body has this content type, without parameters.
    pub fn has_content_type(&self, expected: &str) -> bool {
        let announced = self.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        announced
            .and_then(|value| value.split(';').next())
            .is_some_and(|kind| kind.trim().eq_ignore_ascii_case(expected))
    }
}

/// The host of a request, if there is exactly one valid one. An absolute URL has precedence over the header (RFC 9112 section 3.2.2).
fn host(parts: &Parts) -> Option<String> {
    let mut headers = parts.headers.get_all(header::HOST).iter();
    let header = match (headers.next(), headers.next()) {
        (header, None) => header,
        _ => return None,
    };
    if let Some(header) = header {
        let header = header.to_str().ok().filter(|host| is_host(host))?;
        return Some(parts.uri.authority().map_or(header, |authority| authority.as_str()).to_owned())
            .filter(|host| is_host(host));
    }
    parts.uri.authority().map(|authority| authority.as_str().to_owned()).filter(|host| is_host(host))
}

/// Whether a text is `host` or `host:port` (RFC 9110 section 7.2): a name, an IPv4 address or a bracketed IPv6 address.
fn is_host(text: &str) -> bool {
    let (name, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((name, "")) => (name, None),
        Some((name, rest)) => match rest.strip_prefix(':') {
            Some(port) => (name, Some(port)),
            None => return false,
        },
        None => text.split_once(':').map_or((text, None), |(name, port)| (name, Some(port))),
    };
    let is_bracketed = text.starts_with('[');
    let is_name = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'.' | b'_');
    let named = match is_bracketed {
        true => name.parse::<std::net::Ipv6Addr>().is_ok(),
        false => !name.is_empty() && name.len() <= 253 && name.bytes().all(is_name),
    };
    named
        && port.is_none_or(|port| {
            port.is_empty() || port.parse::<u16>().is_ok_and(|_| port.bytes().all(|b| b.is_ascii_digit()))
        })
}

#[cfg(test)]
pub(crate) mod tests {
    use http::Request;

    use super::*;

    /// A head as from a connection of 127.0.0.1.
    pub(crate) fn head(request: http::request::Builder) -> Head {
        let (parts, ()) = request.body(()).unwrap().into_parts();
        Head::new(parts, IpAddr::from([127, 0, 0, 1]), false, &Cidrs::default())
    }

    #[test]
    fn new_accepts_one_valid_host() {
        for good in
            ["tt.localhost", "tt.localhost:8080", "127.0.0.1", "[::1]:80", "[::1]", "a_b.example:", "XN--x.example"]
        {
            assert_eq!(head(Request::get("/").header("host", good)).host, good);
        }
        for bad in [
            "", " ", "a b", "a/b", "a@b", "\"a\"", "a:b", "a:70000", "a:+1", "[::1", "[a]", "::1", "a,b", "a?b", "a#b",
            "*",
        ] {
            assert_eq!(head(Request::get("/").header("host", bad)).host, "", "{bad}");
        }
        assert_eq!(head(Request::get("/").header("host", "a").header("host", "a")).host, "");
        assert_eq!(head(Request::get("http://b.example/").header("host", "a")).host, "b.example");
        assert_eq!(head(Request::get("http://u@b.example/").header("host", "a")).host, "");
        assert_eq!(head(Request::get("http://b.example/")).host, "b.example");
        assert_eq!(head(Request::get("/")).host, "");
    }

    #[test]
    fn cookie_returns_the_first_value() {
        let head = head(Request::get("/").header("cookie", "a=1; b = 2 ;c").header("cookie", "a=3; d=4"));
        assert_eq!((head.cookie("a"), head.cookie("b"), head.cookie("d")), (Some("1"), Some("2"), Some("4")));
        assert_eq!((head.cookie("c"), head.cookie("e")), (None, None));
    }
}

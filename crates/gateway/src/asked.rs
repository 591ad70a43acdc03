//! What is asked of us, whoever read it: the server, or the lane beside it. Rules that are written for this hold on both ways.

use std::net::SocketAddr;

use actix_web::{
    HttpRequest,
    http::{
        Method,
        header::{self, HeaderName},
        uri::PathAndQuery,
    },
};
use web::Plain;

/// A request.
pub trait Asked {
    /// Its method.
    fn verb(&self) -> &Method;
    /// Its path, as it was sent.
    fn place(&self) -> &str;
    /// What follows the path's question mark.
    fn question(&self) -> Option<&str>;
    /// Path and query, unchanged.
    fn address(&self) -> PathAndQuery;
    /// The host it was sent to.
    fn host(&self) -> Option<&str>;
    /// Every header by its lower-case name.
    fn lines(&self) -> impl Iterator<Item = (&[u8], &[u8])>;
    /// Whose connection it came over.
    fn peer(&self) -> Option<SocketAddr>;
    /// Whether it came over TLS of our own.
    fn is_secure(&self) -> bool;

    /// The values of all headers of a name.
    fn values(&self, name: &HeaderName) -> impl Iterator<Item = &[u8]> {
        self.lines().filter(move |(named, _)| name.as_str().as_bytes() == *named).map(|(_, value)| value)
    }

    /// Whether it has a header of this name.
    fn has(&self, name: &HeaderName) -> bool {
        self.values(name).next().is_some()
    }

    /// The value of the first cookie of a name (RFC 6265 section 5.4), as it was sent.
    fn cookie_value(&self, name: &str) -> Option<&str> {
        self.values(&header::COOKIE)
            .filter_map(|cookies| str::from_utf8(cookies).ok())
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|pair| pair.split_once('='))
            .find_map(|(named, value)| (named.trim() == name).then_some(value.trim()))
    }
}

impl Asked for HttpRequest {
    fn verb(&self) -> &Method {
        self.method()
    }

    fn place(&self) -> &str {
        self.uri().path()
    }

    fn question(&self) -> Option<&str> {
        self.uri().query()
    }

    fn address(&self) -> PathAndQuery {
        self.uri().path_and_query().cloned().unwrap_or_else(|| PathAndQuery::from_static("/"))
    }

    /// An absolute address counts before the header.
    fn host(&self) -> Option<&str> {
        match self.uri().authority() {
            Some(authority) => Some(authority.as_str()),
            None => self.headers().get(header::HOST)?.to_str().ok(),
        }
    }

    fn lines(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.headers().iter().map(|(name, value)| (name.as_str().as_bytes(), value.as_bytes()))
    }

    fn peer(&self) -> Option<SocketAddr> {
        self.peer_addr()
    }

    fn is_secure(&self) -> bool {
        self.app_config().secure()
    }

    fn values(&self, name: &HeaderName) -> impl Iterator<Item = &[u8]> {
        self.headers().get_all(name).map(|value| value.as_bytes())
    }
}

impl Asked for Plain {
    fn verb(&self) -> &Method {
        self.method()
    }

    fn place(&self) -> &str {
        Plain::address(self).path()
    }

    fn question(&self) -> Option<&str> {
        Plain::address(self).query()
    }

    fn address(&self) -> PathAndQuery {
        Plain::address(self).clone()
    }

    fn host(&self) -> Option<&str> {
        std::str::from_utf8(self.headers().get(header::HOST.as_str())?).ok().filter(|host| host.is_ascii())
    }

    fn lines(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.headers().iter()
    }

    fn peer(&self) -> Option<SocketAddr> {
        self.peer
    }

    fn is_secure(&self) -> bool {
        false
    }
}

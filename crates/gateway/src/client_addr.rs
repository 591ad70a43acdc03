//! The client's address and scheme: from the connection, or from a trusted proxy's headers.

use std::net::IpAddr;

use http::{
    HeaderMap,
    header::{HeaderName, HeaderValue},
};
use service::{Cidrs, forwarded_pair};

/// The addresses that a request has passed through.
pub(crate) const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The client's scheme.
pub(crate) const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The standard's header for both (RFC 7239), which counts where a proxy sends none of the others.
const FORWARDED: HeaderName = HeaderName::from_static("forwarded");

/// The client of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// Its address; IPv4-mapped IPv6 addresses count as IPv4.
    pub addr: IpAddr,
    /// Whether it uses https, to us or to the proxy in front of us.
    pub https: bool,
}

impl Client {
    /// The client of a request on a connection from `peer`: the peer itself or, if it is a trusted proxy, the client that the proxy names.
    /// `own` tells whether the connection uses our TLS.
    pub fn of(headers: &HeaderMap, peer: IpAddr, own: bool, trusted: &Cidrs) -> Self {
        let values =
            |name: &HeaderName| headers.get_all(name).into_iter().map(HeaderValue::as_bytes).collect::<Vec<_>>();
        let addr = trusted.client(peer, values(&FORWARDED_FOR).into_iter(), values(&FORWARDED).into_iter());
        let last = |name: &HeaderName| {
            let value = headers.get_all(name).iter().next_back().filter(|_| trusted.contain(peer))?;
            value.to_str().unwrap_or_default().rsplit(',').next()
        };
        let proto = last(&FORWARDED_PROTO).or_else(|| forwarded_pair(last(&FORWARDED)?, "proto"));
        let is_https = |proto: &str| proto.trim().trim_matches('"').eq_ignore_ascii_case("https");
        Self { addr, https: proto.map_or(own, is_https) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_uses_forwarded_headers_of_trusted_proxies_only() {
        for (proxies, protos, client, https) in [
            ("", &["https"][..], "10.0.0.1", false),
            ("10.0.0.0/8", &[], "1.2.3.4", false),
            ("10.0.0.0/8", &["HTTPS"], "1.2.3.4", true),
            ("10.0.0.0/8", &["https", "http, https"], "1.2.3.4", true),
            ("10.0.0.0/8", &["https, http"], "1.2.3.4", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(FORWARDED_FOR, HeaderValue::from_static("1.2.3.4"));
            for proto in protos {
                headers.append(FORWARDED_PROTO, HeaderValue::from_static(proto));
            }
            let found = Client::of(&headers, "10.0.0.1".parse().unwrap(), false, &proxies.parse().unwrap());
            assert_eq!(found, Client { addr: client.parse().unwrap(), https }, "{proxies:?} {protos:?}");
        }
    }
}

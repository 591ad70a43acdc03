//! The client's address and scheme: from the connection, or from a trusted proxy's headers.

use std::net::IpAddr;

use http::{
    HeaderMap,
    header::{HeaderName, HeaderValue},
};
use service::Cidrs;

/// The addresses that a request has passed through.
pub(crate) const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The client's scheme.
pub(crate) const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

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
        let addr = trusted.client(peer, headers.get_all(&FORWARDED_FOR).iter().map(HeaderValue::as_bytes));
        let proto = trusted.contain(peer).then(|| headers.get_all(&FORWARDED_PROTO).iter().next_back()).flatten();
        let last = |value: &HeaderValue| {
            let text = value.to_str().unwrap_or_default();
            text.rsplit(',').next().unwrap_or_default().trim().eq_ignore_ascii_case("https")
        };
        Self { addr, https: proto.map_or(own, last) }
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

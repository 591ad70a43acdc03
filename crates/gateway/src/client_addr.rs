//! The client's address and scheme: from the connection, or from a trusted proxy's headers.

use std::net::IpAddr;

use http::{HeaderMap, header::HeaderName};
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
        let peer = peer.to_canonical();
        if !trusted.contain(peer) {
            return Self { addr: peer, https: own };
        }
        let values = |name: HeaderName| -> Vec<String> {
            headers
                .get_all(&name)
                .iter()
                // Decoded byte by byte, so that a client's invalid UTF-8 does not make the proxy's part unreadable.
                .map(|value| String::from_utf8_lossy(value.as_bytes()))
                .flat_map(|value| value.split(',').map(|part| part.trim().to_owned()).collect::<Vec<_>>())
                .collect()
        };
        // Each proxy appends the address it saw; the last one that is not a trusted proxy is the client's.
        let mut addr = peer;
        for hop in values(FORWARDED_FOR).iter().rev() {
            let Ok(hop) = hop.parse::<IpAddr>() else { break };
            addr = hop.to_canonical();
            if !trusted.contain(addr) {
                break;
            }
        }
        let https = values(FORWARDED_PROTO).last().map_or(own, |proto| proto.eq_ignore_ascii_case("https"));
        Self { addr, https }
    }
}

#[cfg(test)]
mod tests {
    use http::header::HeaderValue;

    use super::*;

    fn client(proxies: &str, peer: &str, forwarded: &[&str]) -> Client {
        let mut headers = HeaderMap::new();
        headers.insert(FORWARDED_PROTO, HeaderValue::from_static("https"));
        for value in forwarded {
            // Characters up to U+00FF stand for bytes.
            let bytes: Vec<u8> = value.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
            headers.append(FORWARDED_FOR, HeaderValue::from_bytes(&bytes).unwrap());
        }
        Client::of(&headers, peer.parse().unwrap(), false, &proxies.parse().unwrap())
    }

    #[test]
    fn of_uses_forwarded_headers_of_trusted_proxies_only() {
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        let stranger = client("", "10.0.0.1", &["1.2.3.4"]);
        assert_eq!(stranger, Client { addr: ip("10.0.0.1"), https: false });
        for (forwarded, expected) in [
            (&["1.2.3.4"][..], "1.2.3.4"),
            (&["6.6.6.6, 1.2.3.4"], "1.2.3.4"),
            (&["6.6.6.6", "1.2.3.4, 10.0.0.7"], "1.2.3.4"),
            (&["garbage, 10.0.0.7"], "10.0.0.7"),
            (&["\u{ff}, 1.2.3.4"], "1.2.3.4"),
            (&[], "10.0.0.1"),
        ] {
            let proxied = client("10.0.0.0/8, 192.168.0.1", "10.0.0.1", forwarded);
            assert_eq!(proxied, Client { addr: ip(expected), https: true }, "{forwarded:?}");
        }
    }
}

//! Who is asking, and over what: the connection's own word, or a trusted proxy's.

use std::net::IpAddr;

use actix_web::http::header::HeaderName;
use web::Cidrs;

use crate::asked::Asked;

/// The addresses that a request has passed.
pub(crate) const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// What the client spoke.
pub(crate) const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The client of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// Its address; an IPv4 address in IPv6's clothes is that IPv4 address.
    pub addr: IpAddr,
    /// Whether it speaks https, to us or to the proxy before us.
    pub https: bool,
}

impl Client {
    /// The client behind a request: the connection's peer, or, where that is one of the trusted proxies, what it says.
    pub fn of(req: &impl Asked, trusted: &Cidrs) -> Self {
        let peer = req.peer().map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.ip().to_canonical());
        let own = req.is_secure();
        if !trusted.contain(peer) {
            return Self { addr: peer, https: own };
        }
        let values = |name: HeaderName| -> Vec<String> {
            req.values(&name)
                // Whatever a client wrote before it, what a proxy added stays readable.
                .map(|value| String::from_utf8_lossy(value))
                .flat_map(|value| value.split(',').map(|part| part.trim().to_owned()).collect::<Vec<_>>())
                .collect()
        };
        // Each proxy adds the address it saw at the end; the last one that no trusted proxy owns is the client's.
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
    use actix_web::{http::header::HeaderValue, test::TestRequest};

    use super::*;

    fn client(proxies: &str, peer: &str, forwarded: &[&str]) -> Client {
        let mut req = TestRequest::get()
            .peer_addr(format!("{peer}:9").parse().unwrap())
            .insert_header(("x-forwarded-proto", "https"));
        for value in forwarded {
            // Characters up to U+00FF stand for bytes.
            let bytes: Vec<u8> = value.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
            req = req.append_header(("x-forwarded-for", HeaderValue::from_bytes(&bytes).unwrap()));
        }
        Client::of(&req.to_http_request(), &proxies.parse().unwrap())
    }

    #[test]
    fn only_a_trusted_proxy_is_believed() {
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

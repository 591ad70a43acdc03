//! Who is asking, and over what: the connection's own word, or a trusted proxy's.

use std::{net::IpAddr, str::FromStr};

use actix_web::HttpRequest;
use ipnet::IpNet;

/// The networks whose `X-Forwarded-*` headers are believed.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies(pub Vec<IpNet>);

impl FromStr for TrustedProxies {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(|part| {
                part.parse::<IpNet>()
                    .or_else(|_| part.parse::<IpAddr>().map(IpNet::from))
                    .map_err(|_| format!("{part:?} is no network like 10.0.0.0/8"))
            })
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

/// The client of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Client {
    pub(crate) addr: IpAddr,
    pub(crate) https: bool,
}

impl TrustedProxies {
    pub(crate) fn trust(&self, peer: IpAddr) -> bool {
        let peer = peer.to_canonical();
        self.0.iter().any(|net| net.contains(&peer))
    }

    /// The client behind a request: the connection's peer, or, where that is a trusted proxy, what it says.
    pub(crate) fn client(&self, req: &HttpRequest) -> Client {
        let peer = req.peer_addr().map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.ip().to_canonical());
        if !self.trust(peer) {
            return Client { addr: peer, https: false };
        }
        let values = |name: &str| -> Vec<String> {
            req.headers()
                .get_all(name)
                .filter_map(|value| value.to_str().ok())
                .flat_map(|value| value.split(','))
                .map(|value| value.trim().to_owned())
                .collect()
        };
        // Each proxy adds the address it saw at the end; the last one that no trusted proxy owns is the client's.
        let mut addr = peer;
        for hop in values("x-forwarded-for").iter().rev() {
            let Ok(hop) = hop.parse::<IpAddr>() else { break };
            addr = hop.to_canonical();
            if !self.trust(addr) {
                break;
            }
        }
        let https = values("x-forwarded-proto").last().is_some_and(|proto| proto.eq_ignore_ascii_case("https"));
        Client { addr, https }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn client(proxies: &str, peer: &str, forwarded: &[&str]) -> Client {
        let mut req = TestRequest::get()
            .peer_addr(format!("{peer}:9").parse().unwrap())
            .insert_header(("x-forwarded-proto", "https"));
        for value in forwarded {
            req = req.append_header(("x-forwarded-for", *value));
        }
        proxies.parse::<TrustedProxies>().unwrap().client(&req.to_http_request())
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
            (&[], "10.0.0.1"),
        ] {
            let proxied = client("10.0.0.0/8, 192.168.0.1", "10.0.0.1", forwarded);
            assert_eq!(proxied, Client { addr: ip(expected), https: true }, "{forwarded:?}");
        }
        assert!("10.0.0.0/99".parse::<TrustedProxies>().is_err());
    }
}

//! Ranges of IP addresses, as in settings.

use std::{net::IpAddr, str::FromStr};

use ipnet::{IpNet, Ipv4Net};

/// Networks like `10.0.0.0/8` and single addresses, separated by commas. The empty string contains no address.
#[derive(Clone, Debug, Default, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct Cidrs(Vec<IpNet>);

impl TryFrom<String> for Cidrs {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for Cidrs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(|part| {
                part.parse::<IpNet>()
                    .or_else(|_| part.parse::<IpAddr>().map(IpNet::from))
                    .map(unmapped)
                    .map_err(|_| format!("{part:?} is no network like 10.0.0.0/8"))
            })
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

/// IPv4-mapped IPv6 networks count as IPv4.
fn unmapped(net: IpNet) -> IpNet {
    let IpNet::V6(v6) = net else { return net };
    let addr = v6.addr().to_ipv4_mapped();
    let bits = v6.prefix_len().checked_sub(96);
    addr.zip(bits).and_then(|(addr, bits)| Ipv4Net::new(addr, bits).ok()).map_or(net, IpNet::V4)
}

impl Cidrs {
    /// Whether the address is in one of them. IPv4-mapped IPv6 addresses count as IPv4.
    pub fn contain(&self, addr: IpAddr) -> bool {
        let addr = addr.to_canonical();
        self.0.iter().any(|net| net.contains(&addr))
    }

    /// The address of the client of a request on a connection from `peer`: `peer` itself or, if it is one of these proxies, the client that
    /// the values of `X-Forwarded-For` name. Each proxy appends the address that it saw; the last one that is no proxy is the client's.
    pub fn client<'a>(&self, peer: IpAddr, forwarded_for: impl DoubleEndedIterator<Item = &'a [u8]>) -> IpAddr {
        let mut addr = peer.to_canonical();
        if !self.contain(addr) {
            return addr;
        }
        for value in forwarded_for.rev() {
            // Decoded byte by byte, so that a client's invalid UTF-8 does not make the proxy's part unreadable.
            for hop in String::from_utf8_lossy(value).split(',').rev() {
                let Ok(hop) = hop.trim().parse::<IpAddr>() else { return addr };
                addr = hop.to_canonical();
                if !self.contain(addr) {
                    return addr;
                }
            }
        }
        addr
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contain_matches_networks_and_single_addresses() {
        let some: Cidrs = "10.0.0.0/8, 192.0.2.7,, ::1".parse().unwrap();
        for (addr, inside) in
            [("10.1.2.3", true), ("::ffff:10.1.2.3", true), ("192.0.2.7", true), ("192.0.2.8", false), ("::1", true)]
        {
            assert_eq!(some.contain(addr.parse().unwrap()), inside, "{addr}");
        }
        let mapped: Cidrs = "::ffff:10.0.0.0/104, ::ffff:192.0.2.7".parse().unwrap();
        assert!(mapped.contain([10, 1, 2, 3].into()) && mapped.contain([192, 0, 2, 7].into()));
        assert!(!"".parse::<Cidrs>().unwrap().contain([10, 0, 0, 1].into()));
        for text in ["10.0.0.0/99", "everybody"] {
            assert!(text.parse::<Cidrs>().is_err(), "{text}");
        }
    }

    #[test]
    fn client_is_the_last_address_that_is_no_proxy() {
        for (proxies, forwarded, expected) in [
            ("", &["1.2.3.4"][..], "10.0.0.1"),
            ("10.0.0.0/8", &["1.2.3.4"], "1.2.3.4"),
            ("10.0.0.0/8", &["6.6.6.6, 1.2.3.4"], "1.2.3.4"),
            ("10.0.0.0/8", &["6.6.6.6", "1.2.3.4, 10.0.0.7"], "1.2.3.4"),
            ("10.0.0.0/8", &["::ffff:1.2.3.4"], "1.2.3.4"),
            ("10.0.0.0/8", &["garbage, 10.0.0.7"], "10.0.0.7"),
            ("10.0.0.0/8", &["\u{ff}, 1.2.3.4"], "1.2.3.4"),
            ("10.0.0.0/8", &[], "10.0.0.1"),
        ] {
            // Characters up to U+00FF stand for bytes.
            let values: Vec<Vec<u8>> = forwarded
                .iter()
                .map(|value| value.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect())
                .collect();
            let proxies: Cidrs = proxies.parse().unwrap();
            let client = proxies.client("10.0.0.1".parse().unwrap(), values.iter().map(Vec::as_slice));
            assert_eq!(client, expected.parse::<IpAddr>().unwrap(), "{proxies:?} {forwarded:?}");
        }
    }
}

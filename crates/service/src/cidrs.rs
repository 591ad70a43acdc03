//! Ranges of IP addresses, as in settings.

use std::{
    net::{IpAddr, SocketAddr},
    str::FromStr,
};

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

/// An address as proxies write it: with a port or without, IPv6 in brackets or without, in quotes or without. IPv4-mapped IPv6 addresses count
/// as IPv4. `None` for what stands there instead of one, `unknown` and `_hidden`.
pub fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text).trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    // The zone of a link-local address means something on the proxy alone.
    let bare = bare.split('%').next().unwrap_or(bare);
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    bare.parse::<IpAddr>().ok().or_else(with_port).map(|address| address.to_canonical())
}

/// The value of a pair in one element of `Forwarded`: `for="[2001:db8::7]:443";proto=https`.
pub fn forwarded_pair<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let pairs = element.split(';').filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(key, value)| (key.trim(), value.trim()))
        .find(|(key, _)| key.eq_ignore_ascii_case(name))
        .map(|(_, value)| value)
}

impl Cidrs {
    /// Whether the address is in one of them. IPv4-mapped IPv6 addresses count as IPv4.
    pub fn contain(&self, addr: IpAddr) -> bool {
        let addr = addr.to_canonical();
        self.0.iter().any(|net| net.contains(&addr))
    }

    /// The address of the client of a request on a connection from `peer`: `peer` itself or, if it is one of these proxies, the client that
    /// the values of `X-Forwarded-For` name or, where there is none, those of `Forwarded` (RFC 7239). Each proxy appends the address that it
    /// saw; the last one that is no proxy is the client's.
    pub fn client<'a>(
        &self,
        peer: IpAddr,
        forwarded_for: impl DoubleEndedIterator<Item = &'a [u8]>,
        forwarded: impl DoubleEndedIterator<Item = &'a [u8]>,
    ) -> IpAddr {
        let peer = peer.to_canonical();
        if !self.contain(peer) {
            return peer;
        }
        // Decoded byte by byte, so that a client's invalid UTF-8 does not make the proxy's part unreadable.
        let hops = |values: Vec<&'a [u8]>| -> Vec<String> {
            let texts = values.into_iter().map(|value| String::from_utf8_lossy(value).into_owned());
            texts.flat_map(|text| text.split(',').map(str::to_owned).collect::<Vec<_>>()).collect()
        };
        let mut named: Vec<Option<IpAddr>> = hops(forwarded_for.collect()).iter().map(|hop| address(hop)).collect();
        if named.is_empty() {
            named = hops(forwarded.collect()).iter().map(|hop| forwarded_pair(hop, "for").and_then(address)).collect();
        }
        let mut addr = peer;
        for hop in named.into_iter().rev() {
            let Some(hop) = hop else { return addr };
            addr = hop;
            if !self.contain(addr) {
                return addr;
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
            ("10.0.0.0/8", &["6.6.6.6, 1.2.3.4:51234, 10.0.0.7:80"], "1.2.3.4"),
        ] {
            // Characters up to U+00FF stand for bytes.
            let values: Vec<Vec<u8>> = forwarded
                .iter()
                .map(|value| value.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect())
                .collect();
            let proxies: Cidrs = proxies.parse().unwrap();
            let client =
                proxies.client("10.0.0.1".parse().unwrap(), values.iter().map(Vec::as_slice), std::iter::empty());
            assert_eq!(client, expected.parse::<IpAddr>().unwrap(), "{proxies:?} {forwarded:?}");
        }
    }
}

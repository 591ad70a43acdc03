//! Clients: CIDRs of trusted proxies, the connection's peer, and one `X-Forwarded-For` a line.

use std::net::IpAddr;

use gateway::Client;
use http::{HeaderMap, HeaderValue};
use service::Cidrs;

target!("proxies", 15000, holds);

fn client(trusted: &Cidrs, peer: IpAddr, forwarded: &[&[u8]]) -> Client {
    let mut headers = HeaderMap::new();
    headers.insert("x-forwarded-proto", HeaderValue::from_static("https"));
    for value in forwarded.iter().filter_map(|value| HeaderValue::from_bytes(value).ok()) {
        headers.append("x-forwarded-for", value);
    }
    Client::of(&headers, peer, false, trusted)
}

fn holds(input: &[u8]) {
    let mut lines = input.split(|byte| *byte == b'\n');
    let mut line = || std::str::from_utf8(lines.next().unwrap_or_default()).unwrap_or_default();
    let (networks, peer) = (line(), line().parse().unwrap_or(IpAddr::from([10, 0, 0, 1])));
    let Ok(trusted) = networks.parse::<Cidrs>() else { return };
    for addr in networks.split(',').filter_map(|part| part.trim().parse::<IpAddr>().ok()) {
        assert!(trusted.contain(addr), "{addr} of {networks}");
    }
    if let IpAddr::V4(v4) = peer {
        assert_eq!(trusted.contain(peer), trusted.contain(v4.to_ipv6_mapped().into()), "{peer}");
    }
    let mut forwarded: Vec<&[u8]> = lines.collect();
    let found = client(&trusted, peer, &forwarded);
    let own = peer.to_canonical();
    if !trusted.contain(peer) {
        assert_eq!(found, Client { addr: own, https: false }, "a peer that is not trusted set its address");
        return;
    }
    let named = || forwarded.iter().flat_map(|value| value.split(|byte| *byte == b','));
    let named_it = named().any(|hop| {
        let hop = String::from_utf8_lossy(hop);
        // With a port, an IPv6 address has brackets.
        let bare = hop.trim().trim_matches('"').trim_start_matches('[');
        let ends = [bare.len()].into_iter().chain(bare.match_indices([':', ']', '%']).map(|(end, _)| end));
        ends.filter_map(|end| bare.get(..end)?.parse::<IpAddr>().ok()).any(|hop| hop.to_canonical() == found.addr)
    });
    assert!(found.addr == own || named_it, "{} is neither the peer nor a forwarded address", found.addr);
    assert!(found.https);
    // What the proxy itself added counts, whatever its client wrote before.
    let visitor = IpAddr::from([203, 0, 113, 9]);
    if !trusted.contain(visitor) {
        forwarded.push(b"203.0.113.9");
        assert_eq!(client(&trusted, peer, &forwarded).addr, visitor);
    }
}

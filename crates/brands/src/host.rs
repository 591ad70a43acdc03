//! From a Host header to the label that picks a brand.

/// A host without its port, and without the dot that may end a whole name.
pub(crate) fn name_of(host: &str) -> &str {
    let name = host.rsplit_once(':').map_or(
        host,
        |(name, port)| {
            if port.bytes().all(|b| b.is_ascii_digit()) { name } else { host }
        },
    );
    name.strip_suffix('.').unwrap_or(name)
}

/// Whether a text is a host's whole name as certificates and addresses spell it: lower case, at least two labels, no IP address.
pub(crate) fn is_host_name(text: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let last = text.rsplit('.').next().unwrap_or_default();
    text.len() <= 253
        && text.contains('.')
        && text.split('.').all(is_label)
        && last.bytes().any(|b| b.is_ascii_lowercase())
}

/// Whether a host leaves the choice to the `domain` parameter (label 88).
pub(crate) fn takes_domain(host: &str) -> bool {
    label_of_host(host, None).is_none() && label_of_host(host, Some("any")).is_some()
}

/// The first label of a host, in lower case, without a port; `None` where there is none (an IP address, nothing).
pub fn first_label(host: &str) -> Option<String> {
    let name = name_of(host);
    // Of what ends in no digit and holds no colon, none is an address.
    let may_be_address = name.ends_with(|last: char| last.is_ascii_digit()) || name.contains(':');
    if name.starts_with('[') || may_be_address && name.parse::<std::net::IpAddr>().is_ok() {
        return None;
    }
    let label = name.split('.').next()?.trim().to_ascii_lowercase();
    (!label.is_empty()).then_some(label)
}

/// The label that picks the brand: the host's first label with a `demo` or `demo-` prefix removed (a first label that is only
/// `demo` gives way to the second), or, where that label is `88`, the `domain` parameter by the same rules.
pub fn label_of_host(host: &str, domain: Option<&str>) -> Option<String> {
    let label = own_label(host)?;
    if label == "88" { own_label(domain?).filter(|label| label != "88") } else { Some(label) }
}

/// A host's own label. Only one prefix is removed and only one label gives way: `demo.demo.demo.…` is nobody's host, however long.
fn own_label(host: &str) -> Option<String> {
    let first = without_demo(first_label(host)?);
    if !first.is_empty() {
        return Some(first);
    }
    let (_, rest) = host.split_once('.')?;
    Some(without_demo(first_label(rest)?)).filter(|second| !second.is_empty())
}

fn without_demo(label: String) -> String {
    match label.strip_prefix("demo") {
        Some(rest) => rest.trim_start_matches('-').to_owned(),
        None => label,
    }
}

#[cfg(test)]
mod tests {
    use super::label_of_host;

    #[test]
    fn the_label_is_the_hosts_first_without_its_demo_prefix() {
        for (host, expected) in [
            ("memeworld.localhost:8080", Some("memeworld")),
            ("MemeWorld.example.co.za", Some("memeworld")),
            ("demo-memeworld.example.co.za", Some("memeworld")),
            ("demomemeworld.example.co.za", Some("memeworld")),
            ("demo.madfunny.localhost", Some("madfunny")),
            ("demo-.madfunny.localhost", Some("madfunny")),
            ("memeworld", Some("memeworld")),
            ("127.0.0.1:8080", None),
            ("[::1]:8080", None),
            ("88.example.com", None),
            ("demo", None),
            ("demo.demo.madfunny.localhost", None),
            ("demo.127.0.0.1", None),
            ("", None),
        ] {
            assert_eq!(label_of_host(host, None).as_deref(), expected, "{host}");
        }
    }

    #[test]
    fn label_88_asks_the_domain_parameter() {
        for (domain, expected) in [
            (Some("memeworld"), Some("memeworld")),
            (Some("demo-ttmbhatv.example.com"), Some("ttmbhatv")),
            (Some("88"), None),
            (Some(""), None),
            (None, None),
        ] {
            assert_eq!(label_of_host("88.example.com:80", domain).as_deref(), expected, "{domain:?}");
        }
        for host in ["88.localhost", "demo88.localhost", "demo-88.localhost", "demo.88.localhost"] {
            assert_eq!(label_of_host(host, Some("memeworld")).as_deref(), Some("memeworld"), "{host}");
        }
        assert_eq!(label_of_host("memeworld.localhost", Some("ttmbhatv")).as_deref(), Some("memeworld"));
    }
}

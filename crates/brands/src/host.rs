//! The label that selects a brand, from a Host header.

/// A host without its port and its trailing dot.
pub(crate) fn name_of(host: &str) -> &str {
    let name = host.rsplit_once(':').map_or(
        host,
        |(name, port)| {
            if port.bytes().all(|b| b.is_ascii_digit()) { name } else { host }
        },
    );
    name.strip_suffix('.').unwrap_or(name)
}

/// Whether a text is a full host name in canonical form: lower case, at least two labels, not an IP address.
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

/// Whether the host's brand is chosen by the `domain` parameter (label 88).
pub(crate) fn takes_domain(host: &str) -> bool {
    label_of_host(host, None).is_none() && label_of_host(host, Some("any")).is_some()
}

/// The first label of a host, in lower case, without a port; `None` for an IP address or an empty host.
pub fn first_label(host: &str) -> Option<String> {
    let name = name_of(host);
    // An IP address ends in a digit or has a colon.
    let may_be_address = name.ends_with(|last: char| last.is_ascii_digit()) || name.contains(':');
    if name.starts_with('[') || may_be_address && name.parse::<std::net::IpAddr>().is_ok() {
        return None;
    }
    let label = name.split('.').next()?.trim().to_ascii_lowercase();
    (!label.is_empty()).then_some(label)
}

/// The label that selects the brand: the host's first label without a `demo` or `demo-` prefix (if it is only `demo`, the second
/// label); if that is `88`, the `domain` parameter by the same rules.
pub fn label_of_host(host: &str, domain: Option<&str>) -> Option<String> {
    let label = own_label(host)?;
    if label == "88" { own_label(domain?).filter(|label| label != "88") } else { Some(label) }
}

/// A host's own label. Only one prefix and one label are removed: `demo.demo.demo.…` selects no brand.
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
    fn label_of_host_strips_the_demo_prefix() {
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
    fn label_of_host_88_uses_the_domain_parameter() {
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

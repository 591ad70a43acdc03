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
    if name.starts_with('[') || name.parse::<std::net::IpAddr>().is_ok() {
        return None;
    }
    let label = name.split('.').next()?.trim().to_ascii_lowercase();
    (!label.is_empty()).then_some(label)
}

/// The label that picks the brand: the host's first label with a `demo` or `demo-` prefix removed (a label that is only
/// `demo` gives way to the next one), or, where that label is `88`, the `domain` parameter by the same rules.
pub fn label_of_host(host: &str, domain: Option<&str>) -> Option<String> {
    let first = first_label(host)?;
    if first == "88" {
        return label_of_host(domain?, None).filter(|label| label != "88");
    }
    let bare = match first.strip_prefix("demo") {
        Some(rest) => rest.trim_start_matches('-').to_owned(),
        None => first,
    };
    if bare.is_empty() {
        let (_, rest) = host.split_once('.')?;
        return label_of_host(rest, domain);
    }
    Some(bare)
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
        assert_eq!(label_of_host("memeworld.localhost", Some("ttmbhatv")).as_deref(), Some("memeworld"));
    }
}

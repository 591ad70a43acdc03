//! Hosts: which brand a request's host shows, and whether its `Origin` is its own. A line each: host, `domain` parameter, origin.

use std::sync::LazyLock;

use brands::{Brands, label_of_host};
use url::Url;

target!("hosts", 20000, holds);

static BRANDS: LazyLock<Brands> = LazyLock::new(|| {
    let file = include_str!("../../../../deploy/brands.toml");
    let domains = "labels = [\"racedaytv\"]\ndomains = [\"tv.example.co.za\", \"88.co.za\"]";
    Brands::parse(&file.replace("labels = [\"racedaytv\"]", domains), "brands.toml").unwrap()
});

fn holds(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let mut lines = text.split('\n');
    let (host, domain, origin) = (lines.next().unwrap_or_default(), lines.next(), lines.next().unwrap_or_default());
    brand(host, domain);
    own_origin(origin, host);
}

fn brand(host: &str, domain: Option<&str>) {
    let label = |host: &str, domain: Option<&str>| BRANDS.of_request(host, domain).map(|(_, label)| label);
    let picked = label(host, domain);
    if let Some((brand, label)) = BRANDS.of_request(host, domain) {
        assert!(brand.labels.contains(&label), "{host} shows {} under {label}", brand.service);
        assert_eq!(label_of_host(&label, None).as_ref(), Some(&label));
    }
    assert_eq!(
        picked,
        label(&host.to_ascii_uppercase(), domain.map(str::to_ascii_uppercase).as_deref()),
        "{host}: case"
    );
    if !host.contains(':') {
        assert_eq!(picked, label(&format!("{host}:8080"), domain), "{host}: its port");
        if !host.ends_with('.') {
            assert_eq!(picked, label(&format!("{host}."), domain), "{host}: its last dot");
        }
    }
    if BRANDS.shows_every_brand(host) {
        assert_eq!(label(host, None), None, "{host}");
        assert_eq!(label(host, Some("memeworld")).as_deref(), Some("memeworld"), "{host}");
    } else {
        assert_eq!(picked, label(host, None), "{host} leaves no choice to a parameter");
    }
}

/// What the gateway takes for a site's own page, browsers do too.
fn own_origin(origin: &str, host: &str) {
    let (Ok(from), Ok(to)) = (Url::parse(origin), Url::parse(&format!("http://{host}"))) else { return };
    if matches!(from.scheme(), "http" | "https") && from.host() != to.host() {
        assert!(!gateway::is_origin_of(origin, host), "{origin} writes to {host}");
    }
}

//! Header enrichment: a mobile network may name its subscriber, by number or token, in a header of plain HTTP requests.
//!
//! The header is trusted only where `ENRICHMENT_HEADER` names it, the client's address lies in `ENRICHMENT_SOURCES` and the request
//! came by plain http: a network cannot write into https, so there the client itself wrote the header. The gateway strips the header
//! from all other requests, and services check once more.

use std::{net::IpAddr, str::FromStr};

use actix_web::http::header::HeaderName;
use brands::Brands;
use service::Cidrs;

use crate::SubscriberId;

/// A header's name, or none.
#[derive(Clone, Debug, Default)]
pub struct EnrichmentHeader(Option<HeaderName>);

impl FromStr for EnrichmentHeader {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = Some(text.trim()).filter(|name| !name.is_empty());
        let name = name.map(|name| {
            name.parse::<HeaderName>()
                .ok()
                .filter(|name| name.as_str().starts_with("x-") && !name.as_str().starts_with("x-forwarded-"))
                .ok_or_else(|| format!("{name:?} is no header like X-MSISDN"))
        });
        Ok(Self(name.transpose()?))
    }
}

/// Which header is trusted, and from which clients.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Enrichment {
    /// The header in which a network sends its subscriber's number or token, such as `X-MSISDN`; empty: none is used.
    #[arg(long = "enrichment-header", env = "ENRICHMENT_HEADER", default_value = "")]
    pub header: EnrichmentHeader,
    /// Networks (CIDR, separated by commas) from which that header is trusted on plain http; on https it is never
    /// trusted.
    #[arg(long = "enrichment-sources", env = "ENRICHMENT_SOURCES", default_value = "")]
    pub sources: Cidrs,
}

impl Enrichment {
    /// Whether `name` (lower-case) is the enrichment header on a request for which it is not trusted.
    pub fn is_forged(&self, name: &[u8], client: IpAddr, https: bool) -> bool {
        self.header.0.as_ref().is_some_and(|header| header.as_str().as_bytes() == name)
            && !self.is_trusted(client, https)
    }

    fn is_trusted(&self, client: IpAddr, https: bool) -> bool {
        !https && self.sources.contain(client)
    }

    /// The header, where one is used.
    pub fn header(&self) -> Option<&str> {
        self.header.0.as_ref().map(HeaderName::as_str)
    }

    /// The subscriber in the values of the enrichment header, as the network of the client's address names its subscribers; `None` where the
    /// header is not trusted.
    pub fn subscriber_of<'a>(
        &self,
        client: IpAddr,
        https: bool,
        mut values: impl Iterator<Item = &'a [u8]>,
        brands: &Brands,
    ) -> Option<SubscriberId> {
        if self.header.0.is_none() || !self.is_trusted(client, https) {
            return None;
        }
        let network = brands.network_by_address(client).unwrap_or_default();
        let text = std::str::from_utf8(values.next()?).ok()?.trim();
        let subscriber = SubscriberId::at_network(brands, &network, text).ok();
        // A second value means that the client added one of its own.
        subscriber.filter(|_| values.next().is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A network with tokens at 10.9.0.0/16, and others with numbers.
    fn brands() -> Brands {
        let file = include_str!("../../../deploy/brands.toml");
        let token = "adapter = \"rest\"\nsubscribers = \"token\"\naddresses = \"10.9.0.0/16\"";
        Brands::parse(&file.replacen("adapter = \"rest\"", token, 1), "brands.toml").unwrap()
    }

    fn extract(header: &str, sources: &str, client: &str, values: &[&str]) -> (Option<String>, bool) {
        extract_over(false, header, sources, client, values)
    }

    fn extract_over(https: bool, header: &str, sources: &str, client: &str, values: &[&str]) -> (Option<String>, bool) {
        let enrichment = Enrichment { header: header.parse().unwrap(), sources: sources.parse().unwrap() };
        let name = HeaderName::from_static("x-msisdn");
        let client = client.parse().unwrap();
        let number = enrichment.subscriber_of(client, https, values.iter().map(|value| value.as_bytes()), &brands());
        let number = number.map(|number| number.as_str().to_owned());
        (number, enrichment.is_forged(name.as_str().as_bytes(), client, https))
    }

    #[test]
    fn subscriber_of_trusts_the_configured_header_from_configured_sources_only() {
        let on = "X-MSISDN";
        let number = (Some("27812345678".to_owned()), false);
        assert_eq!(extract(on, "10.0.0.0/8, 192.0.2.7", "10.1.2.3", &["27812345678"]), number);
        assert_eq!(extract(on, "10.0.0.0/8, 192.0.2.7", "192.0.2.7", &["0812345678"]), number);
        assert_eq!(extract(on, "10.0.0.0/8", "::ffff:10.1.2.3", &["0812345678"]), number);
        assert_eq!(extract(on, "10.0.0.0/8", "192.0.2.7", &["27812345678"]), (None, true));
        assert_eq!(extract(on, "", "10.1.2.3", &["27812345678"]), (None, true));
        assert_eq!(extract("", "10.0.0.0/8", "10.1.2.3", &["27812345678"]), (None, false));
        assert_eq!(extract(on, "10.0.0.0/8", "10.1.2.3", &["27812345678", "27812345679"]), (None, false));
        assert_eq!(extract(on, "10.0.0.0/8", "10.1.2.3", &["abc"]), (None, false));
    }

    #[test]
    fn subscriber_of_ignores_the_header_on_https() {
        let over = |https| extract_over(https, "X-MSISDN", "10.0.0.0/8", "10.1.2.3", &["27812345678"]);
        assert_eq!(over(false), (Some("27812345678".to_owned()), false));
        assert_eq!(over(true), (None, true));
    }

    #[test]
    fn subscriber_of_reads_a_token_from_the_addresses_of_its_network_only() {
        let token = "9f2c41d07ab3";
        let from = |client: &str, value: &str| extract("X-MSISDN", "10.0.0.0/8", client, &[value]).0;
        assert_eq!(from("10.9.1.1", token).as_deref(), Some("sandbox-pull:9f2c41d07ab3"));
        assert_eq!(from("10.1.1.1", token), None);
        assert_eq!(from("192.0.2.1", token), None);
        assert_eq!(from("10.9.1.1", "short"), None);
        assert_eq!(from("10.1.1.1", "sandbox-pull:9f2c41d07ab3"), None);
    }

    #[test]
    fn parse_rejects_headers_with_another_meaning() {
        for name in ["cookie", "X-Forwarded-For", "not a name", "host"] {
            assert!(name.parse::<EnrichmentHeader>().is_err(), "{name}");
        }
    }
}

//! Header enrichment: a mobile network may name its subscriber's number in a header of plain HTTP requests.
//!
//! It counts only where `ENRICHMENT_HEADER` names the header and the client's address, as the gateway gives it, lies in
//! `ENRICHMENT_SOURCES`: anybody else could write it themselves. The gateway strips it from everybody else as well.

use std::{
    convert::Infallible,
    future::{Ready, ready},
    net::IpAddr,
    str::FromStr,
};

use actix_web::{FromRequest, HttpRequest, dev::Payload, http::header::HeaderName, web::Data};
use identity::Msisdn;
use ipnet::IpNet;

use crate::App;

/// Where clients are for whom the header counts.
#[derive(Clone, Debug, Default)]
pub struct EnrichmentSources(Vec<IpNet>);

impl FromStr for EnrichmentSources {
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

/// Which header counts, from where.
#[derive(Clone, Debug, Default)]
pub(crate) struct Enrichment {
    header: Option<HeaderName>,
    sources: EnrichmentSources,
}

impl Enrichment {
    /// From the settings; an unset or empty header means that none counts.
    pub fn parse(header: Option<&str>, sources: &EnrichmentSources) -> Result<Self, String> {
        let header = header.map(str::trim).filter(|name| !name.is_empty());
        let header = header.map(|name| {
            name.parse::<HeaderName>()
                .ok()
                .filter(|name| name.as_str().starts_with("x-") && !name.as_str().starts_with("x-forwarded-"))
                .ok_or_else(|| format!("{name:?} is no header like X-MSISDN"))
        });
        Ok(Self { header: header.transpose()?, sources: sources.clone() })
    }

    fn number_of(&self, req: &HttpRequest) -> Option<Msisdn> {
        let client: IpAddr = req.headers().get("x-forwarded-for")?.to_str().ok()?.trim().parse().ok()?;
        if !self.sources.0.iter().any(|net| net.contains(&client.to_canonical())) {
            return None;
        }
        let mut named = req.headers().get_all(self.header.as_ref()?);
        let number = named.next().and_then(|value| value.to_str().ok()).and_then(|text| Msisdn::parse(text).ok());
        // Two of them: somebody added one of their own.
        number.filter(|_| named.next().is_none())
    }
}

/// The number that a network named for this request's connection, if one did whose word counts.
pub(crate) struct Enriched(Option<Msisdn>);

impl Enriched {
    /// Whether the network says that the connection is this number's.
    pub fn is(&self, msisdn: &Msisdn) -> bool {
        self.0.as_ref() == Some(msisdn)
    }
}

impl FromRequest for Enriched {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let app = req.app_data::<Data<App>>();
        ready(Ok(Self(app.and_then(|app| app.enrichment.number_of(req)))))
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn named(header: Option<&str>, sources: &str, client: &str, values: &[&str]) -> Option<String> {
        let enrichment = Enrichment::parse(header, &sources.parse().unwrap()).unwrap();
        let mut req = TestRequest::get().insert_header(("x-forwarded-for", client));
        for value in values {
            req = req.append_header(("x-msisdn", *value));
        }
        enrichment.number_of(&req.to_http_request()).map(|number| number.as_str().to_owned())
    }

    #[test]
    fn only_a_named_header_from_a_named_source_counts() {
        let on = Some("X-MSISDN");
        let number = Some("27812345678".to_owned());
        assert_eq!(named(on, "10.0.0.0/8, 192.0.2.7", "10.1.2.3", &["27812345678"]), number);
        assert_eq!(named(on, "10.0.0.0/8, 192.0.2.7", "192.0.2.7", &["0812345678"]), number);
        assert_eq!(named(on, "10.0.0.0/8", "::ffff:10.1.2.3", &["0812345678"]), number);
        assert_eq!(named(on, "10.0.0.0/8", "192.0.2.7", &["27812345678"]), None);
        assert_eq!(named(on, "", "10.1.2.3", &["27812345678"]), None);
        assert_eq!(named(None, "10.0.0.0/8", "10.1.2.3", &["27812345678"]), None);
        assert_eq!(named(on, "10.0.0.0/8", "10.1.2.3", &["27812345678", "27812345679"]), None);
        assert_eq!(named(on, "10.0.0.0/8", "10.1.2.3", &["nobody"]), None);
        assert_eq!(named(on, "10.0.0.0/8", "nowhere", &["27812345678"]), None);
    }

    #[test]
    fn a_header_that_means_something_else_is_refused() {
        for name in ["cookie", "X-Forwarded-For", "not a name", "host"] {
            assert!(Enrichment::parse(Some(name), &EnrichmentSources::default()).is_err(), "{name}");
        }
        assert!("10.0.0.0/99".parse::<EnrichmentSources>().is_err());
    }
}

//! The enrichment header: the number that a network adds to a request, as the gateway passes it on.

use std::{
    convert::Infallible,
    future::{Ready, ready},
    net::IpAddr,
};

use actix_web::{FromRequest, HttpRequest, dev::Payload, web::Data};
use brands::Brands;
use identity::Msisdn;

use crate::App;

/// The number in a trusted enrichment header of this request, if there is one.
pub(crate) struct EnrichedMsisdn(Option<(Msisdn, IpAddr)>);

impl EnrichedMsisdn {
    /// Whether the header names this number.
    pub fn is(&self, msisdn: &Msisdn) -> bool {
        self.0.as_ref().is_some_and(|(number, _)| number == msisdn)
    }

    /// The network of this number, if the header names the number and the request comes from a network's own addresses.
    pub fn network_of(&self, msisdn: &Msisdn, brands: &Brands) -> Option<String> {
        let (_, client) = self.0.as_ref().filter(|(number, _)| number == msisdn)?;
        brands.network_by_address(*client)
    }

    fn of_request(req: &HttpRequest) -> Option<(Msisdn, IpAddr)> {
        let client: IpAddr = req.headers().get("x-forwarded-for")?.to_str().ok()?.trim().parse().ok()?;
        let https =
            req.headers().get("x-forwarded-proto").is_some_and(|proto| proto.as_bytes().eq_ignore_ascii_case(b"https"));
        let number = req.app_data::<Data<App>>()?.enrichment.number_of(client, https, req.headers())?;
        Some((number, client))
    }
}

impl FromRequest for EnrichedMsisdn {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self(Self::of_request(req))))
    }
}

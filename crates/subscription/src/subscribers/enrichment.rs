//! The enrichment header: the number or token that a network adds to a request, as the gateway passes it on.

use std::{
    convert::Infallible,
    future::{Ready, ready},
    net::IpAddr,
};

use actix_web::{FromRequest, HttpRequest, dev::Payload, web::Data};
use brands::Brands;
use identity::SubscriberId;

use crate::App;

/// The subscriber in a trusted enrichment header of this request, if there is one; or that of the browser's SIM, as its network reported.
pub(crate) struct EnrichedSubscriber(Option<(SubscriberId, Source)>);

/// What names the subscriber.
enum Source {
    /// The header of a request from this address.
    Header(IpAddr),
    /// This network, which has recognised the SIM.
    Sim(String),
}

impl EnrichedSubscriber {
    /// Whether the header names this subscriber.
    pub fn is(&self, subscriber: &SubscriberId) -> bool {
        self.0.as_ref().is_some_and(|(named, _)| named == subscriber)
    }

    /// The token in the header, where the network of this request has tokens: its visitor need not type a number.
    pub fn token(&self) -> Option<&SubscriberId> {
        self.0.as_ref().map(|(named, _)| named).filter(|named| named.token_network().is_some())
    }

    /// The network of this subscriber, if the header names the subscriber and the request comes from a network's own addresses.
    pub fn network_of(&self, subscriber: &SubscriberId, brands: &Brands) -> Option<String> {
        let (_, source) = self.0.as_ref().filter(|(named, _)| named == subscriber)?;
        match source {
            Source::Header(client) => brands.network_by_address(*client),
            Source::Sim(network) => Some(network.clone()),
        }
    }

    /// The subscriber whose SIM a network has recognised.
    pub fn by_sim(subscriber: SubscriberId, network: &str) -> Self {
        Self(Some((subscriber, Source::Sim(network.to_owned()))))
    }

    /// Whether the subscriber's own network has named it, so that its session needs no page: by a token, or by the SIM.
    pub fn proves(&self, subscriber: &SubscriberId) -> bool {
        let is_by_sim = matches!(&self.0, Some((named, Source::Sim(_))) if named == subscriber);
        is_by_sim || self.token() == Some(subscriber)
    }

    fn of_request(req: &HttpRequest) -> Option<(SubscriberId, Source)> {
        let client: IpAddr = service::address(req.headers().get("x-forwarded-for")?.to_str().ok()?)?;
        let https =
            req.headers().get("x-forwarded-proto").is_some_and(|proto| proto.as_bytes().eq_ignore_ascii_case(b"https"));
        let app = req.app_data::<Data<App>>()?;
        let values = req.headers().get_all(app.enrichment.header()?).map(|value| value.as_bytes());
        let named = app.enrichment.subscriber_of(client, https, values, &app.brands)?;
        Some((named, Source::Header(client)))
    }
}

impl FromRequest for EnrichedSubscriber {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self(Self::of_request(req))))
    }
}

//! Which of a brand's offers a number gets: that of its network, as far as it is known; otherwise the visitor chooses.

use std::sync::Arc;

use brands::{Brand, Brands, NetworkOffer, Parts, Period};
use identity::SubscriberId;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    networks::lookup::NumberNetwork,
    subscribers::{enrichment::EnrichedSubscriber, lifecycle::State, subscriptions::Subscription},
};

/// The longest text of the prices that a page shows.
const MAX_SHOWN: usize = 300;

/// One of the networks that a visitor chooses from, with its price.
#[derive(Serialize, ToSchema)]
pub(crate) struct OfferedNetwork {
    /// The network's key, for `network` of the next request.
    network: String,
    /// The network's name for people.
    name: String,
    /// The price for each period, with VAT.
    #[schema(value_type = service::schema::Cents)]
    price_cents: i64,
    /// How often the price is charged.
    #[schema(value_type = service::schema::Period)]
    period: Period,
    /// The days that are free for a number that never had the service.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(minimum = 0, maximum = 1, required = false)]
    free_days: i32,
    /// The price and the smaller amounts that are charged where the airtime does not suffice for it.
    #[serde(skip_serializing_if = "Parts::is_empty")]
    #[schema(value_type = Vec<service::schema::Cents>, required = false)]
    parts: Parts,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(days: &i32) -> bool {
    *days == 0
}

impl OfferedNetwork {
    pub fn of(offer: &NetworkOffer, brands: &Brands) -> Self {
        Self {
            network: offer.network.clone(),
            name: brands.network_name(&offer.network),
            price_cents: offer.price_cents,
            period: offer.period,
            free_days: offer.free_days,
            parts: offer.parts,
        }
    }
}

/// The offer that a number gets.
pub(crate) enum OfferChoice {
    /// This one.
    Chosen(NetworkOffer),
    /// One of these, as the visitor chooses.
    Open(Vec<OfferedNetwork>),
}

/// Chooses the offer for a number: on the network that it certainly belongs to, else that which the visitor chose, else that of its range,
/// else the brand's `network`. An offer with another price than the page's is chosen only by the visitor, who has seen the price then.
pub(crate) fn choose(
    brands: &Brands,
    brand: &Brand,
    chosen: Option<&str>,
    known: Option<&NumberNetwork>,
) -> Result<OfferChoice, Error> {
    let offer_on = |network: &str| brand.offer_on(network).ok_or(Error::NotOfferedOnNetwork);
    let open = |offers: &[&NetworkOffer]| {
        OfferChoice::Open(offers.iter().map(|offer| OfferedNetwork::of(offer, brands)).collect())
    };
    if let [only] = brand.offers.as_slice() {
        return match chosen {
            Some(network) => offer_on(network).cloned().map(OfferChoice::Chosen),
            None => Ok(OfferChoice::Chosen(only.clone())),
        };
    }
    let seen = chosen.map(offer_on).transpose()?;
    let offer = match (known, seen) {
        (Some(known), _) if known.is_current => offer_on(&known.network)?,
        (_, Some(seen)) => seen,
        (known, None) => match known.and_then(|known| brand.offer_on(&known.network)) {
            Some(offer) => offer,
            None if brand.has_default_network => offer_on(&brand.network)?,
            None => return Ok(open(&brand.offers.iter().collect::<Vec<_>>())),
        },
    };
    let shown = seen.map_or(brand.offer, NetworkOffer::offer);
    Ok(if offer.offer() == shown { OfferChoice::Chosen(offer.clone()) } else { open(&[offer]) })
}

/// Reads the prices that a page shows: `Offer::shown` of its price line, then of its other buttons, separated by `~`. Empty: it has not said.
pub(crate) fn shown(text: Option<&str>) -> Result<&str, Error> {
    let text = text.unwrap_or_default();
    let is_form = |c: char| c.is_ascii_alphanumeric() || ".,~-".contains(c);
    if text.len() > MAX_SHOWN || !text.chars().all(is_form) { Err(Error::BadShownPrice) } else { Ok(text) }
}

/// Whether a page that shows these prices shows this offer's: in its price line, or on the button of the network that the visitor chose.
pub(crate) fn is_shown(shown: &str, offer: &NetworkOffer, is_chosen: bool) -> bool {
    let buttons = if is_chosen { usize::MAX } else { 1 };
    shown.split('~').take(buttons).any(|one| one == offer.offer().shown())
}

/// The network of a number, as its network's header or the lookup names it.
pub(crate) async fn known_network(
    app: &App,
    msisdn: &SubscriberId,
    enriched: &EnrichedSubscriber,
) -> Result<Option<NumberNetwork>, Error> {
    if let Some(network) = enriched.network_of(msisdn, &app.brands) {
        return Ok(Some(NumberNetwork { network, is_current: true }));
    }
    match msisdn {
        SubscriberId::Number(number) => app.number_lookup.network_of(number).await,
        SubscriberId::Token(_) => {
            Ok(msisdn.token_network().map(|network| NumberNetwork { network: network.to_owned(), is_current: true }))
        }
    }
}

/// A number's subscription to a service, if it runs.
pub(crate) async fn running(app: &App, msisdn: &SubscriberId, svc_id: i32) -> Result<Option<Subscription>, Error> {
    let msisdn = msisdn.clone();
    let found = app.db.run(move |conn| Subscription::of_number(conn, &msisdn, svc_id)).await?;
    Ok(found.filter(|found| matches!(found.state, State::Active | State::Suspended)))
}

/// The offer whose network confirms that a number is its owner's, or that its subscription ends: that of the subscription, else of the
/// number's range, else the brand's.
pub(crate) async fn of_owner(app: &App, brand: &Arc<Brand>, msisdn: &SubscriberId) -> Result<NetworkOffer, Error> {
    let running = running(app, msisdn, brand.svc_id).await?;
    let network = match (running, msisdn.token_network()) {
        (Some(subscription), _) => app.policy.network_of(&subscription.network, subscription.svc_id),
        (None, Some(network)) => Some(network.to_owned()),
        (None, None) if brand.offers.len() > 1 => {
            app.brands.network_by_range(msisdn.as_str()).filter(|network| brand.offer_on(network).is_some())
        }
        (None, None) => None,
    };
    let network = network.unwrap_or_else(|| brand.network.clone());
    // A subscription may run at a network that its brand has left.
    Ok(brand.offer_on(&network).cloned().unwrap_or_else(|| NetworkOffer::new(network, brand.offer)))
}

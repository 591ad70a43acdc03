//! Whether a number's SIM was swapped lately, as its network tells. It is a signal and no gate: where the network does not answer, everything
//! goes on as without it.
//!
//! A swapped SIM may be a thief's. It is kept with the attempt, for support, and nothing opens on the strength of the SIM alone: the person
//! confirms on the network's page.

use std::time::Duration;

use brands::{Brand, NetworkOffer};
use identity::{Site, SubscriberId};
use operator::OptInKind;

use crate::{
    App,
    error::Error,
    joins::{
        opt_in::{Campaign, OptInPage, enriched_page, request_opt_in_page},
        visitor::Visitor,
    },
    subscribers::metrics,
};

/// How long the network may take: a visitor waits for the page.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Whether a number's SIM was swapped lately; false also where its network does not tell.
pub(crate) async fn is_recent(app: &App, network: &str, subscriber: &SubscriberId) -> bool {
    let reports = app.brands.network(network).is_some_and(|network| network.camara.sim_swap.is_some());
    let (true, Some(number), Ok(operator)) = (reports, subscriber.number(), app.networks.operator(network)) else {
        return false;
    };
    signal(network, "sim_swap", operator.was_sim_swapped(number.as_str())).await
}

/// A network's answer to a question about a number; false also where there is none in time.
pub(super) async fn signal(
    network: &str,
    kind: &'static str,
    question: impl Future<Output = Result<Option<bool>, Error>>,
) -> bool {
    let reply = match tokio::time::timeout(TIMEOUT, question).await {
        Ok(reply) => reply,
        Err(_) => Err(Error::NetworkUnavailable("no answer in time".to_owned())),
    };
    metrics::network_call(network, kind, &reply);
    reply.unwrap_or_else(|error| {
        tracing::warn!(network.name = network, network.call = kind, error = %error, "the network does not tell about a number");
        None
    }) == Some(true)
}

/// The page for an active subscriber whom the network itself has named: our own return page, which opens the session; the network's page,
/// where the SIM was swapped lately.
pub(crate) async fn page_of_named(
    app: &App,
    (brand, offer): (&Brand, &NetworkOffer),
    site: Option<&Site>,
    visitor: &Visitor,
    subscriber: &SubscriberId,
    continue_to: &str,
) -> Result<OptInPage, Error> {
    if is_recent(app, &offer.network, subscriber).await {
        return request_opt_in_page(
            app,
            (brand, offer),
            site,
            visitor,
            Some(subscriber),
            OptInKind::Verify,
            Campaign { continue_to, ..Campaign::default() },
        )
        .await;
    }
    enriched_page(app, (brand, offer), site, visitor, subscriber, continue_to).await
}

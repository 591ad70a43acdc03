//! `POST /api/subscribe`: starts a join.

use actix_web::{
    HttpResponse,
    web::{Data, Json},
};
use identity::{Msisdn, Site, SubscriberId};
use languages::Message;
use operator::OptInKind;
use serde::{Deserialize, Serialize};
use service::openapi::{Refused, TooMany};
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    joins::{
        continue_to,
        ending::end_moved,
        human_check::{self, Checked, JoinCheck, Press, SecondChance},
        opt_in::{Campaign, OptInPage, request_opt_in_page},
        recycling, sim_swap,
        visitor::Visitor,
    },
    publishers::counts::ext_ref,
    subscribers::{
        blocks::Block,
        enrichment::EnrichedSubscriber,
        learned_numbers,
        lifecycle::State,
        metrics,
        offers::{self, OfferChoice, OfferedNetwork},
        subscriptions::Subscription,
    },
};

/// The only channel of these sites.
const CHANNEL: &str = "WAP";

/// The longest accepted token of a network's protection against fraud.
const MAX_ANTI_FRAUD_TOKEN: usize = 2048;

/// A join request.
#[derive(Deserialize, ToSchema)]
#[schema(as = SubscribeRequest)]
pub(crate) struct JoinRequest {
    /// May be empty where the visitor's network adds a token to the request.
    #[schema(value_type = service::schema::MobileNumber)]
    msisdn: String,
    /// The advertisement that brought the visitor.
    #[serde(default)]
    #[schema(max_length = 256)]
    ext_ref: Option<String>,
    /// Only `WAP` is accepted.
    #[schema(example = "WAP")]
    channel: String,
    #[schema(value_type = service::schema::ServiceId)]
    svc_id: i32,
    /// The key of the network that the visitor chose, of the `networks` of an earlier reply.
    #[serde(default)]
    #[schema(max_length = 64)]
    network: Option<String>,
    /// A token of the network's own protection against fraud, as the page's address had it; passed on to the network unchanged.
    #[serde(default)]
    #[schema(max_length = 2048)]
    anti_fraud_token: Option<String>,
    /// The page of the brand that the visitor wanted: a path.
    #[serde(default)]
    #[schema(max_length = 300)]
    page: Option<String>,
    /// The prices that the page shows, its price line's first, as `CENTS.PERIOD.FREE_DAYS.PARTS`, separated by `~`.
    #[serde(default)]
    #[schema(max_length = 300, example = "300.day.0.")]
    shown: Option<String>,
    #[serde(flatten)]
    check: JoinCheck,
}

impl JoinRequest {
    /// Of a number that its network told, by the button of this network, on a page that showed these prices. `page`: what the visitor wanted.
    pub fn by_sim(
        msisdn: &Msisdn,
        ext_ref: String,
        svc_id: i32,
        (network, shown): (String, String),
        page: String,
    ) -> Self {
        Self {
            msisdn: msisdn.as_str().to_owned(),
            ext_ref: Some(ext_ref),
            channel: CHANNEL.to_owned(),
            svc_id,
            network: Some(network),
            anti_fraud_token: None,
            page: Some(page),
            shown: Some(shown),
            check: JoinCheck::by_sim(),
        }
    }
}

/// The reply to a join.
#[derive(Default, Serialize, ToSchema)]
#[schema(as = SubscribeReply)]
pub(crate) struct JoinReply {
    /// 1: redirect to `redirectUrl`. 2: the number is already active. 3: the visitor has to choose one of `networks`. 4: the join is held.
    #[schema(minimum = 1, maximum = 4)]
    result: u8,
    /// The network's opt-in page; with result 1.
    #[serde(rename = "redirectUrl", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, format = "uri")]
    redirect_url: Option<String>,
    /// The secret id of the attempt; with result 1.
    #[serde(rename = "subscriptionId", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    subscription_id: Option<String>,
    /// The networks to choose from, with their prices; with result 3, of services that are sold on several networks, and where the price is no
    /// longer the page's. With result 4 the one that was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    networks: Option<Vec<OfferedNetwork>>,
    /// Why it is held, or that the price has changed, for the visitor.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    error_message: Option<String>,
    /// The challenge for the next press of JOIN; with result 3, and with result 4 unless all joins of the advertisement are held.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    challenge: Option<String>,
    /// The code that the visitor types for it; with result 4.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    code: Option<String>,
}

/// What a join leads to.
pub(crate) enum JoinOutcome {
    /// The network's page.
    Page(OptInPage),
    /// The number is active already.
    AlreadyActive,
    /// The visitor has to choose the network.
    ChoiceNeeded(Vec<OfferedNetwork>),
    /// The page shows another price than the offer's: nothing begins before the visitor has seen this one.
    PriceChanged(OfferedNetwork),
    /// It does not look like a person's. With the network that the visitor chose.
    Held(Option<Box<SecondChance>>, Option<OfferedNetwork>),
}

/// Returns the network's opt-in page for the number, unless it is already active.
#[utoipa::path(
    post,
    path = "",
    request_body = JoinRequest,
    responses((status = 200, description = "The network's confirm page, or an address of the site if no confirmation is needed.", body = JoinReply), Refused, TooMany)
)]
pub(crate) async fn join(
    app: Data<App>,
    site: Option<Site>,
    visitor: Visitor,
    enriched: EnrichedSubscriber,
    request: Json<JoinRequest>,
) -> Result<HttpResponse, Error> {
    let outcome = request_page(&app, site.as_ref(), &visitor, &enriched, &request).await;
    metrics::join_requested(&app.policy, request.svc_id, label_of(&outcome));
    let outcome = outcome?;
    let mut reply = HttpResponse::Ok();
    // The page's own challenge is used up.
    let next = match (&outcome, app.brand(request.svc_id)) {
        (JoinOutcome::ChoiceNeeded(_) | JoinOutcome::PriceChanged(_), Ok(brand)) => {
            let (challenge, cookie) = human_check::next(&app, &brand, &visitor);
            reply.cookie(cookie);
            Some(challenge)
        }
        _ => None,
    };
    Ok(match outcome {
        JoinOutcome::Page(page) => HttpResponse::Ok().cookie(page.browser_cookie).json(JoinReply {
            result: 1,
            redirect_url: Some(page.redirect_url),
            subscription_id: Some(page.attempt_id),
            ..JoinReply::default()
        }),
        // The reply for an active number must not tell its own browser from others.
        JoinOutcome::AlreadyActive => HttpResponse::Ok().json(JoinReply { result: 2, ..JoinReply::default() }),
        JoinOutcome::ChoiceNeeded(networks) => {
            reply.json(JoinReply { result: 3, networks: Some(networks), challenge: next, ..JoinReply::default() })
        }
        JoinOutcome::PriceChanged(offer) => reply.json(JoinReply {
            result: 3,
            challenge: next,
            networks: Some(vec![offer]),
            error_message: Some(Message::new("price-changed").text(visitor.language)),
            ..JoinReply::default()
        }),
        JoinOutcome::Held(chance, chosen) => {
            let message = match chance {
                Some(_) => Message::new("join-held"),
                None => Message::new("join-paused"),
            };
            let (challenge, code) = chance
                .map(|chance| {
                    let SecondChance { challenge, code, browser_cookie } = *chance;
                    reply.cookie(browser_cookie);
                    (challenge, code)
                })
                .unzip();
            let error_message = Some(message.text(visitor.language));
            let networks = chosen.map(|offer| vec![offer]);
            let held = JoinReply { result: 4, error_message, challenge, code, networks, ..JoinReply::default() };
            reply.json(held)
        }
    })
}

/// The metric label of the outcome of a join request.
pub(crate) fn label_of(joined: &Result<JoinOutcome, Error>) -> &'static str {
    match joined {
        Ok(JoinOutcome::Page(_)) => metrics::PAGE_REQUESTED,
        Ok(JoinOutcome::AlreadyActive) => metrics::ALREADY_ACTIVE,
        Ok(JoinOutcome::ChoiceNeeded(_) | JoinOutcome::PriceChanged(_)) => metrics::CHOICE_NEEDED,
        Ok(JoinOutcome::Held(..)) => metrics::HELD,
        Err(Error::TooManyAttempts { .. }) => metrics::LIMITED,
        Err(Error::NetworkUnavailable(_) | Error::NetworkRejected(_) | Error::Store(_)) => metrics::NETWORK_UNAVAILABLE,
        Err(_) => metrics::REFUSED,
    }
}

/// Requests the network's page for this number, unless it is active already or its network is not known.
pub(crate) async fn request_page(
    app: &App,
    site: Option<&Site>,
    visitor: &Visitor,
    enriched: &EnrichedSubscriber,
    request: &JoinRequest,
) -> Result<JoinOutcome, Error> {
    app.limits.count_address(&visitor.address).await?;
    if request.channel != CHANNEL {
        return Err(Error::WrongChannel);
    }
    let brand = app.brand(request.svc_id)?;
    // A number that was typed may be another phone's, and goes before the token of this one.
    let msisdn = match enriched.token() {
        Some(token) if request.msisdn.trim().is_empty() => token.clone(),
        _ => Msisdn::parse(&request.msisdn)?.into(),
    };
    let ext_ref = ext_ref(request.ext_ref.as_deref())?;
    let anti_fraud_token = anti_fraud_token(request.anti_fraud_token.as_deref())?;
    let continue_to = continue_to::page(request.page.as_deref())?;
    let named = offers::shown(request.shown.as_deref())?;
    app.limits.count_number(OptInKind::OptIn, &msisdn, &visitor.address).await?;
    if app.is_test(&msisdn) {
        return Ok(JoinOutcome::AlreadyActive);
    }
    let signed = request.check.shown(app, brand.svc_id);
    let press = Press { brand: &brand, masked: msisdn.to_string(), ext_ref, is_join: true, shown: named };
    if let Checked::Held(chance) = request.check.examine(app, visitor, press).await? {
        let chosen = request.network.as_deref().and_then(|network| brand.offer_on(network));
        return Ok(JoinOutcome::Held(chance, chosen.map(|offer| OfferedNetwork::of(offer, &app.brands))));
    }
    // The network has named this number: the visitor has typed none.
    if !enriched.proves(&msisdn) {
        learned_numbers::learn(app, &visitor.address, &msisdn).await?;
    }
    recycling::end_former(app, &msisdn, brand.svc_id).await?;
    let running = offers::running(app, &msisdn, brand.svc_id).await?;
    // With one network there is nothing to choose, unless the subscription runs at one that the brand has left.
    let is_elsewhere = running.as_ref().is_some_and(|running| running.runs_elsewhere(&brand.network));
    let known = if brand.offers.len() > 1 || is_elsewhere || msisdn.token_network().is_some() {
        offers::known_network(app, &msisdn, enriched).await?
    } else {
        None
    };
    let mut current = None;
    if let Some(running) = running {
        let moved_to = known.as_ref().filter(|known| known.is_current && running.runs_elsewhere(&known.network));
        match moved_to {
            Some(known) => end_moved(app, running, &known.network).await?,
            // Its own network has named the subscriber: the session opens without a page.
            None if running.state == State::Active && enriched.proves(&msisdn) => {
                let offer = offers::of_owner(app, &brand, &msisdn).await?;
                let page = sim_swap::page_of_named(app, (&brand, &offer), site, visitor, &msisdn, continue_to).await?;
                return Ok(JoinOutcome::Page(page));
            }
            None if running.state == State::Active => return Ok(JoinOutcome::AlreadyActive),
            None => current = app.policy.network_of(&running.network, running.svc_id),
        }
    }
    let number = msisdn.clone();
    if app.db.run(move |conn| Block::of_number(conn, &number)).await?.is_some() {
        return Err(Error::Blocked);
    }
    // A suspended subscription goes on where it is, if the brand is still sold there.
    let current = current.filter(|network| brand.offer_on(network).is_some());
    let chosen = request.network.as_deref().or(current.as_deref());
    let offer = match offers::choose(&app.brands, &brand, chosen, known.as_ref())? {
        OfferChoice::Chosen(offer) => offer,
        OfferChoice::Open(networks) => return Ok(JoinOutcome::ChoiceNeeded(networks)),
    };
    let mut shown = [named, signed].into_iter().filter(|shown| !shown.is_empty()).peekable();
    let is_shown = shown.peek().is_some();
    if !shown.all(|shown| offers::is_shown(shown, &offer, request.network.is_some())) {
        return Ok(JoinOutcome::PriceChanged(OfferedNetwork::of(&offer, &app.brands)));
    }
    let campaign = Campaign { ext_ref, anti_fraud_token, continue_to, is_shown };
    let page =
        request_opt_in_page(app, (&brand, &offer), site, visitor, Some(&msisdn), OptInKind::OptIn, campaign).await?;
    Ok(JoinOutcome::Page(page))
}

/// Whether the number is active for the service.
pub(crate) async fn is_active(app: &App, msisdn: &SubscriberId, svc_id: i32) -> Result<bool, Error> {
    let msisdn = msisdn.clone();
    let found = app.db.run(move |conn| Subscription::of_number(conn, &msisdn, svc_id)).await?;
    Ok(found.is_some_and(|subscription| subscription.state == State::Active))
}

/// Networks define the form of their token.
fn anti_fraud_token(text: Option<&str>) -> Result<&str, Error> {
    let text = text.unwrap_or_default();
    if text.len() > MAX_ANTI_FRAUD_TOKEN || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Error::BadAntiFraudToken);
    }
    Ok(text)
}

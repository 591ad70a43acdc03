//! Opt-in pages: redirects to the network's page to join, to verify, or to leave.

use actix_web::cookie::Cookie;
use brands::{Brand, Brands, Confirmation, NetworkOffer};
use chrono::NaiveDateTime;
use identity::{Msisdn, Site, SubscriberId};
use languages::Language;
use operator::{OptInKind, OptInRequest, OptInStatus};
use serde::Serialize;
use serde_json::json;
use store::DbConnection;
use url::Url;
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    joins::{
        sim_swap,
        visitor::{Tapped, Visitor},
        wording,
    },
    messages::{
        outbox::{self, Sms},
        texts::SmsReply,
    },
    publishers::announce,
    subscribers::{
        agreement::{TERMS_VERSION, Terms},
        attempts::{BY_NETWORK, BY_PAGE, BY_SMS, NOT_RECORDED, OptInAttempt, kind_name},
        calendar, crash,
        ids::random_token,
        lifecycle::Cause,
        metrics,
        policy::Policy,
        subscriptions::Subscription,
        text::hash_of,
    },
};

/// The path of the brand's own host that the network redirects back to.
const RETURN_PATH: &str = "/DoiRedirect";

/// An opt-in page of the network.
pub(crate) struct OptInPage {
    /// Its URL.
    pub redirect_url: String,
    /// The id of our attempt.
    pub attempt_id: String,
    /// Lets the browser open the session later.
    pub browser_cookie: Cookie<'static>,
}

/// A join by SMS that its person has confirmed, at a network with a page of its own.
pub(crate) struct PageRequest {
    pub msisdn: SubscriberId,
    pub svc_id: i32,
    pub attempt: OptInAttempt,
    pub language: Language,
}

/// The address to redirect to.
#[derive(Serialize, ToSchema)]
pub(crate) struct RedirectReply {
    /// The network's own page.
    #[serde(rename = "redirectUrl")]
    #[schema(format = "uri")]
    pub redirect_url: String,
}

/// What brought a visitor.
#[derive(Clone, Copy, Default)]
pub(crate) struct Campaign<'a> {
    pub ext_ref: &'a str,
    /// The token of the network's own protection against fraud; empty: none.
    pub anti_fraud_token: &'a str,
    /// The page of the brand that the visitor wanted (`continue_to::page`); empty: none.
    pub continue_to: &'a str,
    /// Whether the page has said that it shows the offer's price.
    pub is_shown: bool,
}

/// Requests a page from the network and stores the attempt. A network with tokens gets the number that the visitor typed, for its page, and
/// names the token when the visitor answers there: until then the attempt has no subscriber, and the number is not kept. Without a number the
/// network's page asks for it, and names it with the answer. With the network unavailable nothing is stored.
pub(crate) async fn request_opt_in_page(
    app: &App,
    (brand, offer): (&Brand, &NetworkOffer),
    site: Option<&Site>,
    visitor: &Visitor,
    msisdn: Option<&SubscriberId>,
    kind: OptInKind,
    campaign: Campaign<'_>,
) -> Result<OptInPage, Error> {
    let Campaign { ext_ref, anti_fraud_token, continue_to, is_shown } = campaign;
    // No other network knows a token.
    if msisdn.and_then(SubscriberId::token_network).is_some_and(|network| network != offer.network) {
        return Err(Error::NotOfferedOnNetwork);
    }
    let sim_swapped = match msisdn {
        Some(msisdn) if kind != OptInKind::Leave => sim_swap::is_recent(app, &offer.network, msisdn).await,
        _ => false,
    };
    if confirms_by_sms(&app.brands, &offer.network) {
        let msisdn = msisdn.ok_or(Error::NotOfferedOnNetwork)?;
        return request_sms(app, (brand, offer), site, visitor, (msisdn, sim_swapped), kind, campaign).await;
    }
    let named = msisdn.filter(|msisdn| msisdn.number().is_none() || !app.brands.has_tokens(&offer.network));
    if let Some(named) = named.filter(|_| kind == OptInKind::OptIn) {
        outbox::send_pending_stops(app, &offer.network, named, brand.svc_id).await?;
    }
    let label = label_of(brand, site);
    let terms = terms_of(app, (brand, offer), msisdn, kind).await?;
    let request = OptInRequest {
        msisdn: msisdn.map(|msisdn| msisdn.as_str().to_owned()).unwrap_or_default(),
        svc_id: brand.svc_id,
        service: brand.name.clone(),
        price_cents: offer.price_cents,
        period: offer.period.as_str().to_owned(),
        first_charge: terms.first_charge.map(|day| day.to_string()).unwrap_or_default(),
        parts: terms.parts.into(),
        ext_ref: ext_ref.to_owned(),
        anti_fraud_token: anti_fraud_token.to_owned(),
        subscription_id: random_token(),
        return_url: return_url(app, brand, label),
        kind,
    };
    let reply = app.networks.operator(&offer.network)?.opt_in(&request).await;
    metrics::network_call(&offer.network, "opt_in", &reply);
    let reply = reply?;
    crash::point("join.page-asked");
    let (browser_cookie, browser_hash) = visitor.browser_cookie();
    let attempt = OptInAttempt {
        id: request.subscription_id,
        ext_ref: request.ext_ref,
        reference: reply.reference,
        sim_swapped,
        continue_to: continue_to.to_owned(),
        price_source: match kind {
            OptInKind::OptIn if is_shown => BY_PAGE,
            // Its page has the price of our request.
            OptInKind::OptIn => BY_NETWORK,
            OptInKind::Verify | OptInKind::Leave => NOT_RECORDED,
        }
        .to_owned(),
        ..new_attempt(app, (brand, offer, terms), label, visitor, kind, browser_hash)
    };
    let attempt_id = attempt.id.clone();
    match named {
        Some(named) => insert_attempt(app, brand, named, kind, attempt, None).await?,
        None => {
            let (network, svc_id, now) = (offer.network.clone(), brand.svc_id, attempt.created_at);
            app.db
                .write(move |conn| {
                    let subscription_id = Subscription::of_unknown(conn, &network, svc_id, now)?;
                    OptInAttempt { subscription_id, ..attempt }.insert(conn)
                })
                .await?;
        }
    }
    crash::point("join.kept");
    let shown = msisdn.map(SubscriberId::to_string).unwrap_or_default();
    tracing::info!(
        brand.label = label,
        opt_in.kind = kind_name(kind),
        msisdn = shown,
        "redirected to the network's page"
    );
    let redirect_url = in_language(reply.redirect_url, visitor.language);
    Ok(OptInPage { redirect_url, attempt_id, browser_cookie })
}

/// The terms that a number agrees to by joining now; those of a verification or a leave are none.
async fn terms_of(
    app: &App,
    (brand, offer): (&Brand, &NetworkOffer),
    msisdn: Option<&SubscriberId>,
    kind: OptInKind,
) -> Result<Terms, Error> {
    if kind != OptInKind::OptIn {
        return Ok(Terms::default());
    }
    let today = calendar::day_of(app.clock.now());
    let Some(msisdn) = msisdn.cloned() else { return Ok(Terms::on_page(offer.offer(), today)) };
    let (svc_id, offer) = (brand.svc_id, offer.clone());
    app.db.run(move |conn| Terms::of_number(conn, (&msisdn, svc_id), &offer, today)).await
}

/// Whether a network's subscribers confirm by a reply to our SMS.
pub(crate) fn confirms_by_sms(brands: &Brands, network: &str) -> bool {
    brands.network(network).is_some_and(|network| network.opt_in == Confirmation::Sms)
}

/// Sends the SMS that its reader confirms by a reply; the page is our own return page, which waits for it.
async fn request_sms(
    app: &App,
    (brand, offer): (&Brand, &NetworkOffer),
    site: Option<&Site>,
    visitor: &Visitor,
    (msisdn, sim_swapped): (&SubscriberId, bool),
    kind: OptInKind,
    Campaign { ext_ref, continue_to, .. }: Campaign<'_>,
) -> Result<OptInPage, Error> {
    // Beyond that the page alone says what to send: strangers' requests do not keep the owner from it.
    let is_night = outbox::is_quiet(&app.brands, &offer.network, app.clock.now());
    let may_send = app.limits.may_send_sms(msisdn, is_night).await;
    let (id, reply) = match kind {
        OptInKind::OptIn => ("sms-join-page", "yes"),
        OptInKind::Verify => ("sms-verify", "yes"),
        OptInKind::Leave => ("sms-leave", "stop"),
    };
    let label = label_of(brand, site);
    let (browser_cookie, browser_hash) = visitor.browser_cookie();
    let terms = terms_of(app, (brand, offer), Some(msisdn), kind).await?;
    let attempt = new_attempt(app, (brand, offer, terms), label, visitor, kind, browser_hash);
    let sms = SmsReply {
        network: &offer.network,
        msisdn,
        brand,
        price: (offer.price_cents, offer.period.as_str()),
        terms,
        language: visitor.language,
        id,
        is_recent: true,
    }
    .sms(&app.policy);
    // What is consented to is on the page and in the SMS.
    let wording = match kind {
        OptInKind::OptIn => format!("{}\n{}", attempt.wording, sms.text),
        OptInKind::Verify | OptInKind::Leave => String::new(),
    };
    let attempt = OptInAttempt {
        ext_ref: ext_ref.to_owned(),
        wording_hash: hash_of(&wording),
        wording,
        sim_swapped,
        continue_to: continue_to.to_owned(),
        price_source: if kind == OptInKind::OptIn { BY_SMS } else { NOT_RECORDED }.to_owned(),
        ..attempt
    };
    let (attempt_id, code) = (attempt.id.clone(), attempt.code(&app.policy.secret));
    insert_attempt(app, brand, msisdn, kind, attempt, may_send.then_some(sms)).await?;
    app.outbox_wake.notify_one();
    tracing::info!(brand.label = label, opt_in.kind = kind_name(kind), msisdn = %msisdn, "requested a reply by SMS");
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query
        .append_pair("msisdn", msisdn.as_str())
        .append_pair("subscription_id", &attempt_id)
        .append_pair("ext_ref", ext_ref);
    if kind != OptInKind::Leave {
        query.append_pair("code", &code);
    }
    let short_code = app.brands.network(&offer.network).and_then(|network| network.stop_number.clone());
    query.append_pair("to", &short_code.unwrap_or_default());
    let query = query.append_pair("reply", reply).finish();
    Ok(OptInPage { redirect_url: format!("{}?{query}", return_url(app, brand, label)), attempt_id, browser_cookie })
}

/// Requests the network's page for a join by SMS that its person has confirmed, and sends the page's address. With the network unavailable
/// the reply says to try again: the join still waits for a YES.
pub(crate) async fn send_page_by_sms(app: &App, request: PageRequest) -> Result<(), Error> {
    let PageRequest { msisdn, svc_id, attempt, language } = request;
    let brand = app.brand(svc_id)?;
    let offer = brand.offer_on(&attempt.network).ok_or(Error::NotOfferedOnNetwork)?;
    let visitor = Visitor::by_sms(&attempt.page, language);
    let campaign = Campaign::default();
    let page =
        request_opt_in_page(app, (&brand, offer), None, &visitor, Some(&msisdn), OptInKind::OptIn, campaign).await;
    let (id, link) = match page {
        Ok(page) => ("sms-page", page.redirect_url),
        Err(error) => {
            tracing::warn!(network.name = offer.network, error = %error, "a join by SMS got no page");
            ("sms-later", String::new())
        }
    };
    let reply = SmsReply {
        network: &offer.network,
        msisdn: &msisdn,
        brand: &brand,
        price: (offer.price_cents, offer.period.as_str()),
        terms: Terms::default(),
        language,
        id,
        is_recent: true,
    };
    let (sms, now) = (reply.sms_with(&app.policy, &[("link", link)]), app.clock.now());
    app.db
        .write(move |conn| {
            if id == "sms-page" {
                attempt.decide(conn, OptInStatus::Confirmed, now)?;
            }
            outbox::enqueue_sms(conn, vec![sms], now)
        })
        .await?;
    app.outbox_wake.notify_one();
    Ok(())
}

/// Stores an attempt that the enrichment header has confirmed already; the page is our own return page.
pub(crate) async fn enriched_page(
    app: &App,
    (brand, offer): (&Brand, &NetworkOffer),
    site: Option<&Site>,
    visitor: &Visitor,
    msisdn: &SubscriberId,
    continue_to: &str,
) -> Result<OptInPage, Error> {
    let label = label_of(brand, site);
    let (browser_cookie, browser_hash) = visitor.browser_cookie();
    let offered = (brand, offer, Terms::default());
    let attempt = new_attempt(app, offered, label, visitor, OptInKind::Verify, browser_hash);
    let attempt = OptInAttempt {
        status: "confirmed".to_owned(),
        decided_at: Some(attempt.created_at),
        continue_to: continue_to.to_owned(),
        ..attempt
    };
    let attempt_id = attempt.id.clone();
    insert_attempt(app, brand, msisdn, OptInKind::Verify, attempt, None).await?;
    let query = url::form_urlencoded::Serializer::new(String::new())
        // A token is in no address.
        .append_pair("msisdn", msisdn.number().map_or("", Msisdn::as_str))
        .append_pair("subscription_id", &attempt_id)
        .append_pair("ext_ref", "")
        .finish();
    tracing::info!(brand.label = label, msisdn = %msisdn, "verified by the enrichment header");
    Ok(OptInPage { redirect_url: format!("{}?{query}", return_url(app, brand, label)), attempt_id, browser_cookie })
}

/// The visitor's host label, where it belongs to this brand: a session is valid on one host.
fn label_of<'a>(brand: &'a Brand, site: Option<&'a Site>) -> &'a str {
    match site {
        Some(site) if site.brand.svc_id == brand.svc_id => site.label.as_str(),
        _ => brand.label(),
    }
}

/// The address of a network's page in a language. English needs no parameter: it is the language of networks' pages.
fn in_language(page: String, language: Language) -> String {
    match Url::parse(&page) {
        Ok(mut url) if language != Language::ENGLISH => {
            url.query_pairs_mut().append_pair("lang", language.code());
            url.into()
        }
        _ => page,
    }
}

fn return_url(app: &App, brand: &Brand, label: &str) -> String {
    format!("{}{RETURN_PATH}", app.brands.public_url(brand, label, app.public_port))
}

fn new_attempt(
    app: &App,
    (brand, offer, terms): (&Brand, &NetworkOffer, Terms),
    label: &str,
    visitor: &Visitor,
    kind: OptInKind,
    browser_hash: String,
) -> OptInAttempt {
    let (language, today) = (visitor.language, calendar::day_of(app.clock.now()));
    // Only the join page asks for consent to pay.
    let wording = match kind {
        OptInKind::OptIn => match visitor.tapped {
            Tapped::Join => wording::wording(brand, offer.offer(), language, today),
            Tapped::SimNumber => wording::wording_by_sim(brand, offer.offer(), language, today),
            Tapped::OptInLink => wording::wording_of_link(brand, offer.offer(), language, today),
        },
        OptInKind::Verify | OptInKind::Leave => String::new(),
    };
    let translation = wording::translation_of(&wording, language);
    OptInAttempt {
        id: random_token(),
        subscription_id: 0,
        kind: kind_name(kind).to_owned(),
        status: "pending".to_owned(),
        network: offer.network.clone(),
        reference: String::new(),
        label: label.to_owned(),
        browser_hash,
        ext_ref: String::new(),
        page: visitor.page.clone(),
        terms_version: TERMS_VERSION.to_owned(),
        address: visitor.address.clone(),
        agent: visitor.agent.clone(),
        created_at: app.clock.now(),
        decided_at: None,
        opened_at: None,
        price_cents: offer.price_cents,
        period: offer.period.as_str().to_owned(),
        wording_hash: hash_of(&wording),
        wording,
        network_ref: None,
        language: language.code().to_owned(),
        free_days: terms.started_days(offer.free_days, today),
        parts: terms.parts.to_string(),
        sim_swapped: false,
        translation: translation.to_owned(),
        continue_to: String::new(),
        price_source: NOT_RECORDED.to_owned(),
    }
}

async fn insert_attempt(
    app: &App,
    brand: &Brand,
    msisdn: &SubscriberId,
    kind: OptInKind,
    attempt: OptInAttempt,
    sms: Option<Sms>,
) -> Result<(), Error> {
    let (policy, number, svc_id, now) = (app.policy.clone(), msisdn.clone(), brand.svc_id, attempt.created_at);
    app.db
        .write(move |conn| {
            let mut subscription = Subscription::lock(conn, &number, svc_id, now)?;
            if kind == OptInKind::OptIn {
                let evidence = json!({ "try": attempt.evidence() });
                announce::advance(conn, &policy, &mut subscription, Cause::Joined, now, &evidence, now)?;
            }
            OptInAttempt { subscription_id: subscription.id, ..attempt }.insert(conn)?;
            outbox::enqueue_sms(conn, sms.into_iter().collect(), now)
        })
        .await
}

/// Binds an attempt whose subscriber was not known (`OptInAttempt::bind`); a join then waits for the confirmation.
pub(crate) fn bind(
    conn: &mut DbConnection,
    policy: &Policy,
    (network, id, svc_id): (&str, &str, i32),
    subscriber: &SubscriberId,
    now: NaiveDateTime,
) -> Result<Option<OptInAttempt>, Error> {
    let bound = OptInAttempt::bind(conn, (network, id, svc_id), subscriber, now)?;
    if let Some(attempt) = bound.as_ref().filter(|attempt| attempt.is_join()) {
        let mut subscription = Subscription::lock(conn, subscriber, svc_id, now)?;
        let evidence = json!({ "try": attempt.evidence() });
        announce::advance(conn, policy, &mut subscription, Cause::Joined, now, &evidence, now)?;
    }
    Ok(bound)
}

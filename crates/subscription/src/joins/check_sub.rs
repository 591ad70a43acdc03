//! `GET /api/subscribe/check-sub`: what the record says of an opt-in; on the browser that started it, a confirmation opens the session.

use std::time::Duration;

use actix_web::{
    HttpResponse,
    web::{Data, Query},
};
use chrono::NaiveDateTime;
use identity::{Msisdn, Session, Site, Subscriber, SubscriberId};
use languages::Language;
use operator::{OptIn, OptInStatus};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::openapi::TooMany;
use tokio::time::Instant;
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    joins::{
        network_events::NetworkEvent,
        opt_in::{self, confirms_by_sms},
        return_message::{self, Returned},
        visitor::Visitor,
    },
    ledger::rows,
    subscribers::{
        attempts::OptInAttempt,
        calendar, crash,
        lifecycle::{Cause, State},
        subscriptions::Subscription,
    },
};

/// Names the opt-in attempt.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct CheckQuery {
    /// The number of the attempt; not compared where its network names subscribers by tokens, which are in no address.
    #[serde(default)]
    msisdn: String,
    /// The `subscriptionId` of the attempt.
    subscription_id: String,
}

/// What the record says of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AttemptState {
    /// Confirmed, and its subscription is active.
    Active,
    /// The network's answer, or the payment that opens access, is still to come.
    Waiting,
    /// The network has declined it.
    Declined,
    /// The subscription has ended since, or the attempt has expired.
    Ended,
    /// No such attempt.
    Unknown,
}

/// What became of an attempt.
#[derive(Serialize, ToSchema)]
struct CheckReply {
    /// 1: confirmed and active. 0: not.
    #[schema(maximum = 1)]
    result: u8,
    state: AttemptState,
    /// Whether this browser has an open session of the service, by this attempt or another.
    session: bool,
    /// What the record says, for the visitor. Absent where an open session contradicts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    message: Option<String>,
    /// The page that the visitor wanted before; with result 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    page: Option<String>,
}

/// How long a reply waits for the charge that opens access, and its poll interval.
const CHARGE_WAIT: Duration = Duration::from_secs(4);
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// 1 if the network has confirmed the attempt and the subscription is active, else 0; and what the record says of it.
///
/// In the browser that started the attempt, the first 1 also opens the session. For a few minutes the browser gets the same session again.
#[utoipa::path(
    get,
    path = "",
    params(CheckQuery),
    responses((
        status = 200,
        description = "The result of the check.",
        body = CheckReply,
        headers(("Set-Cookie" = String, description = "The session is opened by the first such reply."))
    ), TooMany)
)]
pub(crate) async fn check_sub(
    app: Data<App>,
    site: Option<Site>,
    visitor: Visitor,
    subscriber: Option<Subscriber>,
    query: Query<CheckQuery>,
) -> Result<HttpResponse, Error> {
    app.limits.count_address(&visitor.address).await?;
    let open = open_session_of(&app, subscriber).await?;
    let Some(found) = find_of_number(&app, &query).await? else {
        let message = open.is_none().then(|| return_message::of_unknown(visitor.language));
        return Ok(HttpResponse::Ok().json(CheckReply::without_result(AttemptState::Unknown, open.is_some(), message)));
    };
    let Found { attempt, svc_id, subscriber } = found;
    let subscription = match &subscriber {
        Some(msisdn) if attempt.proves_identity() => wait_until_active(&app, msisdn, svc_id).await?,
        Some(msisdn) => subscription_of(&app, msisdn, svc_id).await?,
        None => None,
    };
    let state = state_of(&attempt, subscription.as_ref(), app.clock.now());
    let mut reply = HttpResponse::Ok();
    let mut session = open.is_some();
    if let (AttemptState::Active, Some(site), Some(browser_hash), Some(msisdn), Some(subscription)) =
        (state, site, visitor.browser_hash(), subscriber, &subscription)
        && site.label == attempt.label
    {
        let (now, opening) = (app.clock.now(), attempt.clone());
        let opened_at = app.db.write(move |conn| opening.open_session(conn, &browser_hash, now)).await?;
        if let Some(opened_at) = opened_at.filter(|at| *at == now || open.as_ref() != Some(&msisdn)) {
            let (issued_at, generation, person) =
                (opened_at.and_utc().timestamp(), subscription.generation, subscription.person);
            let opened = Session { msisdn, svc_id, label: site.label, issued_at, generation, person, test: false };
            reply.cookie(visitor.session_cookie(&app.minter, &opened)?);
            session = true;
        }
    }
    let page = Some(attempt.continue_to.clone()).filter(|page| !page.is_empty());
    // An open session is the truth, whatever became of this attempt.
    let message = match state != AttemptState::Active && session {
        true => None,
        false => Some(message(&app, visitor.language, state, (svc_id, attempt), subscription).await?),
    };
    Ok(match state {
        AttemptState::Active => reply.json(CheckReply { result: 1, state, session, message, page }),
        _ => reply.json(CheckReply::without_result(state, session, message)),
    })
}

impl CheckReply {
    fn without_result(state: AttemptState, session: bool, message: Option<String>) -> Self {
        Self { result: 0, state, session, message, page: None }
    }
}

/// What the record says of an attempt and its subscription. A confirmation from before the subscription's last end does not prove its new
/// generation.
fn state_of(attempt: &OptInAttempt, subscription: Option<&Subscription>, now: NaiveDateTime) -> AttemptState {
    let overtakes = |over| attempt.is_overtaken_by(over, attempt.decided_at);
    let is_over = |of: &Subscription| of.ended_or_left_at().is_some_and(overtakes);
    match (attempt.status.as_str(), subscription) {
        ("declined", _) => AttemptState::Declined,
        ("confirmed", Some(subscription)) if attempt.proves_identity() && !is_over(subscription) => {
            match subscription.state {
                State::Active => AttemptState::Active,
                State::Suspended => AttemptState::Waiting,
                State::New | State::Pending | State::Cancelled => AttemptState::Ended,
            }
        }
        ("pending", _) if attempt.is_open(now) => AttemptState::Waiting,
        _ => AttemptState::Ended,
    }
}

/// The subscriber of the browser's session, if its subscription is active.
async fn open_session_of(app: &App, subscriber: Option<Subscriber>) -> Result<Option<SubscriberId>, Error> {
    let Some(Subscriber { session, .. }) = subscriber else { return Ok(None) };
    if session.is_expired(app.clock.now().and_utc().timestamp()) {
        return Ok(None);
    }
    if session.test {
        return Ok(Some(session.msisdn).filter(|msisdn| app.is_test(msisdn)));
    }
    let subscription = subscription_of(app, &session.msisdn, session.svc_id).await?;
    let is_open = |of: &Subscription| of.state == State::Active && of.generation == session.generation;
    Ok(subscription.as_ref().is_some_and(is_open).then_some(session.msisdn))
}

async fn message(
    app: &App,
    language: Language,
    state: AttemptState,
    (svc_id, attempt): (i32, OptInAttempt),
    subscription: Option<Subscription>,
) -> Result<String, Error> {
    let (brand, policy, today) = (app.brand(svc_id)?, app.policy.clone(), calendar::day_of(app.clock.now()));
    app.db
        .run(move |conn| {
            let subscription = subscription.as_ref();
            Returned { state, attempt: &attempt, brand: &brand, subscription, language, today }.text(conn, &policy)
        })
        .await
}

/// The attempt of a query, by the network's latest answer; none where its number is another one.
async fn find_of_number(app: &App, query: &CheckQuery) -> Result<Option<Found>, Error> {
    let is_of_number = |found: &Found| match found.subscriber.as_ref().and_then(SubscriberId::number) {
        Some(number) => Msisdn::parse(&query.msisdn).ok().as_ref() == Some(number),
        None => true,
    };
    let Some(found) = find(app, &query.subscription_id).await?.filter(is_of_number) else { return Ok(None) };
    // A reply by SMS arrives as a notification: there is nothing to request.
    if !confirms_by_sms(&app.brands, &found.attempt.network) && found.attempt.is_open(app.clock.now()) {
        // The network may name the number only now.
        return Ok(Some(refresh_from_network(app, found).await?).filter(is_of_number));
    }
    Ok(Some(found))
}

/// An attempt.
struct Found {
    attempt: OptInAttempt,
    svc_id: i32,
    /// None where the network has yet to name the subscriber's token.
    subscriber: Option<SubscriberId>,
}

async fn find(app: &App, id: &str) -> Result<Option<Found>, Error> {
    let id = id.to_owned();
    let found = app.db.run(move |conn| OptInAttempt::find(conn, &id)).await?;
    Ok(found.map(|(attempt, svc_id, subscriber)| Found { attempt, svc_id, subscriber }))
}

async fn subscription_of(app: &App, msisdn: &SubscriberId, svc_id: i32) -> Result<Option<Subscription>, Error> {
    let msisdn = msisdn.clone();
    app.db.run(move |conn| Subscription::of_number(conn, &msisdn, svc_id)).await
}

/// The subscription. A suspended one with today's charge still open is polled for a few seconds.
async fn wait_until_active(app: &App, msisdn: &SubscriberId, svc_id: i32) -> Result<Option<Subscription>, Error> {
    let began = Instant::now();
    loop {
        let (msisdn, today) = (msisdn.clone(), calendar::day_of(app.clock.now()));
        let (subscription, is_open) = app
            .db
            .run(move |conn| {
                let Some(subscription) = Subscription::of_number(conn, &msisdn, svc_id)? else {
                    return Ok((None, false));
                };
                let is_open = subscription.state == State::Suspended && rows::is_open(conn, subscription.id, today)?;
                Ok::<_, Error>((Some(subscription), is_open))
            })
            .await?;
        if !is_open || began.elapsed() >= CHARGE_WAIT {
            return Ok(subscription);
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// Requests the opt-in's status from the network: its notification may be late or lost. With the network unavailable the attempt stays open.
async fn refresh_from_network(app: &App, found: Found) -> Result<Found, Error> {
    let status = match request_status(app, &found.attempt).await {
        Ok(status) if status.status != OptInStatus::Pending => status,
        Ok(_) => return Ok(found),
        Err(error) => {
            tracing::warn!(network.name = found.attempt.network, error = %error, "the status of an opt-in could not be requested");
            return Ok(found);
        }
    };
    let named = status.user_msisdn.as_deref();
    let named = named.and_then(|text| SubscriberId::at_network(&app.brands, &found.attempt.network, text).ok());
    // Without a subscriber, the answer is that of a notification to come.
    let Some(msisdn) = found.subscriber.clone().or(named) else { return Ok(found) };
    let Found { attempt, svc_id, .. } = found;
    crash::point("check.asked");
    let (policy, clock, id) = (app.policy.clone(), app.clock.clone(), attempt.id.clone());
    app.db
        .write(move |conn| {
            let now = clock.now();
            let attempt =
                opt_in::bind(conn, &policy, (&attempt.network, &attempt.id, svc_id), &msisdn, now)?.unwrap_or(attempt);
            let event = NetworkEvent {
                policy: &policy,
                network: &attempt.network,
                msisdn: &msisdn,
                svc_id,
                attempt: Some(&attempt),
                network_ref: status.network_subscription_id.as_deref(),
                happened_at: status.decided_at.map_or(now, |at| at.naive_utc().min(now)),
                updated_at: None,
                evidence: status_evidence(&status),
                sends_sms: true,
                now,
            };
            event.apply_answer(conn, status.kind, status.status, &status.reference)?;
            if status.status == OptInStatus::Confirmed
                && !status.active
                && let Some(network_ref) = &status.network_subscription_id
            {
                event.apply_end(conn, network_ref, Cause::Stopped)?;
            }
            Ok::<_, Error>(())
        })
        .await?;
    app.wake();
    find(app, &id).await?.ok_or(Error::Store(store::Error::NotFound))
}

async fn request_status(app: &App, attempt: &OptInAttempt) -> Result<OptIn, Error> {
    app.networks.operator(&attempt.network)?.opt_in_status(&attempt.reference).await
}

fn status_evidence(status: &OptIn) -> serde_json::Value {
    json!({ "asked": status.reference, "status": status.status, "decided_at": status.decided_at, "id": status.network_subscription_id })
}

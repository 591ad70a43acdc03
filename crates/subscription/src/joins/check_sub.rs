//! `GET /api/subscribe/check-sub`: whether the network has confirmed an opt-in; on the browser that started it, yes opens the session.

use std::time::{Duration, Instant};

use actix_web::{
    HttpResponse,
    web::{Data, Query},
};
use identity::{Msisdn, Session, Site, SubscriberId};
use operator::{OptIn, OptInStatus};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::openapi::TooMany;
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    joins::{
        network_events::NetworkEvent,
        opt_in::{self, confirms_by_sms},
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

/// Checks whether the network has confirmed an attempt.
#[derive(Serialize, ToSchema)]
struct CheckReply {
    /// 1: confirmed and active. 0: not.
    #[schema(maximum = 1)]
    result: u8,
}

/// How long a reply waits for the charge that opens access, and its poll interval.
const CHARGE_WAIT: Duration = Duration::from_secs(4);
const POLL_INTERVAL: Duration = Duration::from_millis(100);

const NOT_CONFIRMED: CheckReply = CheckReply { result: 0 };
const CONFIRMED: CheckReply = CheckReply { result: 1 };

/// 1 if the network has confirmed the attempt and the subscription is active, else 0.
///
/// In the browser that started the attempt, the first 1 also opens the session.
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
    query: Query<CheckQuery>,
) -> Result<HttpResponse, Error> {
    app.limits.count_address(&visitor.address).await?;
    let Some(mut found) = find(&app, &query.subscription_id).await? else {
        return Ok(HttpResponse::Ok().json(NOT_CONFIRMED));
    };
    if let Some(number) = found.subscriber.as_ref().and_then(SubscriberId::number)
        && Msisdn::parse(&query.msisdn).ok().as_ref() != Some(number)
    {
        return Ok(HttpResponse::Ok().json(NOT_CONFIRMED));
    }
    // A reply by SMS arrives as a notification: there is nothing to request.
    let has_page = !confirms_by_sms(&app.brands, &found.attempt.network);
    if has_page && found.attempt.is_open(app.clock.now()) {
        found = refresh_from_network(&app, found).await?;
    }
    let Found { attempt, svc_id, subscriber: Some(msisdn) } = found else {
        return Ok(HttpResponse::Ok().json(NOT_CONFIRMED));
    };
    if !attempt.proves_identity() {
        return Ok(HttpResponse::Ok().json(NOT_CONFIRMED));
    }
    // A confirmation from before the subscription's last end does not prove its new generation.
    let active = wait_until_active(&app, &msisdn, svc_id).await?;
    let Some(subscription) =
        active.filter(|active| active.ended_or_left_at().is_none_or(|over| over < attempt.created_at))
    else {
        return Ok(HttpResponse::Ok().json(NOT_CONFIRMED));
    };
    let mut reply = HttpResponse::Ok();
    if let (Some(site), Some(browser_hash)) = (site, visitor.browser_hash())
        && site.label == attempt.label
    {
        let now = app.clock.now();
        let opened = app.db.write(move |conn| attempt.open_session(conn, &browser_hash, now)).await?;
        if opened {
            let (issued_at, generation) = (now.and_utc().timestamp(), subscription.generation);
            let session = Session { msisdn, svc_id, label: site.label, issued_at, generation, test: false };
            reply.cookie(visitor.session_cookie(&app.minter, &session)?);
        }
    }
    Ok(reply.json(CONFIRMED))
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

/// The subscription, if it is active. A suspended one with today's charge still open is polled for a few seconds.
async fn wait_until_active(app: &App, msisdn: &SubscriberId, svc_id: i32) -> Result<Option<Subscription>, Error> {
    let began = Instant::now();
    loop {
        let (msisdn, today) = (msisdn.clone(), calendar::day_of(app.clock.now()));
        let found = app
            .db
            .run(move |conn| {
                let Some(subscription) = Subscription::of_number(conn, &msisdn, svc_id)? else { return Ok(None) };
                let is_open = subscription.state == State::Suspended && rows::is_open(conn, subscription.id, today)?;
                Ok::<_, Error>(Some((subscription, is_open)))
            })
            .await?;
        match found {
            Some((subscription, _)) if subscription.state == State::Active => return Ok(Some(subscription)),
            Some((_, true)) if began.elapsed() < CHARGE_WAIT => tokio::time::sleep(POLL_INTERVAL).await,
            _ => return Ok(None),
        }
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
            let attempt = opt_in::bind(conn, &policy, (&attempt.id, svc_id), &msisdn, now)?.unwrap_or(attempt);
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

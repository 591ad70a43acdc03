//! Ends subscriptions with everything that runs at networks: at their subscriber's request, because the number has moved, or because a join got no answer.

use chrono::NaiveDateTime;
use diesel::{
    dsl::{exists, not},
    prelude::*,
};
use identity::SubscriberId;
use serde_json::{Value, json};
use store::DbConnection;

use crate::{
    App,
    billing::lease,
    error::Error,
    messages::outbox,
    publishers::announce,
    schema::{subscriptions, tries},
    subscribers::{
        attempts::JOIN_EXPIRY,
        crash,
        lifecycle::{Cause, State},
        network_subscriptions::NetworkSubscription,
        policy::Policy,
        subscriptions::Subscription,
    },
};

/// The most joins that one maintenance run expires.
const EXPIRED_BATCH_SIZE: i64 = 500;

/// Ends a subscription whose number belongs to another network by now: the old one gets a stop, and charges nothing more.
pub(crate) async fn end_moved(app: &App, subscription: Subscription, network: &str) -> Result<(), Error> {
    let (id, generation) = (subscription.id, subscription.generation);
    let (policy, now) = (app.policy.clone(), app.clock.now());
    let evidence = json!({ "from": subscription.network, "to": network });
    app.db
        .write(move |conn| {
            let Some(subscription) = Subscription::lock_by_id(conn, id)? else { return Ok(()) };
            // It may have ended since, or have started again at the other network.
            if subscription.generation != generation {
                return Ok(());
            }
            end_as(conn, &policy, subscription, Cause::Moved, &evidence, now)
        })
        .await?;
    acknowledge_end(app, id).await
}

/// Returns once no replica can send a charge of the ended subscription any more.
pub(crate) async fn acknowledge_end(app: &App, subscription_id: i64) -> Result<(), Error> {
    crash::point("leave.recorded");
    app.outbox_wake.notify_one();
    lease::wait_until_unclaimed(&app.db, vec![subscription_id]).await
}

/// Ends a locked subscription at its subscriber's request, and all network subscriptions of it.
pub(crate) fn end(
    conn: &mut DbConnection,
    policy: &Policy,
    subscription: Subscription,
    evidence: &Value,
    now: NaiveDateTime,
) -> Result<(), Error> {
    end_as(conn, policy, subscription, Cause::Left, evidence, now)
}

/// As `end`, for another cause.
pub(crate) fn end_as(
    conn: &mut DbConnection,
    policy: &Policy,
    mut subscription: Subscription,
    cause: Cause,
    evidence: &Value,
    now: NaiveDateTime,
) -> Result<(), Error> {
    for hold in NetworkSubscription::running(conn, subscription.id)? {
        outbox::end_and_notify_network(conn, &hold, &subscription, now)?;
    }
    subscription.record_leave_request(conn, now)?;
    announce::advance(conn, policy, &mut subscription, cause, now, evidence, now).map(|_| ())
}

/// Ends joins without an answer in time; returns how many.
pub(crate) fn expire_joins(conn: &mut DbConnection, policy: &Policy, now: NaiveDateTime) -> Result<usize, Error> {
    let expiry = now - JOIN_EXPIRY;
    let open_attempts = tries::table
        .filter(tries::subscription_id.eq(subscriptions::id))
        .filter(tries::kind.eq("opt_in").and(tries::created_at.ge(expiry)));
    let expired: Vec<(String, i32)> = subscriptions::table
        .filter(subscriptions::state.eq(State::Pending.as_str()).and(subscriptions::since.lt(expiry)))
        .filter(not(exists(open_attempts)))
        .select((subscriptions::msisdn, subscriptions::svc_id))
        .limit(EXPIRED_BATCH_SIZE)
        .load(conn)?;
    let mut ended = 0;
    for (msisdn, svc_id) in expired {
        let mut subscription = Subscription::lock(conn, &SubscriberId::parse(&msisdn)?, svc_id, now)?;
        if announce::advance(conn, policy, &mut subscription, Cause::Expired, now, &Value::Null, now)? {
            ended += 1;
        }
    }
    Ok(ended)
}

//! After a restore, at a network that keeps no subscriptions: nothing tells which of the restored ones were left since the backup. Each ends
//! here, and its subscriber is asked again by SMS. A YES within the usual time begins it again at the same price; without one nothing is
//! charged.

use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use serde_json::json;
use store::DbConnection;

use crate::{
    App,
    billing::lease,
    error::Error,
    inbound::sms::attempt_by_sms,
    joins::opt_in::confirms_by_sms,
    messages::{outbox, texts::SmsReply},
    publishers::announce,
    schema::subscriptions,
    subscribers::{
        agreement::Terms,
        calendar,
        lifecycle::{Cause, State},
        network_subscriptions::NetworkSubscription,
        policy::Policy,
        subscriptions::Subscription,
    },
};

/// Subscriptions asked in one transaction.
const BATCH_SIZE: i64 = 200;

/// Asks the subscribers of every such network who ran at `backup_at`, the time of the newest restored row; returns how many. Repeating it asks no subscriber twice.
pub(crate) async fn request_again(app: &App, backup_at: NaiveDateTime) -> Result<usize, Error> {
    let mut requests = 0;
    for network in app.networks.names().into_iter().filter(|network| confirms_by_sms(&app.brands, network)) {
        loop {
            let (policy, network, now) = (app.policy.clone(), network.clone(), app.clock.now());
            let page = app.db.write(move |conn| ask_page(conn, &policy, &network, backup_at, now)).await?;
            if page.is_empty() {
                break;
            }
            requests += page.len();
            lease::wait_until_unclaimed(&app.db, page).await?;
        }
    }
    app.outbox_wake.notify_one();
    Ok(requests)
}

fn ask_page(
    conn: &mut DbConnection,
    policy: &Policy,
    network: &str,
    backup_at: NaiveDateTime,
    now: NaiveDateTime,
) -> Result<Vec<i64>, Error> {
    let running = [State::Active.as_str(), State::Suspended.as_str()];
    let ids: Vec<i64> = subscriptions::table
        .filter(subscriptions::state.eq_any(running).and(subscriptions::network.eq(network)))
        .filter(subscriptions::since.le(backup_at))
        .order(subscriptions::id)
        .limit(BATCH_SIZE)
        .select(subscriptions::id)
        .load(conn)?;
    for id in &ids {
        if let Some(subscription) = Subscription::lock_by_id(conn, *id)? {
            ask(conn, policy, network, subscription, now)?;
        }
    }
    Ok(ids)
}

fn ask(
    conn: &mut DbConnection,
    policy: &Policy,
    network: &str,
    mut subscription: Subscription,
    now: NaiveDateTime,
) -> Result<(), Error> {
    // The question is younger than the end.
    let ended_at = now - TimeDelta::seconds(1);
    for existing in NetworkSubscription::running(conn, subscription.id)? {
        existing.end(conn, ended_at)?;
    }
    let evidence = json!({ "network": network });
    announce::advance_without_sms(conn, policy, &mut subscription, Cause::Restored, ended_at, &evidence, now)?;
    let Some(brand) = policy.brand(subscription.svc_id) else { return Ok(()) };
    let question = SmsReply {
        network,
        msisdn: &subscription.msisdn,
        brand: &brand,
        price: (subscription.price_cents, &subscription.period),
        terms: Terms::of_subscription(&subscription, calendar::day_of(now)),
        language: subscription.language,
        id: "sms-join",
        is_recent: false,
    };
    let sms = question.sms(policy);
    attempt_by_sms(&question, &sms.text, subscription.id, now).insert(conn)?;
    outbox::enqueue_sms(conn, vec![sms], now)
}

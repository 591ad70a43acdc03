//! Push billing: the network charges its own subscribers once a day, and sends notifications of it.

use std::collections::BTreeMap;

use brands::PRICE_CENTS;
use chrono::{NaiveDate, NaiveDateTime};
use diesel::prelude::*;
use operator::{Amount, BillingEvent};
use serde_json::Value;
use sha2::{Digest, Sha256};
use store::DbConnection;

use crate::{
    App,
    behaviour::{BUSY_TRIES, Behaviour},
    charge_rows::{Charge, NewCharge, force_custom_plan},
    clock::day_of,
    error::Error,
    failures::{Failure, Reason},
    misbehaviour::{INSUFFICIENT_FUNDS, Misbehaviour},
    notifications::{self, Notice},
    schema::subscriptions,
    subscriptions::{ACTIVE, Subscription},
};

const FAILED: (i64, &str) = (3, "FAILED");

/// How the billing of one subscriber's day ended.
pub(crate) enum PushResult {
    /// It was charged before.
    Before,
    /// It is charged now, with these events.
    Charged(Vec<Value>),
    /// It is not charged, with these events.
    Unpaid(Vec<Value>),
    /// It is not charged, and no event is sent.
    Not,
}

/// Bills these subscribers for a day, each at most once however often it is asked, unless the network misbehaves.
pub(crate) fn bill(
    app: &App,
    conn: &mut DbConnection,
    subscribers: &mut [Subscription],
    day: NaiveDate,
    at: NaiveDateTime,
) -> Result<Vec<PushResult>, Error> {
    force_custom_plan(conn)?;
    let keys: Vec<String> = subscribers.iter().map(|one| charge_key(one, day)).collect();
    let names: Vec<&str> = keys.iter().map(String::as_str).collect();
    let known = Charge::of_keys(conn, None, &names)?;
    let failed = Failure::of_keys(conn, &names)?;
    let (mut new, mut failures, mut paid) = (BTreeMap::new(), Vec::new(), Vec::new());
    let mut billed = Vec::with_capacity(keys.len());
    for (subscriber, key) in subscribers.iter_mut().zip(&keys) {
        if known.contains_key(key) || new.contains_key(key) {
            billed.push(PushResult::Before);
            continue;
        }
        let before = failed.get(key);
        let tries = before.map_or(0, |failure| failure.tries);
        let reason = match Behaviour::of(&subscriber.msisdn) {
            Behaviour::InsufficientFunds => Some(Reason::InsufficientFunds),
            Behaviour::NoAnswer => Some(Reason::Busy),
            Behaviour::Busy if tries < BUSY_TRIES => Some(Reason::Busy),
            _ => None,
        };
        if let Some(reason) = reason {
            failures.push(Failure::again(before, key, reason, at));
        }
        let misbehaviour = app.misbehaviours.of(&subscriber.network);
        let (result, is_charged) = misbehaviour.push_result(app);
        billed.push(match reason {
            Some(Reason::InsufficientFunds) => {
                // Each failed try is an event of its own.
                let billing_ref = format!("{key}-{tries}");
                PushResult::Unpaid(vec![event(subscriber, &billing_ref, INSUFFICIENT_FUNDS, at, &misbehaviour)?])
            }
            Some(_) => PushResult::Not,
            None if !is_charged => PushResult::Unpaid(vec![event(subscriber, key, result, at, &misbehaviour)?]),
            None => {
                let mut events = Vec::new();
                let cents = misbehaviour.push_cents.unwrap_or(PRICE_CENTS);
                if misbehaviour.failed_then_success {
                    events.push(event(subscriber, key, FAILED, at, &misbehaviour)?);
                }
                subscriber.last_billed_at = Some(at);
                paid.push(subscriber.id);
                let twice = misbehaviour.push_twice || Behaviour::of(&subscriber.msisdn) == Behaviour::ChargedTwice;
                for key in [Some(key.clone()), twice.then(|| format!("{key}-again"))].into_iter().flatten() {
                    events.push(event(subscriber, &key, result, at, &misbehaviour)?);
                    new.insert(key.clone(), new_charge(subscriber, &key, day, cents, at));
                }
                PushResult::Charged(events)
            }
        });
    }
    NewCharge::make(conn, &new.into_values().collect::<Vec<_>>())?;
    Failure::keep(conn, &failures)?;
    diesel::update(subscriptions::table.filter(subscriptions::id.eq_any(&paid)))
        .set(subscriptions::last_billed_at.eq(at))
        .execute(conn)?;
    Ok(billed)
}

/// Charges the first day of a subscription that was confirmed, and sends the events of both.
pub(crate) fn begin(
    app: &App,
    conn: &mut DbConnection,
    subscription: Subscription,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let mut subscription = [subscription];
    let billed = bill(app, conn, &mut subscription, day_of(now), now)?.pop();
    let [subscription] = subscription;
    let events = match billed {
        Some(PushResult::Charged(events) | PushResult::Unpaid(events)) => events,
        Some(PushResult::Before | PushResult::Not) | None => Vec::new(),
    };
    let began = notifications::body(&subscription.event(ACTIVE, now))?;
    notifications::put(conn, &notices(&subscription, began, events))
}

/// The subscription's event, then its billing events; for a number that ends in 0007 twice each and the wrong way round.
pub(crate) fn notices(subscription: &Subscription, state: Value, billing: Vec<Value>) -> Vec<Notice> {
    let bodies: Vec<Value> = if Behaviour::of(&subscription.msisdn) == Behaviour::UntidyEvents {
        let reversed = || billing.iter().cloned().chain([state.clone()]).map(notifications::with_variant_types);
        reversed().chain(reversed()).collect()
    } else {
        [state].into_iter().chain(billing).collect()
    };
    bodies.iter().map(|body| Notice::new(&subscription.network, &subscription.msisdn, body)).collect()
}

/// Names a day's charge of a number and service at a network, however often it joined. Digested: it stands in the events as `billing_ref`.
fn charge_key(subscriber: &Subscription, day: NaiveDate) -> String {
    let Subscription { network, msisdn, svc_id, .. } = subscriber;
    let digest = Sha256::digest(format!("{network}/{msisdn}/{svc_id}/{day}"));
    let short: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    format!("push-{day}-{svc_id}-{short}")
}

fn new_charge(subscriber: &Subscription, key: &str, day: NaiveDate, cents: i64, at: NaiveDateTime) -> NewCharge {
    NewCharge {
        charge_key: key.to_owned(),
        msisdn: subscriber.msisdn.clone(),
        svc_id: subscriber.svc_id,
        cents,
        day: day.to_string(),
        at,
        network: subscriber.network.clone(),
    }
}

fn event(
    subscriber: &Subscription,
    billing_ref: &str,
    (result_id, result_name): (i64, &str),
    at: NaiveDateTime,
    misbehaviour: &Misbehaviour,
) -> Result<Value, Error> {
    let mut event = notifications::body(&BillingEvent {
        amount: Amount::of_cents(misbehaviour.push_cents.unwrap_or(PRICE_CENTS)),
        billing_ref: billing_ref.to_owned(),
        result_id: Some(result_id),
        result_name: result_name.to_owned(),
        billed_at: Some(at.and_utc()),
        subscription: subscriber.event(ACTIVE, at),
    })?;
    if let (Some(amount), Some(fields)) = (&misbehaviour.push_amount, event.as_object_mut()) {
        fields.insert("amount".to_owned(), amount.clone());
    }
    Ok(event)
}

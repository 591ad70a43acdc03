//! What push networks say they charged: a settled charge of the ledger for each day that was paid, a failed one for each that was not.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use operator::BillingEvent;
use store::DbConnection;

use super::{
    calendar,
    follow::follow,
    ledger::{CHARGE, FAILED, NewCharge, SETTLED},
    refund::{self, Ground},
};
use crate::{
    error::Error, figures, holds::Hold, life::State, schema::ledger, subscriptions::Subscription, terms::Terms,
};

/// Enters a billing event that is new into the ledger, and lets the locked subscription follow.
///
/// A second charge of a day stays out of the ledger: it is one the person does not owe, and reconciling gives it back. One that
/// was made after its person had left, before the network heard of it, is given back at once, also where we hear of it late.
pub(crate) fn enter(
    conn: &mut DbConnection,
    terms: &Terms,
    network: &str,
    subscription: &Subscription,
    event: &BillingEvent,
    billed_at: NaiveDateTime,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let paid = event.result_name.eq_ignore_ascii_case("SUCCESS");
    let day = calendar::day_of(billed_at);
    let this_day = ledger::table
        .filter(ledger::subscription_id.eq(subscription.id))
        .filter(ledger::day.eq(day.to_string()).and(ledger::kind.eq(CHARGE)));
    let known: Option<(i64, String)> = this_day.select((ledger::id, ledger::status)).first(conn).optional()?;
    match known {
        None => {
            let charge = NewCharge {
                status: if paid { SETTLED } else { FAILED },
                cents: brands::PRICE_CENTS,
                network_ref: Some(event.billing_ref.clone()),
                attempts: 1,
                failures: i32::from(!paid),
                reason: String::new(),
                ..NewCharge::pending(subscription.id, network, day, event.billing_ref.clone(), now)
            };
            NewCharge::insert(conn, &[charge])?;
        }
        Some((id, status)) if status == SETTLED => {
            if paid {
                tracing::error!(
                    alarm = "charged_twice",
                    ledger.id = id,
                    subscription.id = subscription.id,
                    network.name = network,
                    "a network charged a day twice"
                );
            }
            return Ok(());
        }
        Some((id, _)) if paid => {
            diesel::update(ledger::table.find(id))
                .set((
                    ledger::status.eq(SETTLED),
                    ledger::cents.eq(brands::PRICE_CENTS),
                    ledger::charge_key.eq(&event.billing_ref),
                    ledger::network_ref.eq(&event.billing_ref),
                    ledger::attempts.eq(ledger::attempts + 1),
                    ledger::reason.eq(""),
                    ledger::at.eq(now),
                ))
                .execute(conn)?;
        }
        Some((id, _)) => {
            diesel::update(ledger::table.find(id))
                .set((
                    ledger::attempts.eq(ledger::attempts + 1),
                    ledger::failures.eq(ledger::failures + 1),
                    ledger::at.eq(now),
                ))
                .execute(conn)?;
        }
    }
    figures::charged_by_network(terms, subscription.svc_id, paid.then_some(brands::PRICE_CENTS));
    if paid && is_after_the_end(conn, network, subscription, event, billed_at)? {
        tracing::error!(
            alarm = "charged_after_leaving",
            subscription.id = subscription.id,
            network.name = network,
            "a network charged somebody who had left; it is given back"
        );
        let charge = ledger::table.filter(ledger::network.eq(network).and(ledger::charge_key.eq(&event.billing_ref)));
        let id = charge.select(ledger::id).first(conn)?;
        let ground = Ground { reason: "charged after leaving", made_by: "push", took_money: true };
        refund::give_back(conn, id, &ground, now)?;
    }
    follow(conn, terms, [subscription.id], now)?;
    Ok(())
}

/// Whether a charge was made when its person had left, also where he has joined again since: what it was for had ended.
fn is_after_the_end(
    conn: &mut DbConnection,
    network: &str,
    subscription: &Subscription,
    event: &BillingEvent,
    billed_at: NaiveDateTime,
) -> Result<bool, Error> {
    let is_over = |ended_at: Option<NaiveDateTime>| ended_at.is_some_and(|ended_at| billed_at > ended_at);
    if subscription.state == State::Cancelled && is_over(subscription.left_at) {
        return Ok(true);
    }
    // Where the network does not say when it was, it may have been before.
    let tells_when = event.billed_at.or(event.subscription.last_billed_at).is_some();
    let charged = Hold::find(conn, subscription.id, network, &event.subscription.subscription_id)?;
    Ok(tells_when && charged.is_some_and(|hold| is_over(hold.ended_at)))
}

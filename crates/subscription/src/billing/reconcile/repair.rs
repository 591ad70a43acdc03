//! Putting differences right: what was charged is entered, what was not owed is given back, what never was is countered.

use chrono::{NaiveDate, NaiveDateTime};
use diesel::prelude::*;
use operator::{ChargeListed, RefundRequest};
use store::{DbConnection, on_each_backend};

use super::{Findings, Kind, Repair, compare::Row};
use crate::{
    billing::{
        ledger::{NewCharge, SETTLED},
        refund::{Ground, give_back, refund_key},
    },
    error::Error,
    life::State,
    outbox,
    schema::{events, ledger, surplus_charges},
    subscriptions::Subscription,
};

const NOT_OWED: Ground<'_> = Ground { reason: "charged while not subscribed", made_by: "reconcile", took_money: true };

/// The network charged what we did not know to be charged.
pub(super) fn settle(
    conn: &mut DbConnection,
    row: &Row,
    charge: &ChargeListed,
    found: &mut Findings,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let open = ledger::table.filter(ledger::id.eq(row.id).and(ledger::status.ne(SETTLED)));
    diesel::update(open)
        .set((
            ledger::status.eq(SETTLED),
            ledger::cents.eq(charge.cents),
            ledger::claim.eq(None::<String>),
            ledger::pass.eq(0),
            ledger::network_ref.eq(&charge.key),
            ledger::reason.eq("settled by reconciling"),
            ledger::at.eq(now),
        ))
        .execute(conn)?;
    // What we sent was owed when we sent it; a leave in the meantime does not undo that.
    if row.attempts > 0 || was_subscribed(conn, row.subscription_id, charge)? {
        found.moved.insert(row.subscription_id);
        found.add(charge, Some(row.id), Kind::ChargedNotSettled, Repair::Settled);
    } else {
        give_back(conn, row.id, &NOT_OWED, now)?;
        found.add(charge, Some(row.id), Kind::ChargedAfterLeaving, Repair::Refunded);
    }
    Ok(())
}

/// The network charged a day of which we knew nothing.
pub(super) fn record(
    conn: &mut DbConnection,
    network: &str,
    subscription: &Subscription,
    charge: &ChargeListed,
    day: NaiveDate,
    found: &mut Findings,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let settled = NewCharge {
        status: SETTLED,
        cents: charge.cents,
        network_ref: Some(charge.key.clone()),
        reason: "entered by reconciling".to_owned(),
        ..NewCharge::pending(subscription.id, network, day, charge.key.clone(), now)
    };
    NewCharge::insert(conn, &[settled])?;
    let of_key = ledger::table.filter(ledger::network.eq(network).and(ledger::charge_key.eq(&charge.key)));
    let id: i64 = of_key.select(ledger::id).first(conn)?;
    found.seen.insert(id);
    if was_subscribed(conn, subscription.id, charge)? {
        found.moved.insert(subscription.id);
        found.add(charge, Some(id), Kind::ChargedNotRecorded, Repair::Settled);
    } else {
        give_back(conn, id, &NOT_OWED, now)?;
        found.add(charge, Some(id), Kind::ChargedAfterLeaving, Repair::Refunded);
    }
    Ok(())
}

/// The network charged a day a second time: given back outside the ledger, which has the one charge that was owed.
pub(super) fn surplus(
    conn: &mut DbConnection,
    network: &str,
    charge: &ChargeListed,
    ledger_id: Option<i64>,
    found: &mut Findings,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let new = (
        surplus_charges::network.eq(network),
        surplus_charges::charge_key.eq(&charge.key),
        surplus_charges::msisdn.eq(&charge.msisdn),
        surplus_charges::svc_id.eq(charge.svc_id),
        surplus_charges::day.eq(&charge.day),
        surplus_charges::cents.eq(charge.cents),
        surplus_charges::found_at.eq(now),
    );
    let is_new = on_each_backend!(conn, conn => diesel::insert_into(surplus_charges::table)
        .values(new)
        .on_conflict_do_nothing()
        .execute(conn))?;
    if is_new > 0 {
        let letter = RefundRequest {
            key: refund_key(&charge.key),
            charge_key: charge.key.clone(),
            msisdn: charge.msisdn.clone(),
            svc_id: charge.svc_id,
            cents: charge.cents,
            reason: "charged twice".to_owned(),
        };
        outbox::put_refund(conn, network, &letter, now)?;
    }
    found.add(charge, ledger_id, Kind::ChargedTwice, Repair::Refunded);
    Ok(())
}

/// A settled charge that is on no list; `charged` is the network's word when asked about it.
pub(super) fn unlisted(
    conn: &mut DbConnection,
    row: &Row,
    charged: bool,
    found: &mut Findings,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let charge = ChargeListed {
        msisdn: row.msisdn.clone(),
        svc_id: row.svc_id,
        cents: row.cents,
        key: row.charge_key.clone(),
        day: String::new(),
        at: String::new(),
    };
    if charged {
        found.add(&charge, Some(row.id), Kind::NotListed, Repair::None);
        return Ok(());
    }
    give_back(
        conn,
        row.id,
        &Ground { reason: "never charged by the network", made_by: "reconcile", took_money: false },
        now,
    )?;
    found.add(&charge, Some(row.id), Kind::NeverCharged, Repair::Countered);
    Ok(())
}

/// Whether the subscription ran when the network charged it, by its events.
fn was_subscribed(conn: &mut DbConnection, subscription_id: i64, charge: &ChargeListed) -> Result<bool, Error> {
    // A second counts as gone by: lists tell whole ones.
    let mut moves = events::table.filter(events::subscription_id.eq(subscription_id)).into_boxed();
    if let Some(at) = charge.moment() {
        moves = moves.filter(events::at.lt(at + chrono::TimeDelta::seconds(1)));
    }
    let state: Option<String> = moves.order(events::id.desc()).select(events::to_state).first(conn).optional()?;
    Ok(state.is_some_and(|state| [State::Active.as_str(), State::Suspended.as_str()].contains(&state.as_str())))
}

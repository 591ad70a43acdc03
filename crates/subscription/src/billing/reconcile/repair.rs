//! Repairs: a charge that was made is entered, one that was not due is refunded, one that was never made is countered, and a counter-entry
//! that the full list disproves is undone.
//!
//! Each repair reads the row again, because it may have changed since the comparison; an outdated repair does nothing.

use std::collections::BTreeSet;

use brands::Period;
use chrono::NaiveDateTime;
use diesel::prelude::*;
use identity::SubscriberId;
use store::DbConnection;

use crate::{
    billing::{
        reconcile::{
            diff_queries::{Finding, NEVER_CHARGED, Row},
            difference::{Difference, Kind, Repair},
            runs::Run,
        },
        refund::{
            RefundReason, SurplusCharge, refund_charge, refund_charged_within_period, refund_excess, refund_surplus,
        },
    },
    error::Error,
    ledger::{
        refunds::RECONCILE,
        rows::{FAILED, NetworkCharge, NewCharge, REFUND, SETTLED, settle_by_network},
    },
    messages::texts,
    schema::ledger,
    subscribers::{calendar, lifecycle::State, policy::Policy, subscriptions::Subscription},
};

const NOT_DUE: RefundReason<'_> =
    RefundReason { reason: "charged while not subscribed", made_by: RECONCILE, network_charged: true };
const NEVER_MADE: RefundReason<'_> = RefundReason { reason: NEVER_CHARGED, made_by: RECONCILE, network_charged: false };

/// The reason of a counter-entry that was undone.
const UNDONE: &str = "undone: the network's list names the charge";

/// The repairs of one transaction.
pub(super) struct Repairs<'a> {
    pub policy: &'a Policy,
    pub run: &'a Run,
    pub now: NaiveDateTime,
    /// Subscriptions whose state may have to change.
    pub moved: BTreeSet<i64>,
}

impl Repairs<'_> {
    /// Repairs one difference if possible; `None` where it no longer exists.
    pub fn repair(&mut self, conn: &mut DbConnection, finding: &Finding) -> Result<Option<Difference>, Error> {
        let mut ledger_id = finding.row.as_ref().map(|row| row.id);
        let repair = match (finding.kind, &finding.row) {
            (Kind::ChargedNotSettled, Some(row)) => {
                if !self.settle(conn, row, finding)? {
                    return Ok(None);
                }
                self.moved.insert(row.subscription_id);
                self.refund_within_period(conn, (row.id, &row.day))?;
                self.refund_excess(conn, row.subscription_id, (row.id, &row.day), finding.cents)?
            }
            (Kind::ChargedAfterLeaving, Some(row)) => {
                if !self.settle(conn, row, finding)? {
                    return Ok(None);
                }
                self.refund(conn, (row.id, &row.day), row.subscription_id)?;
                Repair::Refunded
            }
            (Kind::ChargedNotRecorded | Kind::ChargedAfterLeaving, None) => {
                let Some((id, subscription_id)) = self.enter(conn, finding)? else { return Ok(None) };
                ledger_id = Some(id);
                if finding.kind == Kind::ChargedNotRecorded {
                    self.moved.insert(subscription_id);
                    let day = self.run.day.to_string();
                    self.refund_within_period(conn, (id, &day))?;
                    self.refund_excess(conn, subscription_id, (id, &day), finding.cents)?
                } else {
                    self.refund(conn, (id, &self.run.day.to_string()), subscription_id)?;
                    Repair::Refunded
                }
            }
            (Kind::ChargedTwice, _) => {
                let surplus = SurplusCharge {
                    network: &self.run.network,
                    key: &finding.key,
                    charge_key: finding.of_key.as_deref().unwrap_or(&finding.key),
                    network_ref: finding.network_ref.as_deref(),
                    msisdn: &finding.msisdn,
                    svc_id: finding.svc_id,
                    day: &self.run.day.to_string(),
                    cents: finding.cents,
                };
                refund_surplus(conn, &surplus, self.now)?;
                Repair::Refunded
            }
            (Kind::RepairUndone, Some(row)) => {
                if !self.undo(conn, row)? {
                    return Ok(None);
                }
                Repair::Settled
            }
            (Kind::NeverCharged, Some(row)) => {
                refund_charge(conn, (row.id, &row.day), &NEVER_MADE, self.now)?;
                Repair::Countered
            }
            _ => Repair::None,
        };
        Ok(Some(Difference { ledger_id, ..finding.difference(self.run, repair) }))
    }

    /// Settles an unsettled row; whether it was unsettled.
    fn settle(&self, conn: &mut DbConnection, row: &Row, finding: &Finding) -> Result<bool, Error> {
        if row.network != self.run.network {
            // The brand has moved to this network since the row was entered, and only this network can refund it.
            let open = ledger::table
                .filter(ledger::id.eq(row.id).and(ledger::day.eq(&row.day)))
                .filter(ledger::status.ne(SETTLED));
            diesel::update(open).set(ledger::network.eq(&self.run.network)).execute(conn)?;
        }
        let charge = NetworkCharge { key: &finding.key, cents: finding.cents, reason: "settled by reconciling" };
        settle_by_network(conn, (row.id, &row.day), &charge, self.now)
    }

    /// Enters a charge without a row: its id and subscription. `None` where the day has a row by now.
    fn enter(&self, conn: &mut DbConnection, finding: &Finding) -> Result<Option<(i64, i64)>, Error> {
        let msisdn = SubscriberId::at_network(&self.policy.brands, &self.run.network, &finding.msisdn)?;
        let subscription = Subscription::lock(conn, &msisdn, finding.svc_id, self.now)?;
        let (network, charge) = (&self.run.network, (finding.key.clone(), finding.cents));
        let period = Period::parse(&subscription.period).unwrap_or(Period::Day);
        let began_on = calendar::day_of_month(subscription.since);
        let settled = NewCharge {
            status: SETTLED,
            network_ref: Some(finding.key.clone()),
            reason: "entered by reconciling".to_owned(),
            ..NewCharge::pending(subscription.with_consent(), network, self.run.day, charge, self.now).for_period(
                period,
                self.run.day,
                began_on,
            )
        };
        if NewCharge::insert(conn, &[settled])? == 0 {
            return Ok(None);
        }
        let of_key = ledger::table
            .filter(ledger::network.eq(network).and(ledger::charge_key.eq(&finding.key)))
            .filter(ledger::day.eq(self.run.day.to_string()));
        Ok(Some((of_key.select(ledger::id).first(conn)?, subscription.id)))
    }

    /// Refunds what was charged twice for a week or a month, of which this newly settled charge is one. A push network bills by its own cycle.
    fn refund_within_period(&self, conn: &mut DbConnection, charge: (i64, &str)) -> Result<(), Error> {
        if self.policy.is_pull(&self.run.network) {
            refund_charged_within_period(conn, &[charge].into_iter().collect(), self.now)?;
        }
        Ok(())
    }

    /// Gives back what the network took beyond the agreed price: no comparison makes it good.
    fn refund_excess(
        &self,
        conn: &mut DbConnection,
        subscription_id: i64,
        charge: (i64, &str),
        charged: i64,
    ) -> Result<Repair, Error> {
        let Some(subscription) = Subscription::lock_by_id(conn, subscription_id)? else { return Ok(Repair::Settled) };
        refund_excess(conn, self.policy, &subscription, charge, charged, self.now)?;
        Ok(if charged > subscription.price_cents { Repair::ExcessRefunded } else { Repair::Settled })
    }

    /// Requests the refund of a charge that was not due, and notifies a subscriber who had left.
    fn refund(&self, conn: &mut DbConnection, charge: (i64, &str), subscription_id: i64) -> Result<(), Error> {
        let refund = refund_charge(conn, charge, &NOT_DUE, self.now)?;
        match Subscription::lock_by_id(conn, subscription_id)? {
            Some(subscription) if subscription.state == State::Cancelled => {
                texts::charge_refunded(conn, self.policy, &subscription, refund.cents, self.now)
            }
            _ => Ok(()),
        }
    }

    /// Undoes the counter-entry of a charge that the network did make; whether there was one.
    fn undo(&self, conn: &mut DbConnection, row: &Row) -> Result<bool, Error> {
        let counter = ledger::table
            .filter(ledger::refund_of.eq(row.id).and(ledger::kind.eq(REFUND)).and(ledger::day.ge(&row.day)))
            .filter(ledger::status.eq(SETTLED).and(ledger::reason.eq(NEVER_CHARGED)));
        let undone = diesel::update(counter)
            .set((ledger::status.eq(FAILED), ledger::reason.eq(UNDONE), ledger::at.eq(self.now)))
            .execute(conn)?;
        Ok(undone > 0)
    }
}

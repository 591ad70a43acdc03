//! Putting differences right: what was charged is entered, what was not owed is given back, what was never charged is countered, and
//! a counter that the full list proves wrong is undone.
//!
//! Each repair looks at the row once more, because it may have changed since it was compared; one that comes too late does nothing.

use std::collections::BTreeSet;

use chrono::NaiveDateTime;
use diesel::prelude::*;
use identity::Msisdn;
use store::DbConnection;

use super::{
    diff_queries::{Finding, NEVER_CHARGED, Row},
    difference::{Difference, Kind, Repair},
    runs::Run,
};
use crate::{
    billing::{
        ledger::{FAILED, NetworkCharge, NewCharge, REFUND, SETTLED, settle_by_network},
        refund::{RECONCILE, RefundReason, SurplusCharge, refund_charge, refund_surplus},
    },
    error::Error,
    lifecycle::State,
    messages,
    policy::Policy,
    schema::ledger,
    subscriptions::Subscription,
};

const NOT_OWED: RefundReason<'_> =
    RefundReason { reason: "charged while not subscribed", made_by: RECONCILE, network_charged: true };
const NEVER: RefundReason<'_> = RefundReason { reason: NEVER_CHARGED, made_by: RECONCILE, network_charged: false };

/// The reason of a counter that was undone.
const UNDONE: &str = "undone: the network's list names the charge";

/// Repairs of one transaction.
pub(super) struct Repairs<'a> {
    pub policy: &'a Policy,
    pub run: &'a Run,
    pub now: NaiveDateTime,
    /// Subscriptions whose state may have to follow their ledger.
    pub moved: BTreeSet<i64>,
}

impl Repairs<'_> {
    /// Puts one difference right as far as that can be done; `None` where it is none any more.
    pub fn repair(&mut self, conn: &mut DbConnection, finding: &Finding) -> Result<Option<Difference>, Error> {
        let mut ledger_id = finding.row.as_ref().map(|row| row.id);
        let repair = match (finding.kind, &finding.row) {
            (Kind::ChargedNotSettled, Some(row)) => {
                if !self.settle(conn, row, finding)? {
                    return Ok(None);
                }
                self.moved.insert(row.subscription_id);
                Repair::Settled
            }
            (Kind::ChargedAfterLeaving, Some(row)) => {
                if !self.settle(conn, row, finding)? {
                    return Ok(None);
                }
                self.refund(conn, row.id, row.subscription_id)?;
                Repair::Refunded
            }
            (Kind::ChargedNotRecorded | Kind::ChargedAfterLeaving, None) => {
                let Some((id, subscription_id)) = self.enter(conn, finding)? else { return Ok(None) };
                ledger_id = Some(id);
                if finding.kind == Kind::ChargedNotRecorded {
                    self.moved.insert(subscription_id);
                    Repair::Settled
                } else {
                    self.refund(conn, id, subscription_id)?;
                    Repair::Refunded
                }
            }
            (Kind::ChargedTwice, _) => {
                let surplus = SurplusCharge {
                    network: &self.run.network,
                    key: &finding.key,
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
                refund_charge(conn, row.id, &NEVER, self.now)?;
                Repair::Countered
            }
            _ => Repair::None,
        };
        Ok(Some(Difference { ledger_id, ..finding.difference(self.run, repair) }))
    }

    /// Settles a row that is not settled; whether it was not.
    fn settle(&self, conn: &mut DbConnection, row: &Row, finding: &Finding) -> Result<bool, Error> {
        if row.network != self.run.network {
            // The brand has moved to this network since the row was entered, and this network is the one that can give it back.
            let open = ledger::table.filter(ledger::id.eq(row.id).and(ledger::status.ne(SETTLED)));
            diesel::update(open).set(ledger::network.eq(&self.run.network)).execute(conn)?;
        }
        let charge = NetworkCharge { key: &finding.key, cents: finding.cents, reason: "settled by reconciling" };
        settle_by_network(conn, row.id, &charge, self.now)
    }

    /// Enters a charge of which the ledger knew nothing: its id and subscription. `None` where the day has its row by now.
    fn enter(&self, conn: &mut DbConnection, finding: &Finding) -> Result<Option<(i64, i64)>, Error> {
        let msisdn = Msisdn::parse(&finding.msisdn)?;
        let subscription = Subscription::lock(conn, &msisdn, finding.svc_id, self.now)?;
        let (network, charge) = (&self.run.network, (finding.key.clone(), finding.cents));
        let settled = NewCharge {
            status: SETTLED,
            network_ref: Some(finding.key.clone()),
            reason: "entered by reconciling".to_owned(),
            ..NewCharge::pending(subscription.id, network, self.run.day, charge, self.now)
        };
        if NewCharge::insert(conn, &[settled])? == 0 {
            return Ok(None);
        }
        let of_key = ledger::table.filter(ledger::network.eq(network).and(ledger::charge_key.eq(&finding.key)));
        Ok(Some((of_key.select(ledger::id).first(conn)?, subscription.id)))
    }

    /// Has the network give back what was not owed, and tells a person who had left.
    fn refund(&self, conn: &mut DbConnection, charge_id: i64, subscription_id: i64) -> Result<(), Error> {
        let refund = refund_charge(conn, charge_id, &NOT_OWED, self.now)?;
        match Subscription::lock_by_id(conn, subscription_id)? {
            Some(subscription) if subscription.state == State::Cancelled => {
                messages::charge_refunded(conn, self.policy, &subscription, refund.cents, self.now)
            }
            _ => Ok(()),
        }
    }

    /// Takes back the counter of a charge that the network did make after all; whether there was one.
    fn undo(&self, conn: &mut DbConnection, row: &Row) -> Result<bool, Error> {
        let counter = ledger::table
            .filter(ledger::refund_of.eq(row.id).and(ledger::kind.eq(REFUND)))
            .filter(ledger::status.eq(SETTLED).and(ledger::reason.eq(NEVER_CHARGED)));
        let undone = diesel::update(counter)
            .set((ledger::status.eq(FAILED), ledger::reason.eq(UNDONE), ledger::at.eq(self.now)))
            .execute(conn)?;
        Ok(undone > 0)
    }
}

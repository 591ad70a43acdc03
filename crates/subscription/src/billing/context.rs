//! The state shared by all parts of billing.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use chrono::NaiveDate;
use operator::ChargeRequest;
use service::Clock;
use store::Db;
use tokio::sync::Notify;

use crate::{
    billing::{refund, suspend},
    error::Error,
    ledger::{
        bounds::{self, Bounds},
        rows::{Charge, Outcome, OutcomeSource, Settled},
        settle::settle,
    },
    networks::Networks,
    subscribers::{calendar, crash, metrics, policy::Policy},
};

/// Database, networks, clock and bounds; clones share them.
#[derive(Clone)]
pub(crate) struct BillingContext {
    pub db: Db,
    pub networks: Networks,
    pub policy: Arc<Policy>,
    pub clock: Clock,
    pub bounds: Bounds,
    /// How long a network may take to answer a charge.
    pub charge_timeout: Duration,
    /// Identifies this process in its claims.
    pub token: Arc<str>,
    /// Wakes the dispatcher of the outbox.
    pub outbox_wake: Arc<Notify>,
    /// Dropped when the server stops.
    pub alive: Weak<()>,
}

impl BillingContext {
    /// Whether the service still runs.
    pub fn is_running(&self) -> bool {
        self.alive.strong_count() > 0
    }

    /// Today's calendar day.
    pub fn today(&self) -> NaiveDate {
        calendar::day_of(self.clock.now())
    }

    /// Records outcomes and their consequences: refunds of charges that settled after a leave, and state changes.
    pub async fn settle(&self, source: OutcomeSource, group: Arc<Vec<(Charge, Outcome)>>) -> Result<Settled, Error> {
        let (policy, now) = (self.policy.clone(), self.clock.now());
        let written = self
            .db
            .write(move |conn| {
                let settled = settle(conn, source, &group, now, Clock::system_now())?;
                let not_sent = group
                    .iter()
                    .filter(|(charge, outcome)| *outcome == Outcome::NotSent && settled.counted.contains(&charge.id));
                bounds::uncount(conn, &not_sent.map(|(charge, _)| (charge.id, charge.day.as_str())).collect(), now)?;
                let charged = group.iter().filter(|(charge, _)| settled.charged.contains(&charge.id));
                let charged = charged.map(|(charge, _)| (charge.id, charge.day.as_str())).collect();
                let given_back = refund::refund_charged_after_leaving(conn, &policy, &charged, now)?
                    + refund::refund_charged_within_period(conn, &charged, now)?;
                let counted = group.iter().filter(|(charge, _)| settled.counted.contains(&charge.id));
                let counted = counted.map(|(charge, outcome)| metrics::CountedCharge {
                    svc_id: charge.svc_id,
                    outcome: outcome.label(),
                    cents: charge.cents,
                });
                metrics::charged(&policy, counted);
                Ok::<_, Error>((settled, given_back))
            })
            .await?;
        let (mut settled, given_back) = written;
        if given_back > 0 {
            self.outbox_wake.notify_one();
        }
        crash::point("charge.settled");
        self.sync_states(std::mem::take(&mut settled.moved)).await?;
        Ok(settled)
    }

    /// Changes the states of subscriptions as their charges require.
    pub async fn sync_states(&self, subscriptions: Vec<i64>) -> Result<usize, Error> {
        if subscriptions.is_empty() {
            return Ok(0);
        }
        let (policy, now) = (self.policy.clone(), self.clock.now());
        let moved = self.db.write(move |conn| suspend::sync_states(conn, &policy, subscriptions, now)).await?;
        if moved > 0 {
            self.outbox_wake.notify_one();
        }
        Ok(moved)
    }
}

/// The request for a charge.
pub(crate) fn charge_request(charge: &Charge) -> ChargeRequest {
    ChargeRequest {
        key: charge.charge_key.clone(),
        msisdn: charge.msisdn.clone(),
        svc_id: charge.svc_id,
        cents: charge.cents,
        day: charge.day.clone(),
        network_subscription_id: charge.network_subscription_id.clone(),
        network_ref: charge.network_ref.clone(),
        sent_at: None,
    }
}

/// The outcome in a network's reply, to a charge or to a status query; the charge keeps the network's reference of it.
pub(crate) fn charge_outcome(charge: &mut Charge, answer: operator::Charge) -> Outcome {
    if answer.network_ref.is_some() {
        charge.network_ref.clone_from(&answer.network_ref);
    }
    match answer.outcome {
        operator::ChargeStatus::Charged => Outcome::Charged { network_ref: answer.network_ref },
        operator::ChargeStatus::InsufficientFunds => Outcome::NoAirtime,
        operator::ChargeStatus::Refused => Outcome::NotSubscribed,
        operator::ChargeStatus::Cancelled => Outcome::Unavailable { reason: "the network cancelled it" },
        operator::ChargeStatus::Accepted => Outcome::Accepted,
        operator::ChargeStatus::Unknown => {
            Outcome::Unknown { reason: "the network's answer is no outcome that we know" }
        }
    }
}

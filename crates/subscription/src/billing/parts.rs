//! What every part of billing works with.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use chrono::NaiveDate;
use operator::ChargeRequest;
use service::Clock;
use store::Db;
use tokio::sync::Notify;

use super::{
    bounds::{self, Bounds},
    calendar, follow,
    ledger::{Charge, Outcome, Settled, Writer, settle},
    refund,
};
use crate::{crash, error::Error, figures, networks::Networks, terms::Terms};

/// Tables, networks, clock and bounds; clones share them.
#[derive(Clone)]
pub(crate) struct Parts {
    pub db: Db,
    pub networks: Networks,
    pub terms: Arc<Terms>,
    pub clock: Clock,
    pub bounds: Bounds,
    /// How long a network may take to answer a charge.
    pub patience: Duration,
    /// Names this process in its claims.
    pub token: Arc<str>,
    /// Wakes the dispatcher of the outbox.
    pub outbox_wake: Arc<Notify>,
    /// Gone once the server has stopped.
    pub alive: Weak<()>,
}

impl Parts {
    /// Whether the service still runs.
    pub fn lives(&self) -> bool {
        self.alive.strong_count() > 0
    }

    /// The calendar day of now.
    pub fn today(&self) -> NaiveDate {
        calendar::day_of(self.clock.now())
    }

    /// Writes outcomes down with all that follows from them: refunds of charges that settled after a leave, and moves.
    pub async fn settle(&self, writer: Writer, group: Arc<Vec<(Charge, Outcome)>>) -> Result<Vec<i64>, Error> {
        let (terms, now) = (self.terms.clone(), self.clock.now());
        let written = self
            .db
            .write(move |conn| {
                let settled = settle(conn, writer, &group, now, Clock::system_now())?;
                let not_sent = group
                    .iter()
                    .filter(|(charge, outcome)| *outcome == Outcome::NotSent && settled.counted.contains(&charge.id));
                bounds::uncount(conn, &not_sent.map(|(charge, _)| charge.id).collect::<Vec<_>>(), now)?;
                let given_back = refund::give_back_after_leaving(conn, &terms, &settled.charged, now)?;
                figures::charged(&terms, group.iter().filter(|(charge, _)| settled.counted.contains(&charge.id)));
                Ok::<_, Error>((settled, given_back))
            })
            .await?;
        let (Settled { moved, unknown_to_network, .. }, given_back) = written;
        if given_back > 0 {
            self.outbox_wake.notify_one();
        }
        crash::point("charge.settled");
        self.follow(moved).await?;
        Ok(unknown_to_network)
    }

    /// Moves subscriptions whose charges say so.
    pub async fn follow(&self, subscriptions: Vec<i64>) -> Result<usize, Error> {
        if subscriptions.is_empty() {
            return Ok(0);
        }
        let (terms, now) = (self.terms.clone(), self.clock.now());
        let moved = self.db.write(move |conn| follow::follow(conn, &terms, subscriptions, now)).await?;
        if moved > 0 {
            self.outbox_wake.notify_one();
        }
        Ok(moved)
    }
}

/// What a network is asked for a charge.
pub(crate) fn request_of(charge: &Charge) -> ChargeRequest {
    ChargeRequest {
        key: charge.charge_key.clone(),
        msisdn: charge.msisdn.clone(),
        svc_id: charge.svc_id,
        cents: charge.cents,
        day: charge.day.clone(),
        network_subscription_id: charge.network_subscription_id.clone(),
    }
}

/// What a network's answer means, whether it was sent at once or when it was asked.
pub(crate) fn outcome_of(answer: operator::Charge) -> Outcome {
    match answer.outcome {
        operator::ChargeStatus::Charged => Outcome::Charged { network_ref: answer.network_ref },
        operator::ChargeStatus::InsufficientFunds => Outcome::NoAirtime,
        operator::ChargeStatus::Refused => Outcome::NotSubscribed,
        operator::ChargeStatus::Unknown => {
            Outcome::Unknown { reason: "the network's answer is no outcome that we know" }
        }
    }
}

//! The sender: claims what one network has free slots for, sends it side by side, and writes the outcomes down.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use chrono::NaiveDate;
use service::Clock;
use tokio::sync::mpsc;

use super::{
    gone, lease,
    ledger::{Charge, Outcome, Writer},
    parts::{Parts, outcome_of, request_of},
};
use crate::{
    crash,
    error::Error,
    figures,
    networks::{ChargeReply, Gate, Link, Permitted},
};

/// Outcomes written down in one transaction at most.
const SETTLED_AT_ONCE: usize = 500;

/// How often a long run logs its progress.
const PROGRESS: Duration = Duration::from_secs(10);

/// How often a settlement is tried at least, by a process that is stopping.
const SETTLE_TRIES: u32 = 3;

/// Between two of these tries at most.
const SETTLE_PAUSE: Duration = Duration::from_secs(2);

/// How long it is tried; by then any process has taken such charges over.
const SETTLE_FOR: Duration = Duration::from_secs(300);

/// Sends the charges of one network.
#[derive(Clone)]
pub(crate) struct Sender {
    pub parts: Parts,
    pub network: Arc<str>,
    /// The newest pass that this network was given; an older one gives way to it.
    pub newest_pass: Arc<AtomicI64>,
}

impl Sender {
    /// Sends everything that is to be sent: a pass's charges, or with `None` those that are wanted at once. Ends early where the
    /// network is paused.
    pub async fn send_due(&self, day: NaiveDate, pass: Option<i64>) -> Result<(), Error> {
        let (outcomes, received) = mpsc::channel(SETTLED_AT_ONCE * 2);
        let (sent, ()) = tokio::join!(self.claim_and_send(day, pass, outcomes), self.write_down(received));
        sent
    }

    async fn claim_and_send(
        &self,
        day: NaiveDate,
        pass: Option<i64>,
        outcomes: mpsc::Sender<(Charge, Outcome)>,
    ) -> Result<(), Error> {
        let mut after = 0;
        while self.goes_on(day, pass) {
            let Link { gate, .. } = self.parts.networks.link(&self.network)?;
            let least = if pass.is_some() { gate.batch() / 2 } else { 1 };
            let mut slots = gate.slots(least, gate.batch()).await;
            // Looked at after the wait for slots: the calls that held them may have paused the network.
            match gate.permitted() {
                Permitted::Any => {}
                Permitted::One => slots.truncate(1),
                Permitted::None(_) => break,
            }
            let claimed_at = Instant::now();
            let claim = self.claim(day, pass, after, slots.len()).await?;
            let Some(last) = claim.last else {
                // Once more from the start, for what was locked or given back behind us.
                if after == 0 {
                    break;
                }
                after = 0;
                continue;
            };
            after = last;
            crash::point("charge.claims-committed");
            for (charge, slot) in claim.charges.into_iter().zip(slots) {
                let (sender, outcomes) = (self.clone(), outcomes.clone());
                actix_web::rt::spawn(async move {
                    let outcome = sender.send(&charge, claimed_at).await;
                    // The receiver lives as long as any outcome can come.
                    let _ = outcomes.send((charge, outcome)).await;
                    drop(slot);
                });
            }
        }
        Ok(())
    }

    fn goes_on(&self, day: NaiveDate, pass: Option<i64>) -> bool {
        let is_newest = pass.is_none_or(|pass| pass >= self.newest_pass.load(Ordering::Relaxed));
        self.parts.lives() && is_newest && self.parts.today() == day
    }

    async fn claim(&self, day: NaiveDate, pass: Option<i64>, after: i64, limit: usize) -> Result<lease::Claim, Error> {
        let (parts, network, now) = (self.parts.clone(), self.network.clone(), self.parts.clock.now());
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.parts
            .db
            .write(move |conn| {
                let day = day.to_string();
                let query = lease::Query { network: &network, day: &day, pass, after, limit };
                lease::claim(conn, (&parts.terms, parts.bounds), &parts.token, &query, now, Clock::system_now())
            })
            .await
    }

    async fn send(&self, charge: &Charge, claimed_at: Instant) -> Outcome {
        let Ok(Link { operator, gate, .. }) = self.parts.networks.link(&self.network) else {
            return Outcome::NotSent;
        };
        gate.charge_turn().await;
        // A day that is over is never charged for, even if its charges were claimed before midnight.
        let is_today = charge.day == self.parts.today().to_string();
        if !self.parts.lives() || !is_today || matches!(gate.permitted(), Permitted::None(_)) {
            return Outcome::NotSent;
        }
        let _trial = gate.begin();
        crash::point("charge.claimed");
        // Looked at last: a leave may have been acknowledged since.
        if claimed_at.elapsed() > lease::BEGIN_WINDOW {
            return Outcome::NotSent;
        }
        let request = request_of(charge);
        let reply = operator.charge(&request).await;
        crash::point("charge.sent");
        figures::charge_call(&self.network, &reply);
        let (outcome, answered) = match reply {
            ChargeReply::Completed(answer) => (outcome_of(answer), true),
            ChargeReply::Rejected(reason) => (Outcome::Rejected { reason }, true),
            ChargeReply::RetryLater(reason) => (Outcome::Unavailable { reason }, false),
            ChargeReply::Unknown(reason) => (Outcome::Unknown { reason }, false),
        };
        gate.record(answered);
        match outcome {
            Outcome::Unknown { reason } => self.ask_at_once(&gate, &request, reason).await,
            outcome => outcome,
        }
    }

    /// A lost reply is asked for once, where the second has a question left. A no at this moment proves nothing: what was sent may
    /// still be on its way.
    async fn ask_at_once(&self, gate: &Gate, request: &operator::ChargeRequest, reason: &'static str) -> Outcome {
        if gate.permitted() == Permitted::Any
            && gate.may_ask()
            && let Ok(link) = self.parts.networks.link(&self.network)
            && let Ok(Some(answer)) = link.operator.charge_of(request).await
        {
            return outcome_of(answer);
        }
        Outcome::Unknown { reason }
    }

    async fn write_down(&self, mut received: mpsc::Receiver<(Charge, Outcome)>) {
        let (mut group, began, mut told) = (Vec::new(), Instant::now(), Instant::now());
        let (mut done, mut charged) = (0_u64, 0_u64);
        while received.recv_many(&mut group, SETTLED_AT_ONCE).await > 0 {
            done += u64::try_from(group.len()).unwrap_or_default();
            charged +=
                group.iter().map(|(_, outcome)| u64::from(matches!(outcome, Outcome::Charged { .. }))).sum::<u64>();
            self.settle(std::mem::take(&mut group)).await;
            if told.elapsed() > PROGRESS {
                told = Instant::now();
                tracing::info!(
                    network.name = %self.network,
                    charges.sent = done,
                    charges.charged = charged,
                    charges.per_second = done / began.elapsed().as_secs().max(1),
                    "billing: {done} charges sent, {charged} charged"
                );
            }
        }
    }

    /// Until it has succeeded nothing more is sent than there is room for outcomes: a charge that cannot be written down is better
    /// not made.
    async fn settle(&self, group: Vec<(Charge, Outcome)>) {
        let (group, began, mut attempt) = (Arc::new(group), Instant::now(), 1);
        crash::point("charge.before-settling");
        let unknown_to_network = loop {
            match self.parts.settle(Writer::Sender, group.clone()).await {
                Ok(subscriptions) => break subscriptions,
                Err(error) => tracing::error!(error = %error, attempt, "charges could not be settled"),
            }
            if attempt >= SETTLE_TRIES && (!self.parts.lives() || began.elapsed() > SETTLE_FOR) {
                return;
            }
            tokio::time::sleep((Duration::from_millis(200) * attempt).min(SETTLE_PAUSE)).await;
            attempt += 1;
        };
        for subscription in unknown_to_network {
            if let Err(error) = gone::end_if_unknown(&self.parts, &self.network, subscription).await {
                tracing::warn!(error = %error, subscription.id = subscription, "a network could not be asked about a subscription");
            }
        }
    }
}

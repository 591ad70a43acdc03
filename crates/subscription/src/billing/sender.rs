//! The sender: claims as many charges as one network has free slots for, sends them concurrently, and records the outcomes.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use chrono::{NaiveDate, NaiveDateTime};
use service::Clock;
use store::DbConnection;
use tokio::{sync::mpsc, time::Instant};

use crate::{
    billing::{
        context::{BillingContext, charge_outcome, charge_request},
        lease, unknown_subscriptions,
    },
    error::Error,
    ledger::{
        pauses::Paused,
        rows::{Charge, Outcome, OutcomeSource},
    },
    networks::{Admission, Failure, NetworkHandle, Throttle},
    subscribers::{crash, metrics},
};

/// The most outcomes recorded in one transaction.
const SETTLE_BATCH_SIZE: usize = 500;

/// The interval between two log lines of a long run.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(10);

/// How long a pass waits for rows that other transactions hold, and how often it looks.
const MAX_WAIT_FOR_LOCKED: Duration = Duration::from_secs(5);
const LOCKED_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// How often a pass looks whether it goes on, while the network wants no charges.
const REST_POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The fewest attempts to settle, in a process that is stopping.
const SETTLE_MIN_ATTEMPTS: u32 = 3;

/// The longest pause between two attempts.
const SETTLE_MAX_PAUSE: Duration = Duration::from_secs(2);

/// How long settling is tried; by then the claims have expired on any process.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(300);

/// Sends the charges of one network.
#[derive(Clone)]
pub(crate) struct Sender {
    pub context: BillingContext,
    pub network: Arc<str>,
    /// The newest pass of this network; an older one stops.
    pub newest_pass: Arc<AtomicI64>,
}

impl Sender {
    /// Sends all due charges: those of a pass, or with `None` the immediate ones. Returns early where the network is paused; leaves out what staff have paused.
    pub async fn send_due(&self, day: NaiveDate, pass: Option<i64>) -> Result<(), Error> {
        loop {
            let (outcomes, received) = mpsc::channel(SETTLE_BATCH_SIZE * 2);
            let (sent, in_part) =
                tokio::join!(self.claim_and_send(day, pass, outcomes), self.record_outcomes(received));
            sent?;
            // The smaller amounts of days that can be charged in part are claimed like the first, and so is what the network wants later.
            if in_part == 0 || !self.should_continue(day, pass) {
                return Ok(());
            }
        }
    }

    async fn claim_and_send(
        &self,
        day: NaiveDate,
        pass: Option<i64>,
        outcomes: mpsc::Sender<(Charge, Outcome)>,
    ) -> Result<(), Error> {
        let mut after = 0;
        let mut locked_since = None;
        while self.should_continue(day, pass) {
            let NetworkHandle { throttle, .. } = self.context.networks.get(&self.network)?;
            let rest = throttle.rest();
            if !rest.is_zero() {
                tokio::time::sleep(rest.min(REST_POLL_INTERVAL)).await;
                continue;
            }
            let min_slots = if pass.is_some() { throttle.max_batch() / 2 } else { 1 };
            let mut slots = throttle.slots(min_slots, throttle.max_batch()).await;
            // Checked after the wait for slots: the calls in them may have opened the circuit breaker.
            match throttle.admission() {
                Admission::Any => {}
                Admission::One => slots.truncate(1),
                Admission::None(_) => break,
            }
            let claimed_at = Instant::now();
            let claim = self.claim(day, pass, after, slots.len()).await?;
            let Some(last) = claim.last else {
                // Once more from the start, for rows that were locked or released meanwhile.
                if after > 0 {
                    after = 0;
                    continue;
                }
                drop(slots);
                let since: &Instant = locked_since.get_or_insert_with(Instant::now);
                if since.elapsed() > MAX_WAIT_FOR_LOCKED || !self.has_locked(day, pass).await? {
                    break;
                }
                tokio::time::sleep(LOCKED_POLL_INTERVAL).await;
                continue;
            };
            (after, locked_since) = (last, None);
            crash::point("charge.claims-committed");
            for (charge, slot) in claim.charges.into_iter().zip(slots) {
                let (sender, outcomes) = (self.clone(), outcomes.clone());
                actix_web::rt::spawn(async move {
                    let mut charge = charge;
                    let outcome = sender.send(&mut charge, claimed_at).await;
                    // The receiver is dropped only after the last sender.
                    let _ = outcomes.send((charge, outcome)).await;
                    drop(slot);
                });
            }
        }
        Ok(())
    }

    fn should_continue(&self, day: NaiveDate, pass: Option<i64>) -> bool {
        let is_newest = pass.is_none_or(|pass| pass >= self.newest_pass.load(Ordering::Relaxed));
        self.context.is_running() && is_newest && self.context.today() == day
    }

    async fn claim(&self, day: NaiveDate, pass: Option<i64>, after: i64, limit: usize) -> Result<lease::Claim, Error> {
        let (context, network, now) = (self.context.clone(), self.network.clone(), self.context.clock.now());
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.context
            .db
            .write(move |conn| {
                let day = day.to_string();
                let query = lease::ClaimQuery { network: &network, day: &day, pass, after, limit };
                lease::claim(conn, (&context.policy, context.bounds), &context.token, &query, now, Clock::system_now())
            })
            .await
    }

    /// Whether charges of the pass were not claimed because another transaction holds their rows. Immediate charges are looked for again anyway.
    async fn has_locked(&self, day: NaiveDate, pass: Option<i64>) -> Result<bool, Error> {
        let Some(pass) = pass else { return Ok(false) };
        let network = self.network.clone();
        let left = move |conn: &mut DbConnection| {
            let paused = Paused::at(conn, &network)?;
            lease::left_to_claim(conn, &network, &day.to_string(), pass, &paused)
        };
        Ok(self.context.db.run(left).await? > 0)
    }

    async fn send(&self, charge: &mut Charge, claimed_at: Instant) -> Outcome {
        let Ok(NetworkHandle { operator, throttle, .. }) = self.context.networks.get(&self.network) else {
            return Outcome::NotSent;
        };
        throttle.wait_for_charge_rate().await;
        // A past day is never charged, even if its charges were claimed before midnight.
        let is_today = charge.day == self.context.today().to_string();
        if !self.context.is_running() || !is_today || matches!(throttle.admission(), Admission::None(_)) {
            return Outcome::NotSent;
        }
        let _call = throttle.begin();
        crash::point("charge.claimed");
        // Checked last: a leave may have been acknowledged meanwhile.
        let send_by = claimed_at + lease::BEGIN_WINDOW;
        if Instant::now() > send_by {
            return Outcome::NotSent;
        }
        let request = charge_request(charge);
        let reply = operator.charge(&request, send_by).await;
        crash::point("charge.sent");
        metrics::charge_call(&self.network, &reply);
        if matches!(reply, Ok(_) | Err(Failure::Rejected(_))) {
            throttle.accepted();
        }
        let (outcome, answered) = match reply {
            Ok(answer) => (charge_outcome(charge, answer), true),
            Err(Failure::Rejected(reason)) => (Outcome::Rejected { reason }, true),
            // No outage, and no failure while the network takes other charges: the pass comes back to it.
            Err(Failure::Busy(after)) if throttle.refused(after) => return Outcome::Later,
            Err(Failure::Busy(_)) => return Outcome::Unavailable { reason: "the network said later" },
            Err(Failure::RetryLater(reason)) => (Outcome::Unavailable { reason }, false),
            Err(Failure::Unknown(reason)) => {
                // An earlier reply's is that of an earlier attempt.
                charge.network_ref = None;
                (Outcome::Unknown { reason }, false)
            }
        };
        throttle.record(answered);
        match outcome {
            Outcome::Unknown { reason } => self.query_once(&throttle, charge, reason).await,
            outcome => outcome,
        }
    }

    /// Queries a lost reply once, if the rate limit admits it. "Not known" proves nothing at this time: the charge may still be in flight.
    async fn query_once(&self, throttle: &Throttle, charge: &mut Charge, reason: &'static str) -> Outcome {
        if throttle.admission() == Admission::Any
            && throttle.try_status_query()
            && let Ok(link) = self.context.networks.get(&self.network)
            && let Ok(Some(answer)) = link.operator.charge_status(&just_sent(charge, self.context.clock.now())).await
        {
            // Of a day in parts, a no may be that to an earlier request under the same key: then a later query decides.
            return match charge_outcome(charge, answer) {
                Outcome::NoAirtime if !charge.parts.is_empty() && (charge.unanswered || charge.failures > 0) => {
                    Outcome::Unknown { reason }
                }
                outcome => outcome,
            };
        }
        Outcome::Unknown { reason }
    }

    /// Returns how many charges wait in this pass.
    async fn record_outcomes(&self, mut received: mpsc::Receiver<(Charge, Outcome)>) -> usize {
        let (mut group, began, mut logged_at) = (Vec::new(), Instant::now(), Instant::now());
        let (mut done, mut charged, mut in_part) = (0_u64, 0_u64, 0);
        while received.recv_many(&mut group, SETTLE_BATCH_SIZE).await > 0 {
            done += u64::try_from(group.len()).unwrap_or_default();
            charged +=
                group.iter().map(|(_, outcome)| u64::from(matches!(outcome, Outcome::Charged { .. }))).sum::<u64>();
            in_part += self.settle(std::mem::take(&mut group)).await;
            if logged_at.elapsed() > PROGRESS_INTERVAL {
                logged_at = Instant::now();
                tracing::info!(
                    network.name = %self.network,
                    charges.sent = done,
                    charges.charged = charged,
                    charges.per_second = done / began.elapsed().as_secs().max(1),
                    "billing: {done} charges sent, {charged} charged"
                );
            }
        }
        in_part
    }

    /// While settling fails, no more is sent than the channel has room for: a charge that cannot be recorded should not be made.
    /// Returns how many charges wait in this pass.
    async fn settle(&self, group: Vec<(Charge, Outcome)>) -> usize {
        let (group, began, mut attempt) = (Arc::new(group), Instant::now(), 1);
        crash::point("charge.before-settling");
        let settled = loop {
            match self.context.settle(OutcomeSource::Sender, group.clone()).await {
                Ok(settled) => break settled,
                Err(error) => tracing::error!(error = %error, attempt, "charges could not be settled"),
            }
            if attempt >= SETTLE_MIN_ATTEMPTS && (!self.context.is_running() || began.elapsed() > SETTLE_TIMEOUT) {
                return 0;
            }
            tokio::time::sleep((Duration::from_millis(200) * attempt).min(SETTLE_MAX_PAUSE)).await;
            attempt += 1;
        };
        for subscription in settled.unknown_to_network {
            if let Err(error) = unknown_subscriptions::end_if_unknown(&self.context, &self.network, subscription).await
            {
                tracing::warn!(error = %error, subscription.id = subscription, "the status of a subscription could not be requested");
            }
        }
        settled.in_part
    }
}

/// The request for the status of a charge that was sent just now.
fn just_sent(charge: &Charge, now: NaiveDateTime) -> operator::ChargeRequest {
    operator::ChargeRequest { sent_at: Some(now), ..charge_request(charge) }
}

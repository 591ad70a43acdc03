//! The dispatchers: one task for each network and kind of message, so that a network that does not answer delays no other, and no stop
//! waits for an SMS.
//!
//! Each step of a dispatcher is one transaction that records the ended attempts and claims as many messages as may start; the claimed
//! messages are sent concurrently. While a network does not answer, one message at a time is sent to it.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    sync::{Arc, Weak},
    time::Duration,
};

use brands::Pace;
use chrono::TimeDelta;
use operator::{RefundRequest, SmsRequest, StopRequest};
use serde::de::DeserializeOwned;
use service::Clock;
use store::Db;
use tokio::{
    sync::{
        Notify,
        mpsc::{self, UnboundedSender},
    },
    time::Instant,
};

use crate::{
    App,
    error::Error,
    ledger::refunds::RefundOutcome,
    messages::outbox::{
        ANSWER_VALIDITY, CODE_VALIDITY, REFUND, SMS, STOP, is_quiet,
        queue::{Attempt, ClaimedMessage, DeadMessage, Outcome, Queue},
        seconds,
    },
    networks::{Networks, RateLimit},
    subscribers::{crash, metrics, policy::Policy},
};

/// The longest pause of a dispatcher whose network does not answer.
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// Starts the dispatchers: one for each queue, when its first message is found. The table is read at a wake-up, and at this interval.
pub(crate) fn start(app: &App, interval: Duration) {
    let sender = Rc::new(Sender {
        db: app.db.clone(),
        networks: app.networks.clone(),
        policy: app.policy.clone(),
        clock: app.clock.clone(),
        alive: Arc::downgrade(&app.alive),
        interval,
    });
    let wake = app.outbox_wake.clone();
    actix_web::rt::spawn(async move {
        let mut dispatchers: BTreeMap<Queue, Rc<Notify>> = BTreeMap::new();
        while sender.is_running() {
            match sender.db.run(Queue::all).await {
                Ok(queues) => {
                    for queue in queues {
                        dispatchers.entry(queue).or_insert_with_key(|queue| {
                            let wake = Rc::new(Notify::new());
                            actix_web::rt::spawn(Dispatcher::new(&sender, queue, &wake).run());
                            wake
                        });
                    }
                }
                Err(error) => tracing::error!(error = %error, "the outbox could not be read"),
            }
            tokio::select! {
                biased;
                () = wake.notified() => dispatchers.values().for_each(|dispatcher| dispatcher.notify_one()),
                () = tokio::time::sleep(interval) => {}
            }
        }
    });
}

/// The state shared by all dispatchers.
struct Sender {
    db: Db,
    networks: Networks,
    policy: Arc<Policy>,
    clock: Clock,
    alive: Weak<()>,
    interval: Duration,
}

struct Dispatcher {
    sender: Rc<Sender>,
    queue: Queue,
    wake: Rc<Notify>,
    pace: Pace,
    limiter: Rc<RateLimit>,
    /// The ids of messages in flight.
    sending: BTreeSet<i64>,
    /// Ended attempts that are not recorded yet.
    ended: Vec<Attempt>,
    /// Consecutive attempts without an answer, and the end of the current pause.
    failures: u32,
    paused_until: Option<Instant>,
}

impl Dispatcher {
    fn new(sender: &Rc<Sender>, queue: &Queue, wake: &Rc<Notify>) -> Self {
        let pace = sender.pace_of(queue);
        Self {
            sender: sender.clone(),
            queue: queue.clone(),
            wake: wake.clone(),
            pace,
            limiter: limiter(pace),
            sending: BTreeSet::new(),
            ended: Vec::new(),
            failures: 0,
            paused_until: None,
        }
    }

    async fn run(mut self) {
        let (results, mut attempts) = mpsc::unbounded_channel();
        while self.sender.is_running() {
            if let Err(error) = self.step(&results).await {
                tracing::error!(error = %error, outbox.kind = self.queue.kind, "the outbox could not be processed");
                tokio::time::sleep(self.sender.interval).await;
            }
            let mut ended = Vec::new();
            tokio::select! {
                biased;
                // All attempts that have ended are recorded in one transaction.
                _ = attempts.recv_many(&mut ended, self.at_once().max(1)) => {}
                () = self.wake.notified() => {}
                () = tokio::time::sleep(self.sender.interval) => {}
            }
            for attempt in ended {
                self.sending.remove(&attempt.id);
                self.count_failures(&attempt.outcome);
                self.ended.push(attempt);
            }
        }
    }

    /// Records ended attempts, claims messages up to the free capacity, and starts to send them.
    async fn step(&mut self, results: &UnboundedSender<Attempt>) -> Result<(), Error> {
        self.update_settings();
        let (free_capacity, now) = (self.free_capacity(), self.sender.clock.now());
        let quiet = is_quiet(&self.sender.policy.brands, &self.queue.network, now);
        if self.ended.is_empty() {
            let queue = self.queue.clone();
            if free_capacity == 0 || !self.sender.db.run(move |conn| queue.has_due(conn, quiet, now)).await? {
                return Ok(());
            }
        }
        let (queue, sending, ended) =
            (self.queue.clone(), self.sending.clone(), Arc::new(std::mem::take(&mut self.ended)));
        let (recorded, policy) = (ended.clone(), self.sender.policy.clone());
        let outcome = self.sender.db.write(move |conn| {
            let mut dead = Vec::new();
            for attempt in recorded.iter() {
                dead.extend(queue.record(conn, &policy, attempt, now)?);
            }
            let claimed =
                if free_capacity == 0 { Vec::new() } else { queue.claim(conn, quiet, free_capacity, &sending, now)? };
            Ok::<_, Error>((dead, claimed))
        });
        let (dead, claimed) = match outcome.await {
            Ok(done) => done,
            Err(error) => {
                // Recorded in the next step. If the commit did succeed, recording again changes nothing.
                self.ended = Arc::try_unwrap(ended).unwrap_or_default();
                return Err(error);
            }
        };
        dead.iter().for_each(|message| self.raise_alarm(message));
        if !claimed.is_empty() {
            crash::point("outbox.claimed");
        }
        for message in claimed {
            self.sending.insert(message.id);
            let (sender, queue) = (self.sender.clone(), self.queue.clone());
            let (limiter, results) = (self.limiter.clone(), results.clone());
            actix_web::rt::spawn(async move {
                limiter.until_ready().await;
                // The receiver is dropped only when the service stops.
                let _ = results.send(sender.attempt(&queue, message).await);
            });
        }
        Ok(())
    }

    fn at_once(&self) -> usize {
        usize::try_from(self.pace.messages_at_once.max(1)).unwrap_or(1)
    }

    /// How many messages may be claimed now: no more than can start within a second, so that claims do not expire in the queue.
    fn free_capacity(&self) -> usize {
        if self.paused_until.is_some_and(|until| Instant::now() < until) {
            return 0;
        }
        let most = if self.is_unavailable() { 1 } else { self.at_once() };
        let a_second = usize::try_from(self.pace.messages_per_second.max(1)).unwrap_or(1);
        most.saturating_sub(self.sending.len()).min(a_second)
    }

    fn is_unavailable(&self) -> bool {
        self.failures >= self.pace.messages_at_once.max(1)
    }

    /// Counts consecutive failures; as many as are sent concurrently start a pause.
    fn count_failures(&mut self, outcome: &Outcome) {
        if !matches!(outcome, Outcome::Failed { .. }) {
            (self.failures, self.paused_until) = (0, None);
            return;
        }
        self.failures = self.failures.saturating_add(1);
        if self.is_unavailable() {
            let pauses = self.failures - self.pace.messages_at_once.max(1);
            let pause = Duration::from_secs(1 << pauses.min(5)).min(MAX_PAUSE);
            self.paused_until = Instant::now().checked_add(pause);
        }
    }

    /// Applies changes of `brands.toml`.
    fn update_settings(&mut self) {
        let pace = self.sender.pace_of(&self.queue);
        if pace.messages_per_second != self.pace.messages_per_second {
            self.limiter = limiter(pace);
        }
        self.pace = pace;
    }

    fn raise_alarm(&self, message: &DeadMessage) {
        tracing::error!(
            alarm = "message_dead",
            outbox.id = message.id,
            outbox.kind = self.queue.kind,
            network.name = self.queue.network,
            cause = message.cause,
            "a message is dead; staff have to look at it"
        );
    }
}

impl Sender {
    fn is_running(&self) -> bool {
        self.alive.strong_count() > 0
    }

    fn pace_of(&self, queue: &Queue) -> Pace {
        self.policy.brands.network(&queue.network).map_or_else(Pace::default, |network| network.pace)
    }

    async fn attempt(&self, queue: &Queue, message: ClaimedMessage) -> Attempt {
        let refund_key = || {
            let refund = serde_json::from_str::<RefundRequest>(&message.body).ok().filter(|_| queue.kind == REFUND);
            refund.map(|refund| refund.key)
        };
        let outcome = match self.deliver(queue, &message).await {
            Ok(outcome) => {
                crash::point("outbox.delivered");
                outcome
            }
            Err(Error::NetworkRejected(cause)) => Outcome::Refused { cause, refund_key: refund_key() },
            Err(error) => {
                tracing::warn!(outbox.id = message.id, outbox.kind = queue.kind, outbox.attempts = message.attempts, error = %error, "a message was not delivered yet");
                Outcome::Failed { cause: error.to_string() }
            }
        };
        Attempt { id: message.id, attempts: message.attempts, outcome }
    }

    async fn deliver(&self, queue: &Queue, message: &ClaimedMessage) -> Result<Outcome, Error> {
        let network = self.networks.operator(&queue.network)?;
        match queue.kind.as_str() {
            SMS => {
                let mut sms: SmsRequest = parse_body(message)?;
                let age = message.created_at.map_or(TimeDelta::zero(), |created_at| self.clock.now() - created_at);
                let validity = sms.valid_seconds.unwrap_or_else(|| seconds(ANSWER_VALIDITY));
                let remaining = validity.saturating_sub(seconds(age));
                if remaining == 0 {
                    return Ok(Outcome::Outdated { needs_staff: validity > seconds(CODE_VALIDITY) });
                }
                sms.valid_seconds = Some(remaining);
                let sent = network.send_sms(&sms).await;
                metrics::network_call(&queue.network, "sms", &sent);
                sent.map(|()| Outcome::Delivered)
            }
            STOP => {
                let stopped = network.stop(&parse_body::<StopRequest>(message)?).await;
                metrics::network_call(&queue.network, "stop", &stopped);
                stopped.map(|()| Outcome::Delivered)
            }
            REFUND => {
                let refund: RefundRequest = parse_body(message)?;
                let refunded = network.refund(&refund).await;
                metrics::network_call(&queue.network, "refund", &refunded);
                let refunded = refunded?;
                let outcome = RefundOutcome::Refunded { network_ref: refunded.network_ref, cents: refunded.cents };
                Ok(Outcome::Refunded { key: refund.key, outcome })
            }
            _ => Err(Error::NetworkRejected("the kind of the message is unknown".to_owned())),
        }
    }
}

/// Parses a message's body; an unreadable one is rejected for good. The parser's message might contain a number.
fn parse_body<T: DeserializeOwned>(message: &ClaimedMessage) -> Result<T, Error> {
    serde_json::from_str(&message.body)
        .map_err(|error| Error::NetworkRejected(format!("the message cannot be read: {:?}", error.classify())))
}

/// A limiter with bursts of a twentieth of a second's messages.
fn limiter(pace: Pace) -> Rc<RateLimit> {
    Rc::new(RateLimit::new(pace.messages_per_second, pace.messages_per_second / 20))
}

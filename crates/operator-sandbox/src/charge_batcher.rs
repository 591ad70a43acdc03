//! Makes charges that arrive side by side in one transaction, and answers them once it is durable.

use std::{collections::BTreeMap, sync::Arc};

use chrono::NaiveDateTime;
use operator::ChargeRequest;
use service::Clock;
use store::{Db, DbConnection};
use tokio::sync::{mpsc, oneshot};

use crate::{
    behaviour::{BUSY_TRIES, Behaviour, LOW_AIRTIME_CENTS},
    charge_rows::{Charge, NewCharge, force_custom_plan},
    clock::day_of,
    error::Error,
    failures::{Failure, Reason},
    subscriptions::Subscription,
};

/// Charges made in one transaction at most.
const BATCH: usize = 500;

/// Takes charge requests and groups them.
#[derive(Clone)]
pub(crate) struct ChargeBatcher(mpsc::Sender<(Submitted, Reply)>);

type Reply = oneshot::Sender<Result<ChargeResult, Error>>;

/// One charge request.
struct Submitted {
    request: ChargeRequest,
    /// The network that was called at its own address.
    called: Option<Arc<str>>,
    /// Why the network makes no such charge at present, whatever the number does.
    refusal: Option<Reason>,
    /// The network that charges although it has no subscription.
    unsubscribed_at: Option<String>,
}

/// How one charge request ended.
#[derive(Clone)]
pub(crate) enum ChargeResult {
    /// The network replies with this outcome.
    Replied(operator::Charge),
    /// The charge was made, and the reply is lost.
    ReplyLost,
    /// The network replies 503.
    Busy,
    /// The key names another person's charge.
    KeyUsed,
}

impl ChargeBatcher {
    /// Runs until the last sender is dropped.
    pub fn start(db: Db, clock: Clock) -> Self {
        let (sender, mut queue) = mpsc::channel::<(Submitted, Reply)>(BATCH);
        actix_web::rt::spawn(async move {
            let mut batch = Vec::with_capacity(BATCH);
            while queue.recv_many(&mut batch, BATCH).await > 0 {
                // Networks know nothing of each other's keys.
                let mut by_network: BTreeMap<Option<Arc<str>>, Vec<(Submitted, Reply)>> = BTreeMap::new();
                for (submitted, reply) in batch.drain(..) {
                    by_network.entry(submitted.called.clone()).or_default().push((submitted, reply));
                }
                for (called, of_network) in by_network {
                    let (submitted, replies): (Vec<Submitted>, Vec<Reply>) = of_network.into_iter().unzip();
                    let now = clock.now();
                    let results = db.write(move |conn| charge_batch(conn, called.as_deref(), &submitted, now)).await;
                    for (place, reply) in replies.into_iter().enumerate() {
                        let result = results
                            .as_ref()
                            .map_err(Error::clone)
                            .and_then(|results| results.get(place).cloned().ok_or(Error::Stopping));
                        // The receiver is gone where the client has disconnected.
                        let _ = reply.send(result);
                    }
                }
            }
        });
        Self(sender)
    }

    /// Makes one charge, unless there is a reason against it. `unsubscribed_at` is a network that charges without a subscription of its own.
    pub async fn submit(
        &self,
        request: ChargeRequest,
        called: Option<Arc<str>>,
        refusal: Option<Reason>,
        unsubscribed_at: Option<String>,
    ) -> Result<ChargeResult, Error> {
        let (reply, result) = oneshot::channel();
        self.0
            .send((Submitted { request, called, refusal, unsubscribed_at }, reply))
            .await
            .map_err(|_| Error::Stopping)?;
        result.await.map_err(|_| Error::Stopping)?
    }
}

/// The result of one request, before its charge has an id.
enum Verdict {
    Charged,
    ReplyLost,
    Failed(Failure),
    Busy,
    KeyUsed,
}

/// One batch of a network, in the order of arrival: copies of one key find what the first of them did.
fn charge_batch(
    conn: &mut DbConnection,
    called: Option<&str>,
    submitted: &[Submitted],
    now: NaiveDateTime,
) -> Result<Vec<ChargeResult>, Error> {
    force_custom_plan(conn)?;
    let keys: Vec<&str> = submitted.iter().map(|one| one.request.key.as_str()).collect();
    let numbers: Vec<&str> = submitted.iter().map(|one| one.request.msisdn.as_str()).collect();
    let known = Charge::of_keys(conn, called, &keys)?;
    let running = Subscription::running_of_numbers(conn, &numbers)?;
    let mut failed = Failure::of_keys(conn, &keys)?;
    let mut new: BTreeMap<&str, NewCharge> = BTreeMap::new();
    let mut new_failures: BTreeMap<&str, Failure> = BTreeMap::new();
    let mut verdicts = Vec::with_capacity(submitted.len());
    for Submitted { request, refusal, unsubscribed_at, .. } in submitted {
        let ChargeRequest { key, msisdn, svc_id, .. } = request;
        let charged = known.get(key).map(|charge| (&charge.msisdn, charge.svc_id));
        let charged = charged.or_else(|| new.get(key.as_str()).map(|charge| (&charge.msisdn, charge.svc_id)));
        verdicts.push(match charged {
            Some(of) if of == (msisdn, *svc_id) => Verdict::Charged,
            Some(_) => Verdict::KeyUsed,
            None => {
                let tries = failed.get(key).map_or(0, |failure| failure.tries);
                // At an address that networks share, any of them may be meant.
                let of_number = running.get(&(msisdn.clone(), *svc_id)).map(Vec::as_slice).unwrap_or_default();
                let is_called = |one: &&Subscription| called.is_none_or(|called| called == one.network);
                let subscription = of_number.iter().rfind(is_called);
                let unsubscribed_at = unsubscribed_at.as_deref();
                let started_at = subscription.map(|one| one.started_at).or_else(|| unsubscribed_at.map(|_| now));
                match refusal.or_else(|| reason_against(request, tries, started_at)) {
                    Some(reason) => {
                        let failure = Failure::again(failed.get(key), key, reason, now);
                        failed.insert(key.clone(), failure.clone());
                        new_failures.insert(key, failure.clone());
                        if matches!(reason, Reason::Busy) { Verdict::Busy } else { Verdict::Failed(failure) }
                    }
                    None => {
                        let network =
                            subscription.map(|one| one.network.as_str()).or(unsubscribed_at).unwrap_or_default();
                        new.insert(key, NewCharge::of(request, network, now));
                        let reply_lost = Behaviour::of(msisdn) == Behaviour::ReplyLost;
                        if reply_lost { Verdict::ReplyLost } else { Verdict::Charged }
                    }
                }
            }
        });
    }
    NewCharge::make(conn, &new.values().cloned().collect::<Vec<_>>())?;
    Failure::keep(conn, &new_failures.into_values().collect::<Vec<_>>())?;
    let made = if new.is_empty() { known } else { Charge::of_keys(conn, called, &keys)? };
    let result = |(Submitted { request, .. }, verdict): (&Submitted, Verdict)| match verdict {
        // A charge that another process made under this key at the same time is found like our own.
        Verdict::Charged => {
            made.get(&request.key).map(|charge| ChargeResult::Replied(charge.reply())).ok_or(Error::Stopping)
        }
        Verdict::Failed(failure) => failure.reply_to(request).map(ChargeResult::Replied).ok_or(Error::Stopping),
        Verdict::ReplyLost => Ok(ChargeResult::ReplyLost),
        Verdict::Busy => Ok(ChargeResult::Busy),
        Verdict::KeyUsed => Ok(ChargeResult::KeyUsed),
    };
    submitted.iter().zip(verdicts).map(result).collect()
}

/// Why a charge is not made; `started_at` is the running subscription's.
fn reason_against(request: &ChargeRequest, tries: i32, started_at: Option<NaiveDateTime>) -> Option<Reason> {
    let Some(started_at) = started_at else { return Some(Reason::Refused) };
    match Behaviour::of(&request.msisdn) {
        Behaviour::InsufficientFunds => Some(Reason::InsufficientFunds),
        Behaviour::LowAirtime if request.cents > LOW_AIRTIME_CENTS => Some(Reason::InsufficientFunds),
        Behaviour::Busy if tries < BUSY_TRIES => Some(Reason::Busy),
        // Both are written YYYY-MM-DD.
        Behaviour::UnknownFromSecondDay if request.day > day_of(started_at).to_string() => Some(Reason::Refused),
        _ => None,
    }
}

//! The till: charges that arrive side by side are made in one transaction, and answered once it is durable.

use std::collections::BTreeMap;

use chrono::NaiveDateTime;
use operator::ChargeRequest;
use store::{Db, DbConnection};
use tokio::sync::{mpsc, oneshot};
use web::Clock;

use crate::{
    behaviour::{BUSY_TRIES, Behaviour},
    charges::{Charge, NewCharge, plan_anew},
    error::Error,
    failures::{Failure, Reason},
    subscriptions::Subscription,
};

/// Charges made in one transaction at most.
const GROUP: usize = 500;

/// Where charges are made.
#[derive(Clone)]
pub(crate) struct Till(mpsc::Sender<(ChargeRequest, Reply)>);

type Reply = oneshot::Sender<Result<Rung, Error>>;

/// How a charge ended, for whoever answers it.
#[derive(Clone)]
pub(crate) enum Rung {
    /// This is to be said.
    Told(operator::Charge),
    /// It was made, and the word of it gets lost.
    WordLost,
    /// Not now.
    Busy,
    /// The key names another person's charge.
    KeyTaken,
}

impl Till {
    /// Open as long as somebody may still come.
    pub fn open(db: Db, clock: Clock) -> Self {
        let (till, mut queue) = mpsc::channel(GROUP);
        actix_web::rt::spawn(async move {
            let mut group = Vec::with_capacity(GROUP);
            while queue.recv_many(&mut group, GROUP).await > 0 {
                let (requests, replies): (Vec<ChargeRequest>, Vec<Reply>) = group.drain(..).unzip();
                let now = clock.now();
                let rung = db.write(move |conn| ring_up(conn, &requests, now)).await;
                for (place, reply) in replies.into_iter().enumerate() {
                    let told = rung
                        .as_ref()
                        .map_err(Error::clone)
                        .and_then(|rung| rung.get(place).cloned().ok_or(Error::Stopping));
                    // Who asked may have gone away.
                    let _ = reply.send(told);
                }
            }
        });
        Self(till)
    }

    /// Makes one charge, unless there is a reason against it.
    pub async fn ring_up(&self, request: ChargeRequest) -> Result<Rung, Error> {
        let (reply, told) = oneshot::channel();
        self.0.send((request, reply)).await.map_err(|_| Error::Stopping)?;
        told.await.map_err(|_| Error::Stopping)?
    }
}

/// What is to be said of one request, before its charge has a name.
enum Verdict {
    Charged,
    WordLost,
    Failed(Failure),
    Busy,
    KeyTaken,
}

/// One group: in the order of arrival, so that copies of one key find what the first of them did.
fn ring_up(conn: &mut DbConnection, requests: &[ChargeRequest], now: NaiveDateTime) -> Result<Vec<Rung>, Error> {
    plan_anew(conn)?;
    let keys: Vec<&str> = requests.iter().map(|request| request.key.as_str()).collect();
    let numbers: Vec<&str> = requests.iter().map(|request| request.msisdn.as_str()).collect();
    let known = Charge::of_keys(conn, &keys)?;
    let running = Subscription::running_of_numbers(conn, &numbers)?;
    let mut failed = Failure::of_keys(conn, &keys)?;
    let mut new: BTreeMap<&str, NewCharge> = BTreeMap::new();
    let mut news: BTreeMap<&str, Failure> = BTreeMap::new();
    let mut verdicts = Vec::with_capacity(requests.len());
    for request in requests {
        let ChargeRequest { key, msisdn, svc_id, .. } = request;
        let charged = known.get(key).map(|charge| (&charge.msisdn, charge.svc_id));
        let charged = charged.or_else(|| new.get(key.as_str()).map(|charge| (&charge.msisdn, charge.svc_id)));
        verdicts.push(match charged {
            Some(of) if of == (msisdn, *svc_id) => Verdict::Charged,
            Some(_) => Verdict::KeyTaken,
            None => {
                let tries = failed.get(key).map_or(0, |failure| failure.tries);
                match reason_against(msisdn, tries, running.contains(&(msisdn.clone(), *svc_id))) {
                    Some(reason) => {
                        let failure = Failure::again(failed.get(key), key, reason, now);
                        failed.insert(key.clone(), failure.clone());
                        news.insert(key, failure.clone());
                        if matches!(reason, Reason::Busy) { Verdict::Busy } else { Verdict::Failed(failure) }
                    }
                    None => {
                        new.insert(key, NewCharge::of(request, now));
                        let word_lost = Behaviour::of(msisdn) == Behaviour::LosesWord;
                        if word_lost { Verdict::WordLost } else { Verdict::Charged }
                    }
                }
            }
        });
    }
    NewCharge::make(conn, &new.values().cloned().collect::<Vec<_>>())?;
    Failure::keep(conn, &news.into_values().collect::<Vec<_>>())?;
    let made = if new.is_empty() { known } else { Charge::of_keys(conn, &keys)? };
    let told = |(request, verdict): (&ChargeRequest, Verdict)| match verdict {
        // A charge that another process made under this key in this instant is found like our own.
        Verdict::Charged => made.get(&request.key).map(|charge| Rung::Told(charge.told())).ok_or(Error::Stopping),
        Verdict::Failed(failure) => failure.told(request.key.clone()).map(Rung::Told).ok_or(Error::Stopping),
        Verdict::WordLost => Ok(Rung::WordLost),
        Verdict::Busy => Ok(Rung::Busy),
        Verdict::KeyTaken => Ok(Rung::KeyTaken),
    };
    requests.iter().zip(verdicts).map(told).collect()
}

fn reason_against(msisdn: &str, tries: i32, runs: bool) -> Option<Reason> {
    match Behaviour::of(msisdn) {
        _ if !runs => Some(Reason::Refused),
        Behaviour::Penniless => Some(Reason::InsufficientFunds),
        Behaviour::Busy if tries < BUSY_TRIES => Some(Reason::Busy),
        _ => None,
    }
}

//! The outbox: what a network must still be told, kept in the transaction that made it necessary and sent until it is heard.
//!
//! Letters of one kind to one network go one after the other. Nothing else waits for anything: no stop for an SMS, and no network for
//! another that does not answer.

use std::{
    collections::BTreeMap,
    rc::Rc,
    sync::{Arc, Weak},
    time::Duration,
};

use actix_web::rt::task::JoinHandle;

use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use identity::Msisdn;
use operator::{RefundRequest, SmsRequest, StopRequest};
use store::{Db, DbConnection};
use tokio::sync::Notify;
use web::Clock;

use crate::{
    App, billing::refund, crash, error::Error, holds::Hold, networks::Networks, schema::outbox,
    subscriptions::Subscription, tries::unguessable,
};

/// How often the courier looks when nobody rings.
const ROUND: Duration = Duration::from_secs(1);

/// Letters taken out at once.
const BATCH: i64 = 100;

/// The longest pause between two attempts, in seconds.
const MAX_PAUSE_SECONDS: i64 = 60;

const SMS: &str = "sms";
const STOP: &str = "stop";
const REFUND: &str = "refund";

/// What a network's answer to a letter leaves to be written down.
enum Heard {
    /// Nothing.
    Done,
    /// A refund of this key was made at this network, under this name.
    Refunded { network: String, key: String, answer: refund::RefundAnswer },
}

/// Letters that go one after the other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Queryable)]
struct Lane {
    network: String,
    kind: String,
}

#[derive(Queryable)]
struct Letter {
    id: i64,
    network: String,
    kind: String,
    body: String,
    attempts: i32,
}

/// Puts in an SMS.
pub(crate) fn put_sms(
    conn: &mut DbConnection,
    network: &str,
    msisdn: &Msisdn,
    svc_id: i32,
    text: String,
    now: NaiveDateTime,
) -> Result<(), Error> {
    // The key makes a repeated delivery one SMS.
    let sms = SmsRequest { key: unguessable(), msisdn: msisdn.as_str().to_owned(), svc_id, text };
    put(conn, network, SMS, &sms, now)
}

/// Puts in that one of a network's own subscriptions is to end.
pub(crate) fn put_stop(
    conn: &mut DbConnection,
    network: &str,
    network_ref: &str,
    subscription: &Subscription,
    now: NaiveDateTime,
) -> Result<(), Error> {
    put(conn, network, STOP, &stop_of(&subscription.msisdn, subscription.svc_id, network_ref), now)
}

fn stop_of(msisdn: &Msisdn, svc_id: i32, network_ref: &str) -> StopRequest {
    StopRequest { msisdn: msisdn.as_str().to_owned(), svc_id, network_subscription_id: network_ref.to_owned() }
}

fn written<T: serde::Serialize>(body: &T) -> Result<String, Error> {
    Ok(serde_json::to_string(body).map_err(|error| store::Error::Query(error.to_string()))?)
}

/// Puts in that a charge is to be given back; the key makes a repeated delivery one refund.
pub(crate) fn put_refund(
    conn: &mut DbConnection,
    network: &str,
    refund: &RefundRequest,
    now: NaiveDateTime,
) -> Result<(), Error> {
    put(conn, network, REFUND, refund, now)
}

/// Tells the networks at once of every stop of a number's subscription that they have not heard yet. Without it a network would
/// take a new yes for the subscription it still runs, and end that when the stop arrives.
pub(crate) async fn tell_stops(app: &App, msisdn: &Msisdn, svc_id: i32) -> Result<(), Error> {
    let msisdn = msisdn.clone();
    for (id, network, stop) in app.db.run(move |conn| unheard_stops(conn, &msisdn, svc_id)).await? {
        app.networks.of(&network)?.stop(&stop).await?;
        let now = app.clock.now();
        app.db.write(move |conn| Heard::Done.note(id, conn, now)).await?;
    }
    Ok(())
}

fn unheard_stops(
    conn: &mut DbConnection,
    msisdn: &Msisdn,
    svc_id: i32,
) -> Result<Vec<(i64, String, StopRequest)>, Error> {
    let mut unheard = Vec::new();
    for (network, network_ref) in Hold::ended(conn, msisdn, svc_id)? {
        let stop = stop_of(msisdn, svc_id, &network_ref);
        let letters: Vec<i64> = outbox::table
            .filter(outbox::done_at.is_null().and(outbox::kind.eq(STOP)).and(outbox::network.eq(&network)))
            .filter(outbox::body.eq(written(&stop)?))
            .select(outbox::id)
            .load(conn)?;
        unheard.extend(letters.into_iter().map(|id| (id, network.clone(), stop.clone())));
    }
    Ok(unheard)
}

/// Ends a hold here and puts in that the network is to end it too.
pub(crate) fn end_and_tell(
    conn: &mut DbConnection,
    hold: &Hold,
    subscription: &Subscription,
    now: NaiveDateTime,
) -> Result<(), Error> {
    hold.end(conn, now)?;
    put_stop(conn, &hold.network, &hold.network_ref, subscription, now)
}

fn put<T: serde::Serialize>(
    conn: &mut DbConnection,
    network: &str,
    kind: &str,
    body: &T,
    now: NaiveDateTime,
) -> Result<(), Error> {
    diesel::insert_into(outbox::table)
        .values((
            outbox::network.eq(network),
            outbox::kind.eq(kind),
            outbox::body.eq(written(body)?),
            outbox::attempts.eq(0),
            outbox::next_at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}

impl Lane {
    /// Those in which a letter is due.
    fn due(conn: &mut DbConnection, now: NaiveDateTime) -> Result<Vec<Self>, Error> {
        Ok(outbox::table
            .filter(outbox::done_at.is_null().and(outbox::next_at.le(now)))
            .select((outbox::network, outbox::kind))
            .distinct()
            .load(conn)?)
    }

    /// The letters that are due, the one that waits longest first.
    fn letters(&self, conn: &mut DbConnection, now: NaiveDateTime) -> Result<Vec<Letter>, Error> {
        Ok(outbox::table
            .filter(outbox::network.eq(&self.network).and(outbox::kind.eq(&self.kind)))
            .filter(outbox::done_at.is_null().and(outbox::next_at.le(now)))
            .order((outbox::next_at, outbox::id))
            .limit(BATCH)
            .select((outbox::id, outbox::network, outbox::kind, outbox::body, outbox::attempts))
            .load(conn)?)
    }
}

impl Letter {
    /// Takes the letter for one attempt; false if another replica was quicker. A courier that dies leaves it for later.
    fn claim(&self, conn: &mut DbConnection, now: NaiveDateTime) -> Result<bool, Error> {
        let pause =
            2_i64.checked_pow(self.attempts.unsigned_abs()).map_or(MAX_PAUSE_SECONDS, |s| s.min(MAX_PAUSE_SECONDS));
        let claimed = diesel::update(
            outbox::table
                .filter(outbox::id.eq(self.id).and(outbox::attempts.eq(self.attempts)).and(outbox::done_at.is_null())),
        )
        .set((
            outbox::attempts.eq(self.attempts.saturating_add(1)),
            outbox::next_at.eq(now + TimeDelta::seconds(pause)),
        ))
        .execute(conn)?;
        Ok(claimed > 0)
    }
}

impl Heard {
    /// Writes down that the letter was heard, and what follows from it.
    fn note(&self, letter_id: i64, conn: &mut DbConnection, now: NaiveDateTime) -> Result<(), Error> {
        diesel::update(outbox::table.find(letter_id)).set(outbox::done_at.eq(now)).execute(conn)?;
        match self {
            Self::Done => Ok(()),
            Self::Refunded { network, key, answer } => refund::conclude(conn, network, key, answer, now),
        }
    }
}

/// Carries letters out, as long as the service lives.
pub(crate) struct Courier {
    db: Db,
    networks: Networks,
    clock: Clock,
    bell: Arc<Notify>,
    alive: Weak<()>,
}

impl Courier {
    /// Sets one going beside the server.
    pub fn start(app: &App) {
        let courier = Self {
            db: app.db.clone(),
            networks: app.networks.clone(),
            clock: app.clock.clone(),
            bell: app.outbox_bell.clone(),
            alive: Arc::downgrade(&app.alive),
        };
        actix_web::rt::spawn(Rc::new(courier).run());
    }

    fn lives(&self) -> bool {
        self.alive.strong_count() > 0
    }

    async fn run(self: Rc<Self>) {
        let mut walks: BTreeMap<Lane, JoinHandle<()>> = BTreeMap::new();
        while self.lives() {
            let now = self.clock.now();
            match self.db.run(move |conn| Lane::due(conn, now)).await {
                Ok(lanes) => {
                    walks.retain(|_, walk| !walk.is_finished());
                    for lane in lanes {
                        walks
                            .entry(lane)
                            .or_insert_with_key(|lane| actix_web::rt::spawn(self.clone().walk(lane.clone())));
                    }
                }
                Err(error) => tracing::error!(error = %error, "the outbox could not be read"),
            }
            tokio::select! {
                () = self.bell.notified() => {}
                () = tokio::time::sleep(ROUND) => {}
            }
        }
    }

    /// Carries the letters of a lane until none is due.
    async fn walk(self: Rc<Self>, lane: Lane) {
        loop {
            match self.carry(&lane).await {
                Ok(0) => return,
                Ok(_) => {}
                Err(error) => return tracing::error!(error = %error, "the outbox could not be read"),
            }
        }
    }

    /// Carries some letters of a lane; how many were due.
    async fn carry(&self, lane: &Lane) -> Result<usize, Error> {
        let (lane, now) = (lane.clone(), self.clock.now());
        let letters = self.db.run(move |conn| lane.letters(conn, now)).await?;
        let due = letters.len();
        for letter in letters {
            if !self.lives() {
                return Ok(0);
            }
            self.attempt(letter).await?;
        }
        Ok(due)
    }

    async fn attempt(&self, letter: Letter) -> Result<(), Error> {
        let (id, now) = (letter.id, self.clock.now());
        let claimed = self.db.write(move |conn| Ok::<_, Error>(letter.claim(conn, now)?.then_some(letter))).await?;
        let Some(letter) = claimed else { return Ok(()) };
        crash::point("outbox.claimed");
        match self.deliver(&letter).await {
            Ok(heard) => {
                crash::point("outbox.delivered");
                let now = self.clock.now();
                self.db.write(move |conn| heard.note(id, conn, now)).await?;
            }
            Err(error) => {
                tracing::warn!(outbox.id = id, outbox.kind = letter.kind, outbox.attempts = letter.attempts, error = %error, "a network could not be told yet");
            }
        }
        Ok(())
    }

    async fn deliver(&self, letter: &Letter) -> Result<Heard, Error> {
        let malformed =
            |error: serde_json::Error| Error::NetworkAway(format!("letter {}: {:?}", letter.id, error.classify()));
        let network = self.networks.of(&letter.network)?;
        match letter.kind.as_str() {
            SMS => {
                let sms: SmsRequest = serde_json::from_str(&letter.body).map_err(malformed)?;
                network.send_sms(&sms).await.map(|()| Heard::Done)
            }
            STOP => {
                let stop: StopRequest = serde_json::from_str(&letter.body).map_err(malformed)?;
                network.stop(&stop).await.map(|()| Heard::Done)
            }
            REFUND => {
                let refund: RefundRequest = serde_json::from_str(&letter.body).map_err(malformed)?;
                let made = network.refund(&refund).await?;
                let answer = refund::RefundAnswer::Made { network_ref: made.network_ref, cents: made.cents };
                Ok(Heard::Refunded { network: letter.network.clone(), key: refund.key, answer })
            }
            other => Err(Error::NetworkAway(format!("letter {} is of the unknown kind {other:?}", letter.id))),
        }
    }
}

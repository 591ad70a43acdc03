//! The engine: claims charges in batches, sends them side by side, and settles what comes back, until none is left.

use std::{
    sync::{
        Arc, Weak,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use store::Db;
use tokio::sync::{Semaphore, mpsc};
use web::Clock;

use super::{
    bounds::Bounds,
    calendar, charge,
    claim::{self, Claimed, Wanted},
    follow::follow,
    lease::{Lease, Term},
    runners::{self, FENCE, LONGEST_FLIGHT, Runner},
    settle::{Held, Outcome, settle},
    shift::{Busy, Shift},
};
use crate::{App, crash, error::Error, networks::Networks, terms::Terms};

/// Charges under way at one network at once.
const SIDE_BY_SIDE: usize = 64;

/// Charges claimed in one transaction.
const BATCH: i64 = 1000;

/// Outcomes written down in one transaction at most.
const SETTLED_AT_ONCE: usize = 500;

/// How old the word may be that a claimed charge's subscription still runs.
const WORD_LIFE: Duration = Duration::from_millis(500);

/// How often a long run tells how far it is.
const PROGRESS: Duration = Duration::from_secs(10);

/// How often a settlement is tried at least, by a process that is stopping.
const SETTLE_TRIES: u32 = 3;

/// Between two of these tries at most.
const SETTLE_PAUSE: Duration = Duration::from_secs(2);

/// How long it is tried: from then on others take such charges over.
const SETTLE_FOR: Duration = Duration::from_secs(LONGEST_FLIGHT.num_seconds().unsigned_abs());

/// What sending charges needs; one per process.
#[derive(Clone)]
pub(crate) struct Engine {
    pub(crate) db: Db,
    pub(super) networks: Networks,
    pub(crate) terms: Arc<Terms>,
    pub(crate) clock: Clock,
    pub(super) bounds: Bounds,
    /// How long a charge may be on its way before a network's "unknown" is believed.
    pub(super) patience: Duration,
    /// How many stretches of work are under way.
    busy: Arc<AtomicUsize>,
    lease: Arc<Lease>,
    alive: Weak<()>,
}

impl Engine {
    /// Of this process.
    pub fn new(app: &App, bounds: Bounds, patience: Duration) -> Self {
        Self {
            db: app.db.clone(),
            networks: app.networks.clone(),
            terms: app.terms.clone(),
            clock: app.clock.clone(),
            bounds,
            patience,
            busy: Arc::default(),
            lease: Arc::new(Lease::new()),
            alive: Arc::downgrade(&app.alive),
        }
    }

    /// Whether the service still runs.
    pub fn lives(&self) -> bool {
        self.alive.strong_count() > 0
    }

    /// Whether it has charges under way.
    pub(super) fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Relaxed) > 0
    }

    fn is_day_of(&self, shift: &Shift) -> bool {
        calendar::day_of(self.clock.now()) == shift.day
    }

    /// Sends everything that is to be sent: a pass's charges, or with `None` those that are wanted at once.
    pub(super) async fn work(&self, network: &str, day: NaiveDate, pass: Option<i64>) -> Result<(), Error> {
        let _busy = Busy::new(&self.busy);
        let shift = Arc::new(Shift::new(day));
        let (told, mut heard) = mpsc::channel(SETTLED_AT_ONCE * 2);
        let write_down = async {
            let mut group = Vec::new();
            let mut said = Instant::now();
            while heard.recv_many(&mut group, SETTLED_AT_ONCE).await > 0 {
                self.settle(std::mem::take(&mut group)).await;
                if said.elapsed() > PROGRESS {
                    said = Instant::now();
                    shift.tell(network);
                }
            }
        };
        let (sent, ()) = tokio::join!(self.send_all(&shift, network, day, pass, told), write_down);
        sent
    }

    async fn send_all(
        &self,
        shift: &Arc<Shift>,
        network: &str,
        day: NaiveDate,
        pass: Option<i64>,
        told: mpsc::Sender<(Claimed, Outcome)>,
    ) -> Result<(), Error> {
        let permits = Arc::new(Semaphore::new(SIDE_BY_SIDE));
        let mut after = 0;
        while self.lives() && !shift.is_away() && self.is_day_of(shift) {
            let Some((charges, last, term)) = self.claim(network, day, pass, after).await? else {
                // Once more from the start, for what was locked or given back behind us.
                if after == 0 {
                    break;
                }
                after = 0;
                continue;
            };
            after = last;
            crash::point("charge.claims-committed");
            for charge in charges {
                let Ok(permit) = permits.clone().acquire_owned().await else { break };
                let (engine, shift, told, term) = (self.clone(), shift.clone(), told.clone(), term.clone());
                actix_web::rt::spawn(async move {
                    let outcome = engine.send(&shift, &charge, &term).await;
                    // Whoever settles is there as long as there is anything to hear.
                    let _ = told.send((charge, outcome)).await;
                    drop(permit);
                });
            }
        }
        Ok(())
    }

    async fn claim(
        &self,
        network: &str,
        day: NaiveDate,
        pass: Option<i64>,
        after: i64,
    ) -> Result<Option<(Vec<Claimed>, i64, Term)>, Error> {
        let (engine, network, now) = (self.clone(), network.to_owned(), self.clock.now());
        let system_now = Clock::system_now();
        let token = self.lease.token(system_now);
        let name = token.clone();
        let taken = self
            .db
            .write(move |conn| {
                let day = day.to_string();
                let wanted = Wanted { network: &network, day: &day, pass, after, limit: BATCH };
                let runner = engine.runner(&name, system_now);
                claim::take(conn, (&engine.terms, engine.bounds), runner, &wanted, now)
            })
            .await
            .inspect_err(|_| self.lease.give_up(&token))?;
        let term = self.lease.renew(token, system_now);
        Ok(taken.last.map(|last| (taken.charges, last, term)))
    }

    /// This process under a name.
    fn runner<'a>(&self, token: &'a str, system_now: NaiveDateTime) -> Runner<'a> {
        let silence = FENCE + TimeDelta::from_std(self.patience).unwrap_or(FENCE);
        Runner { token, system_now, alive_until: system_now + silence }
    }

    /// Says that this process lives.
    pub(super) async fn beat(&self) -> Result<(), Error> {
        let (engine, system_now) = (self.clone(), Clock::system_now());
        let token = self.lease.token(system_now);
        let name = token.clone();
        self.db.write(move |conn| runners::beat(conn, engine.runner(&name, system_now))).await?;
        self.lease.renew(token, system_now);
        Ok(())
    }

    async fn send(&self, shift: &Shift, charge: &Claimed, term: &Term) -> Outcome {
        // A day that is over is never charged for, even if its charges were claimed before midnight.
        if !self.lives() || shift.is_away() || !self.is_day_of(shift) {
            return Outcome::NotSent;
        }
        match self.has_ended(shift, charge.id).await {
            Ok(false) => {}
            Ok(true) => return Outcome::Left,
            Err(_) => return Outcome::NotSent,
        }
        // Another process may believe that this one has died, and have taken over. Looked at last: what was said above of its claims
        // was said of those under its present name.
        if !self.lease.covers(term, Clock::system_now()) {
            return Outcome::NotSent;
        }
        let outcome = charge::send(&self.networks, charge).await;
        shift.count(&outcome);
        outcome
    }

    /// Whether the charge's subscription has ended since it was claimed; asked anew twice a second.
    async fn has_ended(&self, shift: &Shift, id: i64) -> Result<bool, Error> {
        let mut ended = shift.ended.lock().await;
        if ended.0.elapsed() > WORD_LIFE {
            let runner = self.lease.token(Clock::system_now());
            let found = self.db.run(move |conn| runners::ended_since(conn, &runner)).await?;
            *ended = (Instant::now(), found.into_iter().collect());
        }
        Ok(ended.1.contains(&id))
    }

    /// Until it has succeeded nothing more is sent than there is room for outcomes: a charge that cannot be written down is better
    /// not made.
    async fn settle(&self, group: Vec<(Claimed, Outcome)>) {
        let (group, began, mut attempt) = (Arc::new(group), Instant::now(), 1);
        while let Err(error) = self.try_to_settle(group.clone()).await {
            tracing::error!(error = %error, attempt, "charges could not be settled");
            if attempt >= SETTLE_TRIES && (!self.lives() || began.elapsed() > SETTLE_FOR) {
                return;
            }
            tokio::time::sleep((Duration::from_millis(200) * attempt).min(SETTLE_PAUSE)).await;
            attempt += 1;
        }
    }

    async fn try_to_settle(&self, group: Arc<Vec<(Claimed, Outcome)>>) -> Result<(), Error> {
        let (terms, now) = (self.terms.clone(), self.clock.now());
        crash::point("charge.before-settling");
        let moved =
            self.db.write(move |conn| settle(conn, &terms, Held::BySender, &group, now, Clock::system_now())).await?;
        crash::point("charge.settled");
        self.follow(moved).await
    }

    /// Moves subscriptions whose charges say so.
    pub(super) async fn follow(&self, subscriptions: Vec<i64>) -> Result<(), Error> {
        if subscriptions.is_empty() {
            return Ok(());
        }
        let (terms, now) = (self.terms.clone(), self.clock.now());
        self.db.write(move |conn| follow(conn, &terms, subscriptions, now)).await?;
        Ok(())
    }
}

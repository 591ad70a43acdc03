//! The scheduler: starts passes at billing times or on request, charges joins, and queries unknown charges. Networks are processed
//! separately, so that the failure of one does not delay the others. `upkeep/schedule.rs` has the intervals.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicI64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use actix_web::web::{Data, Json};
use chrono::{NaiveDate, NaiveDateTime};
use futures_util::future::join_all;
use serde::Deserialize;
use service::{Admin, Clock, openapi::Refused};
use tokio::{sync::Notify, time::Instant};
use utoipa::ToSchema;

use crate::{
    App,
    billing::{context::BillingContext, due::insert_page, lease, sender::Sender, status_queries, suspend},
    error::Error,
    ledger::{
        export::parse_day,
        passes::{self, Totals},
        pauses::{Pause, Paused},
        restores, rows,
    },
    messages::reminders,
    networks::Admission,
    subscribers::{
        calendar::{self, BillingTimes},
        crash, metrics,
        policy::Policy,
        subscriptions::Subscription,
    },
};

/// The delay after a billing time: a test that has just moved the clock may start the pass itself.
const GRACE_PERIOD: Duration = Duration::from_secs(3);

/// How long a pass waits for charges that other processes are sending.
const MAX_WAIT_FOR_OTHERS: Duration = Duration::from_secs(10);

/// How many past days the first check of a day covers: as many as can still matter.
const FIRST_CHECK_DAYS: i64 = 40;

/// The sender of a pull network.
struct Worker {
    sender: Sender,
    /// Locked while a pass runs on this network.
    pass_lock: tokio::sync::Mutex<()>,
}

/// The billing of one process. Clones share the state.
#[derive(Clone)]
pub(crate) struct Scheduler(Arc<Inner>);

struct Inner {
    context: BillingContext,
    times: BillingTimes,
    workers: Mutex<BTreeMap<String, Arc<Worker>>>,
    /// Notified when a subscription may have become active.
    join_wake: Arc<Notify>,
    /// How many passes run in this process: of all networks, and of those that were resumed.
    passes: AtomicUsize,
    /// The day on which the past days were last closed.
    closed_on: Mutex<Option<NaiveDate>>,
    /// The billing time that was reached last.
    due: Mutex<Option<Due>>,
}

/// A billing time that was reached: when it was first seen, and whether its pass has started.
#[derive(Clone, Copy)]
struct Due {
    at: NaiveDateTime,
    seen_at: Instant,
    begun: bool,
}

impl Scheduler {
    /// `join_wake` is notified when a subscription may have become active.
    pub fn new(context: BillingContext, times: BillingTimes, join_wake: Arc<Notify>) -> Self {
        let inner = Inner {
            context,
            times,
            workers: Mutex::default(),
            join_wake,
            passes: AtomicUsize::new(0),
            closed_on: Mutex::default(),
            due: Mutex::default(),
        };
        Self(Arc::new(inner))
    }

    fn context(&self) -> &BillingContext {
        &self.0.context
    }

    /// The worker of each pull network.
    fn workers(&self) -> Vec<Arc<Worker>> {
        let mut workers = self.0.workers.lock().unwrap_or_else(PoisonError::into_inner);
        let networks = self.context().policy.pull_networks();
        networks
            .into_iter()
            .map(|network| {
                let worker = workers.entry(network).or_insert_with_key(|network| {
                    let (context, network) = (self.context().clone(), network.as_str().into());
                    let sender = Sender { context, network, newest_pass: Arc::new(AtomicI64::new(0)) };
                    Arc::new(Worker { sender, pass_lock: tokio::sync::Mutex::default() })
                });
                worker.clone()
            })
            .collect()
    }

    /// Starts the pass of a reached billing time, unless one has started since, on another replica or on request.
    pub async fn start_due_pass(&self) -> Result<(), Error> {
        let Some(at) = self.0.times.reached(self.context().clock.now()) else { return Ok(()) };
        let known = *self.due();
        match known.filter(|due| due.at == at) {
            None => *self.due() = Some(Due { at, seen_at: Instant::now(), begun: false }),
            Some(due) if !due.begun && due.seen_at.elapsed() > GRACE_PERIOD => {
                let today = self.context().today();
                if let Some(pass) = self.start_due(today, at).await? {
                    self.spawn_pass(today, pass, self.workers());
                }
                *self.due() = Some(Due { begun: true, ..due });
            }
            Some(_) => {}
        }
        Ok(())
    }

    fn due(&self) -> MutexGuard<'_, Option<Due>> {
        self.0.due.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn start_due(&self, today: NaiveDate, at: NaiveDateTime) -> Result<Option<i64>, Error> {
        if self.context().db.run(move |conn| passes::started_since(conn, today, at)).await? {
            return Ok(None);
        }
        self.start_pass(today, Some(at)).await.map(Some)
    }

    /// Resumes a pass that was not finished: its process has died, its network was paused, or staff had paused charges. A network that is back
    /// does not wait until the pass has ended on the others.
    pub async fn resume_open_pass(&self) -> Result<(), Error> {
        let today = self.context().today();
        let Some(pass) = self.context().db.run(move |conn| passes::open(conn, today)).await? else { return Ok(()) };
        let mut workers = self.workers();
        if self.0.passes.load(Ordering::Relaxed) > 0 {
            workers.retain(|worker| worker.pass_lock.try_lock().is_ok() && self.admits_calls(&worker.sender.network));
            let networks: Vec<Arc<str>> = workers.iter().map(|worker| worker.sender.network.clone()).collect();
            let left = move |conn: &mut store::DbConnection| left_of_networks(conn, &networks, today, pass);
            let left = self.context().db.run(left).await?;
            workers.retain(|worker| left.contains(&worker.sender.network));
        }
        if !workers.is_empty() {
            tracing::info!(billing.day = %today, "an open billing pass is resumed");
            self.spawn_pass(today, pass, workers);
        }
        Ok(())
    }

    /// Whether a network is not away, or its pause is over.
    fn admits_calls(&self, network: &str) -> bool {
        let link = self.context().networks.get(network);
        link.is_ok_and(|link| !matches!(link.throttle.admission(), Admission::None(_)))
    }

    fn spawn_pass(&self, day: NaiveDate, pass: i64, workers: Vec<Arc<Worker>>) {
        let scheduler = self.clone();
        actix_web::rt::spawn(async move {
            if let Err(error) = scheduler.execute(day, pass, workers).await {
                tracing::error!(error = %error, "a billing pass failed");
            }
        });
    }

    /// Fails the pending charges of past days, and suspends the subscriptions whose days ended unpaid.
    pub async fn close_past_days(&self) -> Result<(), Error> {
        self.context().db.run(restores::refuse_pending).await?;
        let today = self.context().today();
        // After an outage, or where the clock was moved, more days than yesterday may be open.
        let is_first = *self.closed_on() != Some(today);
        close_days(self.context(), if is_first { FIRST_CHECK_DAYS } else { 1 }).await?;
        *self.closed_on() = Some(today);
        Ok(())
    }

    fn closed_on(&self) -> MutexGuard<'_, Option<NaiveDate>> {
        self.0.closed_on.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Joins or starts a pass of today; returns when nothing is left to send, except on paused networks and what staff have paused. An open pass
    /// that only these keep open is not joined.
    pub async fn run_pass(&self, day: NaiveDate) -> Result<Totals, Error> {
        let scheduler = self.clone();
        // A task of its own: a client that disconnects must not interrupt the recording of outcomes.
        let pass = actix_web::rt::spawn(async move {
            let pass = scheduler.start_pass(day, None).await?;
            scheduler.execute(day, pass, scheduler.workers()).await
        });
        pass.await.map_err(|_| Error::Stopping)?
    }

    /// Whether all charges left in the open pass are paused by staff, or of networks that are away: a request then begins a new pass, which the
    /// others take part in.
    async fn is_held(&self, day: NaiveDate) -> Result<bool, Error> {
        let networks: Vec<(Arc<str>, bool)> = self
            .workers()
            .iter()
            .map(|worker| {
                let network = worker.sender.network.clone();
                let is_away = self.context().networks.get(&network).is_ok_and(|link| link.throttle.is_paused());
                (network, is_away)
            })
            .collect();
        let is_any_away = networks.iter().any(|(_, is_away)| *is_away);
        self.context()
            .db
            .run(move |conn| {
                if !is_any_away && Pause::that_last(conn)?.is_empty() {
                    return Ok(false);
                }
                let Some(pass) = passes::open(conn, day)? else { return Ok(false) };
                let day = day.to_string();
                for (network, _) in networks.iter().filter(|(_, is_away)| !is_away) {
                    let paused = Paused::at(conn, network)?;
                    if lease::left_to_claim(conn, network, &day, pass, &paused)? > 0
                        || passes::claimed_charges_of(conn, network, &day, pass)? > 0
                    {
                        return Ok(false);
                    }
                }
                Ok(true)
            })
            .await
    }

    async fn start_pass(&self, day: NaiveDate, due: Option<NaiveDateTime>) -> Result<i64, Error> {
        let context = self.context();
        if context.today() != day {
            return Err(Error::NotToday);
        }
        // A replica of an earlier release may still write subscriptions without a network.
        fill_networks(&context.db, &context.policy).await?;
        // Days that ended unpaid suspend before a new day's charge hides them.
        self.close_past_days().await?;
        let now = context.clock.now();
        let is_new = due.is_none() && self.is_held(day).await?;
        let due = if is_new { Some(NaiveDateTime::MAX) } else { due };
        let pass = context.db.write(move |conn| passes::open_or_create(conn, day, due, now)).await?;
        crash::point("pass.begun");
        Ok(pass)
    }

    async fn execute(&self, day: NaiveDate, pass: i64, workers: Vec<Arc<Worker>>) -> Result<Totals, Error> {
        self.0.passes.fetch_add(1, Ordering::Relaxed);
        let began = Instant::now();
        let results = join_all(workers.iter().map(|worker| self.run_on_network(worker, day, pass))).await;
        let is_last = self.0.passes.fetch_sub(1, Ordering::Relaxed) == 1;
        for (results, worker) in results.iter().zip(&workers) {
            if let Err(error) = results {
                tracing::error!(network.name = %worker.sender.network, error = %error, "a network's charges could not all be sent");
            }
        }
        let totals = self.finish(day, pass, is_last).await?;
        tracing::info!(
            billing.day = %day,
            billing.due = totals.due,
            billing.charged = totals.charged,
            billing.failed = totals.failed,
            billing.unknown = totals.unknown,
            billing.skipped = totals.skipped,
            "billing pass of {day}: {} of {} charged",
            totals.charged,
            totals.due
        );
        if totals.due > 0 && totals.charged == 0 {
            tracing::warn!(billing.day = %day, billing.due = totals.due, "billing pass of {day}: no subscriber was charged");
        }
        metrics::pass_finished(began.elapsed());
        let context = self.context();
        reminders::send_due(&context.db, &context.policy, context.clock.now()).await?;
        results.into_iter().collect::<Result<(), Error>>()?;
        Ok(totals)
    }

    /// Inserts the ledger rows of a network's due subscriptions, and sends the charges.
    async fn run_on_network(&self, worker: &Worker, day: NaiveDate, pass: i64) -> Result<(), Error> {
        worker.sender.newest_pass.fetch_max(pass, Ordering::Relaxed);
        let _turn = worker.pass_lock.lock().await;
        let context = self.context();
        let mut after = 0;
        loop {
            let (policy, network) = (context.policy.clone(), worker.sender.network.clone());
            let now = context.clock.now();
            let page = move |conn: &mut store::DbConnection| insert_page(conn, &policy, &network, day, after, now);
            let last = context.db.write(page).await?;
            crash::point("pass.page-entered");
            match last {
                Some(last) => after = last,
                None => break,
            }
        }
        worker.sender.send_due(day, Some(pass)).await
    }

    /// The pass's totals over all replicas; where this was the last run of it, the pass is finished once nothing is left to send.
    async fn finish(&self, day: NaiveDate, pass: i64, is_last: bool) -> Result<Totals, Error> {
        let context = self.context();
        let text = day.to_string();
        let began = Instant::now();
        while began.elapsed() < MAX_WAIT_FOR_OTHERS {
            let day = text.clone();
            if context.db.run(move |conn| passes::claimed_charges(conn, &day, pass)).await? == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let networks: Vec<Arc<str>> = self.workers().iter().map(|worker| worker.sender.network.clone()).collect();
        let ended = context.clock.now();
        context
            .db
            .write(move |conn| {
                let mut unsent = 0;
                for network in &networks {
                    // Also what is paused: the pass stays open for it.
                    unsent += lease::left_to_claim(conn, network, &text, pass, &Paused::default())?;
                }
                if unsent == 0 && is_last {
                    passes::finish(conn, pass, ended)?;
                }
                Totals::of(conn, &text, pass, unsent)
            })
            .await
    }

    /// Charges subscriptions as they join, on whichever replica the join was recorded.
    pub async fn charge_joins(self, interval: Duration) {
        let mut busy: BTreeMap<Arc<str>, actix_web::rt::task::JoinHandle<()>> = BTreeMap::new();
        while self.context().is_running() {
            let today = self.context().today();
            for worker in self.workers() {
                let network = worker.sender.network.clone();
                if busy.get(&network).is_some_and(|task| !task.is_finished()) {
                    continue;
                }
                let name = network.clone();
                let found = self.context().db.run(move |conn| rows::has_first_charges(conn, &name, today)).await;
                match found {
                    Ok(true) => {
                        let task = actix_web::rt::spawn(async move {
                            if let Err(error) = worker.sender.send_due(today, None).await {
                                tracing::error!(error = %error, "first charges could not be sent");
                            }
                        });
                        busy.insert(network, task);
                    }
                    Ok(false) => {}
                    Err(error) => tracing::error!(error = %error, "first charges could not be read"),
                }
            }
            tokio::select! {
                biased;
                () = self.0.join_wake.notified() => {}
                () = tokio::time::sleep(interval) => {}
            }
        }
    }

    /// Expires the claims of dead processes.
    pub async fn expire_claims(&self) -> Result<(), Error> {
        let timeout = self.context().charge_timeout;
        let expire = move |conn: &mut store::DbConnection| lease::expire_claims(conn, timeout, Clock::system_now());
        let expired = self.context().db.write(expire).await?;
        if expired > 0 {
            tracing::warn!(
                charges.expired = expired,
                "{expired} claims of a dead process have expired; their charges are unknown"
            );
        }
        Ok(())
    }

    /// Queries the unknown charges of each network, networks concurrently.
    pub async fn query_unknown_charges(self, interval: Duration) {
        let mut busy: BTreeMap<String, actix_web::rt::task::JoinHandle<()>> = BTreeMap::new();
        while self.context().is_running() {
            for network in self.context().networks.names() {
                if busy.get(&network).is_none_or(|task| task.is_finished()) {
                    let (context, name) = (self.context().clone(), network.clone());
                    let ask = async move {
                        if let Err(error) = status_queries::query_due(&context, &name).await {
                            tracing::error!(network.name = name, error = %error, "unknown charges could not be queried");
                        }
                    };
                    busy.insert(network, actix_web::rt::spawn(ask));
                }
            }
            tokio::time::sleep(interval).await;
        }
    }
}

/// Those of some networks on which a pass could still claim charges.
fn left_of_networks(
    conn: &mut store::DbConnection,
    networks: &[Arc<str>],
    day: NaiveDate,
    pass: i64,
) -> Result<Vec<Arc<str>>, Error> {
    let mut left = Vec::new();
    for network in networks {
        let paused = Paused::at(conn, network)?;
        if lease::left_to_claim(conn, network, &day.to_string(), pass, &paused)? > 0 {
            left.push(network.clone());
        }
    }
    Ok(left)
}

/// Fills in the network of subscriptions that an earlier release has written.
pub(crate) async fn fill_networks(db: &store::Db, policy: &Arc<Policy>) -> Result<(), Error> {
    let mut after = 0;
    loop {
        let policy = policy.clone();
        match db.write(move |conn| Subscription::fill_networks(conn, &policy, after)).await? {
            Some(last) => after = last,
            None => return Ok(()),
        }
    }
}

async fn close_days(context: &BillingContext, days_back: i64) -> Result<(), Error> {
    let now = context.clock.now();
    context.db.write(move |conn| rows::close_days_before(conn, calendar::day_of(now), now)).await?;
    // A change may be followed by another one, as a suspension by an end.
    loop {
        let (mut moved, mut after) = (0, Some(0));
        while let Some(last) = after {
            let (ids, next) = context.db.run(move |conn| suspend::out_of_sync(conn, now, days_back, last)).await?;
            if !ids.is_empty() {
                moved += context.sync_states(ids).await?;
            }
            after = next;
        }
        if moved == 0 {
            return Ok(());
        }
    }
}

/// Which day.
#[derive(Deserialize, ToSchema)]
pub(crate) struct DayRequest {
    /// Johannesburg's calendar day, YYYY-MM-DD.
    pub day: String,
}

/// Runs a pass of today, or joins the one that runs on any replica. While networks that are away or paused charges keep one open, the others begin
/// a new one.
#[utoipa::path(
    post,
    path = "",
    request_body = DayRequest,
    responses((status = 200, description = "What the pass did.", body = Totals), Refused)
)]
pub(crate) async fn run_pass(_: Admin, app: Data<App>, request: Json<DayRequest>) -> Result<Json<Totals>, Error> {
    let day = parse_day(&request.day)?;
    app.scheduler.run_pass(day).await.map(Json)
}

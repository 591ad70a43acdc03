//! Gauges of the tables' contents: each replica counts all rows, so that each replica's `/metrics` is complete.
//!
//! There are two loops. `Backlog` is what alerts use: it is read through partial indexes every few seconds. `RowCounts` scans every
//! subscription and every charge of today: the longer it takes, the more rarely it runs.

use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock, Weak},
    time::{Duration, Instant},
};

use ::metrics::gauge;
use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use diesel::{
    dsl::{count_star, max, min},
    prelude::*,
    sql_types::{BigInt, Integer, Nullable, Text, Timestamp},
};
use service::Clock;
use store::{Db, DbConnection, on_each_backend};
use telemetry::names::{
    BILLING_PASS_OPEN_SECONDS, BILLING_PASS_OVERDUE_SECONDS, CHARGES_OPEN, CHARGES_PARKED, CHARGES_UNKNOWN,
    CHARGES_UNKNOWN_OLDEST_SECONDS, OUTBOX_DEAD, OUTBOX_OLDEST_SECONDS, OUTBOX_WAITING, PUBLISHERS_HELD,
    RECONCILE_AGE_DAYS, RECONCILE_DIFFERENCES, RECONCILE_FAILED, RECONCILE_HELD, RESTORE_NOT_CAUGHT_UP_SECONDS,
    SUBSCRIPTIONS,
};

use crate::{
    App,
    billing::{
        BillingTimes, calendar,
        ledger::{PASSES_THAT_SUSPEND, first_day, open_since},
        restores,
    },
    daily_subscribers::{self, Group},
    error::Error,
    lifecycle::State,
    metrics,
    policy::Policy,
    publishers::HeldPublishers,
    schema::{billing_passes, reconciliations, subscriptions},
};

/// The shortest interval between two reads.
const MIN_INTERVAL: Duration = Duration::from_secs(5);

/// A read takes at most a fiftieth of the time: millions of rows are counted rarely.
const INTERVAL_FACTOR: u32 = 50;

/// The counted states; `New` is not counted.
const STATES: [State; 4] = [State::Pending, State::Active, State::Suspended, State::Cancelled];

/// The kinds of messages in the outbox.
pub(crate) const KINDS: [&str; 3] = ["sms", "stop", "refund"];

/// How many days of comparisons with networks' lists are read, beside those that wait for a person.
const DAYS_BACK: i64 = 40;

/// The row counts of the last time; none just after the start.
pub(crate) type LatestRowCounts = Arc<RwLock<Option<RowCounts>>>;

/// What the loops need to read the tables.
#[derive(Clone)]
struct Reader {
    db: Db,
    policy: Arc<Policy>,
    times: BillingTimes,
    clock: Clock,
    row_counts: LatestRowCounts,
    alive: Weak<()>,
}

/// Starts both loops; they end with the service.
pub(crate) fn start(app: &App) {
    let reader = Reader {
        db: app.db.clone(),
        policy: app.policy.clone(),
        times: app.billing_times.clone(),
        clock: app.clock.clone(),
        row_counts: app.row_counts.clone(),
        alive: Arc::downgrade(&app.alive),
    };
    actix_web::rt::spawn(reader.clone().repeat(Reader::backlog));
    actix_web::rt::spawn(reader.repeat(Reader::row_counts));
}

impl Reader {
    async fn repeat(self, read: impl AsyncFn(&Self) -> Result<(), Error>) {
        while self.alive.strong_count() > 0 {
            let began = Instant::now();
            if let Err(error) = read(&self).await {
                tracing::warn!(error = %error, "the tables could not be counted");
            }
            tokio::time::sleep(MIN_INTERVAL.max(began.elapsed().saturating_mul(INTERVAL_FACTOR))).await;
        }
    }

    async fn backlog(&self) -> Result<(), Error> {
        let (times, now) = (self.times.clone(), self.clock.now());
        let backlog = self.db.run(move |conn| Backlog::read(conn, &times, now, Clock::system_now())).await?;
        backlog.publish(&self.policy);
        Ok(())
    }

    async fn row_counts(&self) -> Result<(), Error> {
        let today = calendar::day_of(self.clock.now());
        let row_counts = self.db.run(move |conn| RowCounts::read(conn, today)).await?;
        row_counts.publish(&self.policy);
        if !row_counts.runs_as(self.row_counts.read().unwrap_or_else(PoisonError::into_inner).as_ref()) {
            let running = row_counts.running.clone();
            self.db.write(move |conn| daily_subscribers::record_running(conn, today, &running)).await?;
        }
        *self.row_counts.write().unwrap_or_else(PoisonError::into_inner) = Some(row_counts);
        Ok(())
    }
}

/// Pending work: charges of unknown outcome, passes, messages, comparisons.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Backlog {
    /// By network: how many, and the age of the oldest.
    pub unknown: BTreeMap<String, (i64, TimeDelta)>,
    pub pass_overdue: TimeDelta,
    pub pass_open: TimeDelta,
    /// By kind.
    pub messages: BTreeMap<String, i64>,
    /// By kind: the age of the oldest urgent message.
    pub oldest_message: BTreeMap<String, TimeDelta>,
    /// By kind.
    pub dead: BTreeMap<String, i64>,
    /// By network.
    pub reconciled: BTreeMap<String, Reconciled>,
    /// For a network that was never compared: days since the ledger's first day.
    ledger_age: i64,
    /// Since when a restored database has not caught up.
    pub restored: TimeDelta,
    pub publishers: HeldPublishers,
}

/// The state of the comparisons with one network's list.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Reconciled {
    pub held: i64,
    pub failed: i64,
    /// Days since the newest compared day.
    age: Option<i64>,
    /// When the last comparison ended, and its number of differences.
    last: Option<(NaiveDateTime, i64)>,
}

#[derive(QueryableByName)]
struct Oldest {
    #[diesel(sql_type = Text)]
    name: String,
    #[diesel(sql_type = BigInt)]
    count: i64,
    #[diesel(sql_type = Nullable<Timestamp>)]
    oldest: Option<NaiveDateTime>,
}

// Literals in the SQL, because SQLite uses a partial index only where it sees the condition.
const UNKNOWN_CHARGES: &str = "SELECT network AS name, COUNT(*) AS count, MIN(sent_at) AS oldest FROM ledger WHERE status = 'unknown' AND day >= $1 GROUP BY network";
const MESSAGES: &str = "SELECT kind AS name, COUNT(*) AS count, CAST(NULL AS TIMESTAMP) AS oldest FROM outbox \
     WHERE done_at IS NULL AND dead_at IS NULL GROUP BY kind";
const URGENT_MESSAGES: &str = "SELECT kind AS name, COUNT(*) AS count, MIN(COALESCE(created_at, next_at)) AS oldest FROM outbox \
     WHERE done_at IS NULL AND dead_at IS NULL AND priority = 0 GROUP BY kind";
const DEAD_MESSAGES: &str = "SELECT kind AS name, COUNT(*) AS count, CAST(NULL AS TIMESTAMP) AS oldest FROM outbox \
     WHERE dead_at IS NOT NULL AND done_at IS NULL GROUP BY kind";

impl Oldest {
    fn load(conn: &mut DbConnection, text: &str) -> Result<Vec<Self>, Error> {
        Ok(on_each_backend!(conn, conn => diesel::sql_query(text).load::<Self>(conn))?)
    }

    fn counts(conn: &mut DbConnection, text: &str) -> Result<BTreeMap<String, i64>, Error> {
        Ok(Self::load(conn, text)?.into_iter().map(|row| (row.name, row.count)).collect())
    }

    /// How long the oldest row has waited.
    fn age(&self, now: NaiveDateTime) -> TimeDelta {
        self.oldest.map_or(TimeDelta::zero(), |oldest| now - oldest)
    }
}

impl Backlog {
    /// `now` is the service's clock, `system_now` the system's, by which charges are sent.
    pub fn read(
        conn: &mut DbConnection,
        times: &BillingTimes,
        now: NaiveDateTime,
        system_now: NaiveDateTime,
    ) -> Result<Self, Error> {
        let today = calendar::day_of(now);
        let open_since = open_since(conn)?;
        let unknown: Vec<Oldest> = on_each_backend!(conn, conn => diesel::sql_query(UNKNOWN_CHARGES)
            .bind::<Text, _>(open_since)
            .load(conn))?;
        let urgent = Oldest::load(conn, URGENT_MESSAGES)?;
        let first_day = first_day(conn, today)?;
        let (pass_overdue, pass_open) = passes(conn, times, now)?;
        Ok(Self {
            unknown: unknown.into_iter().map(|row| (row.name.clone(), (row.count, row.age(system_now)))).collect(),
            pass_overdue,
            pass_open,
            messages: Oldest::counts(conn, MESSAGES)?,
            oldest_message: urgent.into_iter().map(|row| (row.name.clone(), row.age(now))).collect(),
            dead: Oldest::counts(conn, DEAD_MESSAGES)?,
            reconciled: reconciled(conn, today)?,
            ledger_age: first_day.map_or(0, |day| (today - day).num_days()),
            // At least a second: 0 means that there is none.
            restored: restores::pending(conn)?
                .map_or(TimeDelta::zero(), |restore| (system_now - restore.marked_at).max(TimeDelta::seconds(1))),
            publishers: HeldPublishers::count(conn)?,
        })
    }

    fn publish(&self, policy: &Policy) {
        for (network, _) in policy.brands.networks() {
            let (unknown, oldest) = self.unknown.get(&network).copied().unwrap_or((0, TimeDelta::zero()));
            gauge!(CHARGES_UNKNOWN, "network" => network.clone()).set(count(unknown));
            gauge!(CHARGES_UNKNOWN_OLDEST_SECONDS, "network" => network.clone()).set(seconds(oldest));
            let never = Reconciled::default();
            let Reconciled { held, failed, age, last } = self.reconciled.get(&network).unwrap_or(&never);
            gauge!(RECONCILE_HELD, "network" => network.clone()).set(count(*held));
            gauge!(RECONCILE_FAILED, "network" => network.clone()).set(count(*failed));
            gauge!(RECONCILE_AGE_DAYS, "network" => network.clone()).set(count(age.unwrap_or(self.ledger_age)));
            gauge!(RECONCILE_DIFFERENCES, "network" => network).set(count(last.map_or(0, |(_, found)| found)));
        }
        gauge!(BILLING_PASS_OVERDUE_SECONDS).set(seconds(self.pass_overdue));
        gauge!(BILLING_PASS_OPEN_SECONDS).set(seconds(self.pass_open));
        gauge!(RESTORE_NOT_CAUGHT_UP_SECONDS).set(seconds(self.restored));
        let HeldPublishers { by_limits, by_staff } = self.publishers;
        for (by, held) in [("limits", by_limits), ("staff", by_staff)] {
            gauge!(PUBLISHERS_HELD, "by" => by).set(count(held));
        }
        for kind in KINDS {
            gauge!(OUTBOX_WAITING, "kind" => kind).set(count(self.messages.get(kind).copied().unwrap_or(0)));
            gauge!(OUTBOX_DEAD, "kind" => kind).set(count(self.dead.get(kind).copied().unwrap_or(0)));
            let oldest = self.oldest_message.get(kind).copied().unwrap_or_default();
            gauge!(OUTBOX_OLDEST_SECONDS, "kind" => kind).set(seconds(oldest));
        }
    }
}

/// How long a due pass has not started, and how long one of today has been open.
fn passes(conn: &mut DbConnection, times: &BillingTimes, now: NaiveDateTime) -> Result<(TimeDelta, TimeDelta), Error> {
    let passes_of_today = || billing_passes::table.filter(billing_passes::day.eq(calendar::day_of(now).to_string()));
    let begun: Option<NaiveDateTime> = passes_of_today().select(max(billing_passes::started_at)).first(conn)?;
    let open: Option<NaiveDateTime> = passes_of_today()
        .filter(billing_passes::finished_at.is_null())
        .select(min(billing_passes::started_at))
        .first(conn)?;
    let overdue = times.reached(now).filter(|due| begun.is_none_or(|begun| begun < *due));
    let ago = |at: Option<NaiveDateTime>| at.map_or(TimeDelta::zero(), |at| now - at);
    Ok((ago(overdue), ago(open)))
}

/// The state of the comparisons, by network.
fn reconciled(conn: &mut DbConnection, today: NaiveDate) -> Result<BTreeMap<String, Reconciled>, Error> {
    let since = (today - TimeDelta::days(DAYS_BACK)).to_string();
    let rows: Vec<(String, String, String, Option<NaiveDateTime>, i64)> = reconciliations::table
        .filter(reconciliations::day.ge(since).or(reconciliations::state.eq_any(["held", "failed"])))
        .select((
            reconciliations::network,
            reconciliations::day,
            reconciliations::state,
            reconciliations::finished_at,
            reconciliations::differences,
        ))
        .load(conn)?;
    let mut networks: BTreeMap<String, Reconciled> = BTreeMap::new();
    for (network, day, state, finished_at, differences) in rows {
        let network = networks.entry(network).or_default();
        match state.as_str() {
            "running" => continue,
            "failed" => {
                network.failed += 1;
                continue;
            }
            "held" => network.held += 1,
            _ => {}
        }
        let age = days_since(&day, today);
        network.age = network.age.into_iter().chain(age).min();
        network.last = network.last.max(finished_at.map(|at| (at, differences)));
    }
    Ok(networks)
}

fn days_since(day: &str, today: NaiveDate) -> Option<i64> {
    Some((today - day.parse::<NaiveDate>().ok()?).num_days())
}

/// The number of subscriptions, and of today's charges that are not settled.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct RowCounts {
    /// When they were counted.
    day: NaiveDate,
    /// By service and state.
    pub subscriptions: BTreeMap<(i32, String), i64>,
    /// By network.
    pub open: BTreeMap<String, i64>,
    pub parked: i64,
    /// Active and suspended subscriptions.
    running: BTreeMap<Group, i64>,
}

#[derive(QueryableByName)]
struct OpenCharges {
    #[diesel(sql_type = Text)]
    network: String,
    #[diesel(sql_type = BigInt)]
    charges: i64,
    #[diesel(sql_type = BigInt)]
    parked: i64,
}

impl RowCounts {
    fn read(conn: &mut DbConnection, today: NaiveDate) -> Result<Self, Error> {
        let group = (subscriptions::svc_id, subscriptions::state, subscriptions::network, subscriptions::price_cents);
        let rows: Vec<(i32, String, String, i64, i64)> = subscriptions::table
            .group_by(group)
            .select((group.0, group.1, group.2, group.3, count_star()))
            .load(conn)?;
        let mut subscriptions = BTreeMap::new();
        let mut running = BTreeMap::new();
        for (svc_id, state, network, price_cents, rows) in rows {
            if [State::Active, State::Suspended].iter().any(|running| running.as_str() == state) {
                *running.entry((svc_id, network, price_cents)).or_default() += rows;
            }
            *subscriptions.entry((svc_id, state)).or_default() += rows;
        }
        let query = diesel::sql_query(
            "SELECT network, COUNT(*) AS charges, COUNT(CASE WHEN reason LIKE 'parked%' THEN 1 END) AS parked FROM ledger \
             WHERE day = $1 AND kind = 'charge' AND (status = 'pending' OR (status = 'failed' AND failures < $2 AND EXISTS \
             (SELECT 1 FROM subscriptions s WHERE s.id = ledger.subscription_id \
             AND (s.state = 'active' OR (s.state = 'suspended' AND ledger.failures < 1))))) GROUP BY network",
        );
        let open: Vec<OpenCharges> = on_each_backend!(conn, conn => query
            .bind::<Text, _>(today.to_string())
            .bind::<Integer, _>(PASSES_THAT_SUSPEND)
            .load(conn))?;
        Ok(Self {
            day: today,
            subscriptions,
            running,
            parked: open.iter().map(|row| row.parked).sum(),
            open: open.into_iter().map(|row| (row.network, row.charges - row.parked)).collect(),
        })
    }

    /// Whether the same subscriptions ran on the same day.
    fn runs_as(&self, other: Option<&Self>) -> bool {
        other.is_some_and(|other| (other.day, &other.running) == (self.day, &self.running))
    }

    fn publish(&self, policy: &Policy) {
        for brand in policy.brands.iter() {
            for state in STATES {
                let rows = self.subscriptions.get(&(brand.svc_id, state.as_str().to_owned()));
                let service = metrics::service(policy, brand.svc_id);
                gauge!(SUBSCRIPTIONS, "service" => service, "state" => state.as_str())
                    .set(count(rows.copied().unwrap_or(0)));
            }
        }
        for (network, _) in policy.brands.networks() {
            let open = self.open.get(&network).copied().unwrap_or(0);
            gauge!(CHARGES_OPEN, "network" => network).set(count(open));
        }
        gauge!(CHARGES_PARKED).set(count(self.parked));
    }
}

/// A number of rows or days; small enough to be exact.
fn count(rows: i64) -> f64 {
    f64::from(u32::try_from(rows.max(0)).unwrap_or(u32::MAX))
}

/// A duration in seconds; a negative one (a clock that was ahead) counts as zero.
fn seconds(time: TimeDelta) -> f64 {
    time.to_std().unwrap_or_default().as_secs_f64()
}

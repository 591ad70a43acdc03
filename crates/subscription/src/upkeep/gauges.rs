//! Gauges of the tables' contents: each replica counts all rows, so that each replica's `/metrics` is complete.
//!
//! `Backlog` is what alerts use: it is read through partial indexes every few seconds. `RowCounts` scans every subscription and every charge
//! of today: the longer it takes, the more rarely it runs.

use std::{
    collections::BTreeMap,
    sync::{Arc, PoisonError, RwLock},
};

use ::metrics::gauge;
use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use diesel::{
    dsl::count_star,
    prelude::*,
    sql_types::{BigInt, Integer, Text},
};
use service::Clock;
use store::{Db, DbConnection, on_each_backend};
use telemetry::names::{
    BILLING_PASS_OPEN_SECONDS, BILLING_PASS_OVERDUE_SECONDS, CHARGES_OPEN, CHARGES_PARKED, CHARGES_PAUSED_SECONDS,
    CHARGES_UNKNOWN, CHARGES_UNKNOWN_OLDEST_SECONDS, OUTBOX_DEAD, OUTBOX_OLDEST_SECONDS, OUTBOX_WAITING,
    PUBLISHERS_HELD, RECONCILE_AGE_DAYS, RECONCILE_DIFFERENCES, RECONCILE_FAILED, RECONCILE_HELD,
    RESTORE_NOT_CAUGHT_UP_SECONDS, SUBSCRIPTIONS,
};
use tokio::time::Instant;

use crate::{
    App,
    error::Error,
    ledger::{
        daily_subscribers::{self, Group},
        rows::PASSES_THAT_SUSPEND,
    },
    publishers::counts::HeldPublishers,
    schema::subscriptions,
    subscribers::{
        calendar::{self, BillingTimes},
        lifecycle::State,
        metrics,
        policy::Policy,
    },
    support::backlog::{Backlog, KINDS, Reconciled},
};

/// How much longer than a count its rest is.
const REST_FACTOR: u32 = 50;

/// The counted states; `New` is not counted.
const STATES: [State; 4] = [State::Pending, State::Active, State::Suspended, State::Cancelled];

/// The row counts of the last time; none just after the start.
pub(crate) type LatestRowCounts = Arc<RwLock<Option<RowCounts>>>;

/// What is needed to read the tables.
#[derive(Clone)]
pub(crate) struct Reader {
    db: Db,
    policy: Arc<Policy>,
    times: BillingTimes,
    clock: Clock,
    row_counts: LatestRowCounts,
}

impl Reader {
    /// That of the service.
    pub fn of(app: &App) -> Self {
        Self {
            db: app.db.clone(),
            policy: app.policy.clone(),
            times: app.billing_times.clone(),
            clock: app.clock.clone(),
            row_counts: app.row_counts.clone(),
        }
    }

    /// Reads and publishes what alerts use.
    pub async fn backlog(&self) -> Result<(), Error> {
        let (times, now) = (self.times.clone(), self.clock.now());
        let backlog = self.db.run(move |conn| Backlog::read(conn, &times, now, Clock::system_now())).await?;
        publish_backlog(&backlog, &self.policy, now);
        Ok(())
    }

    /// Counts and publishes the rows, and rests: counting takes at most a fiftieth of the time, so that millions of rows are counted rarely.
    pub async fn row_counts(&self) -> Result<(), Error> {
        let began = Instant::now();
        let today = calendar::day_of(self.clock.now());
        let row_counts = self.db.run(move |conn| RowCounts::read(conn, today)).await?;
        row_counts.publish(&self.policy);
        if !row_counts.runs_as(self.row_counts.read().unwrap_or_else(PoisonError::into_inner).as_ref()) {
            let running = row_counts.running.clone();
            self.db.write(move |conn| daily_subscribers::record_running(conn, today, &running)).await?;
        }
        *self.row_counts.write().unwrap_or_else(PoisonError::into_inner) = Some(row_counts);
        tokio::time::sleep(began.elapsed().saturating_mul(REST_FACTOR)).await;
        Ok(())
    }
}

fn publish_backlog(backlog: &Backlog, policy: &Policy, now: NaiveDateTime) {
    for (network, _) in policy.brands.networks() {
        let (unknown, oldest) = backlog.unknown.get(&network).copied().unwrap_or((0, TimeDelta::zero()));
        gauge!(CHARGES_UNKNOWN, "network" => network.clone()).set(count(unknown));
        gauge!(CHARGES_UNKNOWN_OLDEST_SECONDS, "network" => network.clone()).set(seconds(oldest));
        let never = Reconciled::default();
        let Reconciled { held, failed, age, last } = backlog.reconciled.get(&network).unwrap_or(&never);
        gauge!(RECONCILE_HELD, "network" => network.clone()).set(count(*held));
        gauge!(RECONCILE_FAILED, "network" => network.clone()).set(count(*failed));
        gauge!(RECONCILE_AGE_DAYS, "network" => network.clone()).set(count(age.unwrap_or(backlog.ledger_age)));
        gauge!(RECONCILE_DIFFERENCES, "network" => network).set(count(last.map_or(0, |(_, found)| found)));
    }
    gauge!(BILLING_PASS_OVERDUE_SECONDS).set(seconds(backlog.pass_overdue));
    gauge!(BILLING_PASS_OPEN_SECONDS).set(seconds(backlog.pass_open));
    gauge!(RESTORE_NOT_CAUGHT_UP_SECONDS).set(seconds(backlog.restored));
    let HeldPublishers { by_limits, by_staff } = backlog.publishers;
    for (by, held) in [("limits", by_limits), ("staff", by_staff)] {
        gauge!(PUBLISHERS_HELD, "by" => by).set(count(held));
    }
    let scopes = [("all".to_owned(), String::new(), 0)];
    let of_networks = policy.pull_networks().into_iter().map(|network| (network.clone(), network, 0));
    let of_brands = policy.brands.iter().map(|brand| (brand.service.clone(), String::new(), brand.svc_id));
    for (scope, network, svc_id) in scopes.into_iter().chain(of_networks).chain(of_brands) {
        let pause = backlog.pauses.iter().find(|pause| pause.network == network && pause.svc_id == svc_id);
        // At least a second: 0 means that there is none.
        let paused = pause.map_or(TimeDelta::zero(), |pause| (now - pause.since).max(TimeDelta::seconds(1)));
        gauge!(CHARGES_PAUSED_SECONDS, "scope" => scope).set(seconds(paused));
    }
    for kind in KINDS {
        gauge!(OUTBOX_WAITING, "kind" => kind).set(count(backlog.messages.get(kind).copied().unwrap_or(0)));
        gauge!(OUTBOX_DEAD, "kind" => kind).set(count(backlog.dead.get(kind).copied().unwrap_or(0)));
        let oldest = backlog.oldest_message.get(kind).copied().unwrap_or_default();
        gauge!(OUTBOX_OLDEST_SECONDS, "kind" => kind).set(seconds(oldest));
    }
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

/// How many subscriptions are alike.
#[derive(Queryable)]
struct SubscriptionGroup {
    svc_id: i32,
    state: String,
    network: String,
    price_cents: i64,
    rows: i64,
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
        let groups: Vec<SubscriptionGroup> = subscriptions::table
            .group_by(group)
            .select((group.0, group.1, group.2, group.3, count_star()))
            .load(conn)?;
        let mut subscriptions = BTreeMap::new();
        let mut running = BTreeMap::new();
        for SubscriptionGroup { svc_id, state, network, price_cents, rows } in groups {
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

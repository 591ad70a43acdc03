//! Pending work, as alerts and the overview of staff show it: charges of unknown outcome, passes, messages, comparisons.

use std::collections::BTreeMap;

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use diesel::{
    dsl::{max, min},
    prelude::*,
    sql_types::{BigInt, Nullable, Text, Timestamp},
};
use store::{DbConnection, on_each_backend};

use crate::{
    error::Error,
    ledger::{
        pauses::Pause,
        restores,
        rows::{first_day, open_since},
    },
    publishers::counts::HeldPublishers,
    schema::{billing_passes, reconciliations},
    subscribers::calendar::{self, BillingTimes},
};

/// The kinds of messages in the outbox.
pub(crate) const KINDS: [&str; 3] = ["sms", "stop", "refund"];

/// How many days of comparisons with networks' lists are read, beside those that wait for a person.
const DAYS_BACK: i64 = 40;

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
    pub ledger_age: i64,
    /// Since when a restored database has not caught up.
    pub restored: TimeDelta,
    pub publishers: HeldPublishers,
    /// Charges that staff have paused, oldest first.
    pub pauses: Vec<Pause>,
}

/// The state of the comparisons with one network's list.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Reconciled {
    pub held: i64,
    pub failed: i64,
    /// Days since the newest compared day.
    pub age: Option<i64>,
    /// When the last comparison ended, and its number of differences.
    pub last: Option<(NaiveDateTime, i64)>,
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
            pauses: Pause::that_last(conn)?,
        })
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

/// The comparison of a day with a network's list.
#[derive(Queryable, Selectable)]
#[diesel(table_name = reconciliations)]
struct Comparison {
    network: String,
    day: String,
    state: String,
    finished_at: Option<NaiveDateTime>,
    differences: i64,
}

/// The state of the comparisons, by network.
fn reconciled(conn: &mut DbConnection, today: NaiveDate) -> Result<BTreeMap<String, Reconciled>, Error> {
    let since = (today - TimeDelta::days(DAYS_BACK)).to_string();
    let rows = reconciliations::table
        .filter(reconciliations::day.ge(since).or(reconciliations::state.eq_any(["held", "failed"])))
        .select(Comparison::as_select())
        .load(conn)?;
    let mut networks: BTreeMap<String, Reconciled> = BTreeMap::new();
    for Comparison { network, day, state, finished_at, differences } in rows {
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

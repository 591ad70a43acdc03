//! The table `reconciliations`: which day is compared with which network's list, by which process, with which result.

use std::time::Duration;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};
use diesel::prelude::*;
use serde::Serialize;
use store::{DbConnection, on_each_backend};
use utoipa::ToSchema;

use crate::{
    error::Error,
    ledger::rows::first_day,
    schema::reconciliations,
    subscribers::{calendar, ids::random_token},
};

/// The interval between two heartbeats of a run.
pub(super) const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(5);

/// A run without a heartbeat for this long belongs to a dead process: several intervals, plus the difference of two clocks.
const HEARTBEAT_TIMEOUT: TimeDelta = TimeDelta::seconds(40);

/// The pause before a failed comparison is repeated.
const RETRY_AFTER: TimeDelta = TimeDelta::minutes(30);

/// How many days are compared later if the service was down.
const DAYS_BACK: i64 = 7;

const RUNNING: &str = "running";

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum State {
    /// Every repairable difference was repaired.
    Repaired,
    /// The list contradicts too much of the ledger: nothing was changed, and staff have to accept it.
    Held,
    /// The network did not answer, or not every query.
    Failed,
}

impl State {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Repaired => "repaired",
            Self::Held => "held",
            Self::Failed => "failed",
        }
    }
}

/// One comparison of a day with a network's list.
#[derive(Clone)]
pub(super) struct Run {
    pub network: String,
    pub day: NaiveDate,
    /// Whether staff have accepted the list although it contradicts the ledger.
    pub accept: bool,
    /// When it started: charges that settled later may be missing from the list.
    pub began: NaiveDateTime,
    /// Tells this run from other runs of the same day and network.
    token: String,
}

/// The result of a run, as stored.
pub(super) struct Summary {
    pub state: State,
    pub listed: i64,
    pub agreed: i64,
    pub settled: i64,
    pub differences: i64,
    pub cause: String,
}

impl Run {
    /// A run that starts now.
    pub fn new(network: &str, day: NaiveDate, accept: bool, now: NaiveDateTime) -> Self {
        Self { network: network.to_owned(), day, accept, began: now, token: random_token() }
    }

    /// Starts this run; false while another process compares the same day. With `due`, the time from which the day is compared by itself, also
    /// false where that has been done.
    pub fn begin(
        &self,
        conn: &mut DbConnection,
        due: Option<NaiveDateTime>,
        system_now: NaiveDateTime,
    ) -> Result<bool, Error> {
        let run = (
            reconciliations::state.eq(RUNNING),
            reconciliations::started_at.eq(self.began),
            reconciliations::finished_at.eq(None::<NaiveDateTime>),
            (reconciliations::listed.eq(0), reconciliations::agreed.eq(0), reconciliations::settled.eq(0)),
            (reconciliations::differences.eq(0), reconciliations::cause.eq("")),
            (reconciliations::run.eq(&self.token), reconciliations::alive_at.eq(system_now)),
        );
        let day = self.day.to_string();
        let new = (reconciliations::network.eq(&self.network), reconciliations::day.eq(&day), run);
        let inserted = on_each_backend!(conn, conn => diesel::insert_into(reconciliations::table)
            .values(new)
            .on_conflict_do_nothing()
            .execute(conn))?;
        if inserted > 0 {
            return Ok(true);
        }
        let status = reconciliations::table.find((&self.network, &day)).select(DayStatus::COLUMNS);
        let status: DayStatus = match conn {
            DbConnection::Postgres(conn) => status.for_update().first(conn)?,
            DbConnection::Sqlite(conn) => status.first(conn)?,
        };
        if status.is_running(system_now) || due.is_some_and(|due| !status.is_due(due, self.began)) {
            return Ok(false);
        }
        diesel::update(reconciliations::table.find((&self.network, &day))).set(run).execute(conn)?;
        Ok(true)
    }

    /// Fails where another process has taken the run over; else records that this one is alive. Part of each of its writes, and called
    /// every `HEARTBEAT_INTERVAL`.
    pub fn heartbeat(&self, conn: &mut DbConnection, system_now: NaiveDateTime) -> Result<(), Error> {
        let running = reconciliations::table
            .find((&self.network, self.day.to_string()))
            .filter(reconciliations::run.eq(&self.token).and(reconciliations::state.eq(RUNNING)));
        match diesel::update(running).set(reconciliations::alive_at.eq(system_now)).execute(conn)? {
            0 => Err(Error::NetworkUnavailable("another process has taken this comparison over".to_owned())),
            _ => Ok(()),
        }
    }

    /// Records the result; no effect on a run that was taken over.
    pub fn finish(&self, conn: &mut DbConnection, summary: &Summary, now: NaiveDateTime) -> Result<(), Error> {
        let own = reconciliations::table
            .find((&self.network, self.day.to_string()))
            .filter(reconciliations::run.eq(&self.token));
        diesel::update(own)
            .set((
                reconciliations::state.eq(summary.state.as_str()),
                reconciliations::finished_at.eq(now),
                (reconciliations::listed.eq(summary.listed), reconciliations::agreed.eq(summary.agreed)),
                (reconciliations::settled.eq(summary.settled), reconciliations::differences.eq(summary.differences)),
                reconciliations::cause.eq(&summary.cause),
            ))
            .execute(conn)?;
        Ok(())
    }
}

/// The stored status of a day at a network.
#[derive(Queryable)]
struct DayStatus {
    state: String,
    started_at: NaiveDateTime,
    finished_at: Option<NaiveDateTime>,
    alive_at: Option<NaiveDateTime>,
}

type DayStatusColumns =
    (reconciliations::state, reconciliations::started_at, reconciliations::finished_at, reconciliations::alive_at);

impl DayStatus {
    const COLUMNS: DayStatusColumns =
        (reconciliations::state, reconciliations::started_at, reconciliations::finished_at, reconciliations::alive_at);

    fn is_running(&self, system_now: NaiveDateTime) -> bool {
        self.state == RUNNING && self.alive_at.is_some_and(|at| (system_now - at).abs() < HEARTBEAT_TIMEOUT)
    }

    /// Whether the day is to be compared by itself. A held day waits for staff.
    fn is_due(&self, due: NaiveDateTime, now: NaiveDateTime) -> bool {
        match self.state.as_str() {
            RUNNING => true,
            "held" => false,
            // A clock that was set back must not delay it for ever.
            "failed" => self.finished_at.is_none_or(|at| (now - at).abs() >= RETRY_AFTER),
            // A comparison on request may have been made before the day was over.
            _ => self.started_at < due,
        }
    }
}

/// The days that are to be compared with a network's list now, oldest first, each with the time at which it was due.
pub(super) fn due_days(
    conn: &mut DbConnection,
    network: &str,
    reconcile_at: NaiveTime,
    now: NaiveDateTime,
    system_now: NaiveDateTime,
) -> Result<Vec<(NaiveDate, NaiveDateTime)>, Error> {
    let today = calendar::day_of(now);
    let Some(first) = first_day(conn, today)? else { return Ok(Vec::new()) };
    let mut days = Vec::new();
    for back in (1..=DAYS_BACK).rev() {
        let day = today - TimeDelta::days(back);
        let due = calendar::moment(day + TimeDelta::days(1), reconcile_at).filter(|due| *due <= now);
        let Some(due) = due.filter(|_| day >= first) else { continue };
        let status: Option<DayStatus> = reconciliations::table
            .find((network, day.to_string()))
            .select(DayStatus::COLUMNS)
            .first(conn)
            .optional()?;
        if status.is_none_or(|status| !status.is_running(system_now) && status.is_due(due, now)) {
            days.push((day, due));
        }
    }
    Ok(days)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> NaiveDateTime {
        format!("2060-02-28T{text}").parse().unwrap()
    }

    #[test]
    fn is_due_repeats_failed_and_early_runs_only() {
        let due = at("02:30:00");
        let day_status = |state: &str, started: &str, finished: Option<&str>| DayStatus {
            state: state.to_owned(),
            started_at: at(started),
            finished_at: finished.map(at),
            alive_at: Some(at(started)),
        };
        for (status, now, expected) in [
            (day_status("repaired", "02:30:01", Some("02:30:02")), "09:00:00", false),
            (day_status("repaired", "01:00:00", Some("01:00:01")), "02:30:00", true),
            (day_status("held", "01:00:00", Some("01:00:01")), "09:00:00", false),
            (day_status("failed", "02:30:00", Some("02:31:00")), "03:00:59", false),
            (day_status("failed", "02:30:00", Some("02:31:00")), "03:01:00", true),
            (day_status("failed", "09:00:00", Some("09:00:00")), "03:01:00", true),
            (day_status("running", "02:30:00", None), "03:01:00", true),
        ] {
            assert_eq!(status.is_due(due, at(now)), expected, "{} at {now}", status.state);
        }
        let running = day_status("running", "02:30:00", None);
        assert!(running.is_running(at("02:30:39")) && !running.is_running(at("02:30:40")));
    }
}

//! Periodic maintenance: what is due by time alone, and what a crash left open.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use store::{Db, DbConnection};

use crate::{
    App,
    billing::{
        reconcile::Reconciler,
        scheduler::{Scheduler, fill_networks},
    },
    error::Error,
    inbound::{notifications, sms},
    joins::{ending, human_check, number_verification, wording},
    ledger::{partitions, restores, totals},
    messages::{outbox, reminders},
    publishers::counts,
    subscribers::{calendar, policy::Policy},
    upkeep::long_ended,
};

/// The interval between two runs.
const INTERVAL: Duration = Duration::from_secs(60);

/// The interval between two deletions of expired rows, unless a day begins in between.
const DELETE_INTERVAL: Duration = Duration::from_secs(3600);

/// How long applied notifications are kept.
const NOTIFICATION_RETENTION: TimeDelta = TimeDelta::days(180);

/// The interval between two checks for days that are due for reconciliation.
const RECONCILE_INTERVAL: Duration = Duration::from_secs(10);

/// Makes the months that the first writes need, before there are any. Where it fails, rows go to the default partition.
pub(crate) async fn prepare(app: &App) {
    let now = app.clock.now();
    find_oldest_open(&app.db, now).await;
    log("the months ahead could not be made", partitions::make_ahead(&app.db, now).await);
}

/// Reads every month, so it does not run every minute.
async fn find_oldest_open(db: &Db, now: NaiveDateTime) {
    let moved = db.write(move |conn| partitions::move_open_since(conn, now)).await;
    log("the oldest open row could not be found", moved);
}

/// Starts the tasks; moving the clock starts a run at once.
pub(crate) fn start(app: &App) {
    let (db, policy, clock, scheduler) = (app.db.clone(), app.policy.clone(), app.clock.clone(), app.scheduler.clone());
    let (moved, alive) = (app.clock_moved.clone(), Arc::downgrade(&app.alive));
    let retention = app.retention;
    let (reconciler, reconciler_alive) = (Reconciler::of(app), alive.clone());
    actix_web::rt::spawn(async move {
        while reconciler_alive.strong_count() > 0 {
            log("days could not be reconciled", reconciler.run_due().await);
            tokio::time::sleep(RECONCILE_INTERVAL).await;
        }
    });
    actix_web::rt::spawn(async move {
        let mut deleted: Option<(Instant, NaiveDate)> = None;
        while alive.strong_count() > 0 {
            let now = clock.now();
            let today = calendar::day_of(now);
            let is_hourly = deleted.is_none_or(|(at, day)| at.elapsed() > DELETE_INTERVAL || day != today);
            if is_hourly {
                find_oldest_open(&db, now).await;
            }
            log("the months ahead could not be made", partitions::make_ahead(&db, now).await);
            run_once(&db, &policy, &scheduler, now).await;
            log("the publishers' joins could not be counted", counts::add_up_all(&db).await);
            log("the days' totals could not be counted", totals::refresh(&db, now).await);
            if is_hourly {
                deleted = Some((Instant::now(), today));
                log("expired rows could not be deleted", delete_old(&db, now).await);
                let expired = partitions::delete_expired(&db, now, retention).await;
                log("expired months could not be deleted", expired);
                let ended = delete_long_ended(&db, now, retention).await;
                log("subscriptions that ended long ago could not be deleted", ended);
            }
            tokio::select! {
                () = moved.notified() => {}
                () = tokio::time::sleep(INTERVAL) => {}
            }
        }
    });
}

async fn run_once(db: &Db, policy: &Arc<Policy>, scheduler: &Scheduler, now: NaiveDateTime) {
    // Joins may have been confirmed, days paid and subscriptions ended since the backup.
    if !matches!(db.run(restores::pending).await, Ok(None)) {
        return;
    }
    log("networks of subscriptions could not be filled in", fill_networks(db, policy).await);
    let shared = policy.clone();
    let expired = db.write(move |conn| ending::expire_joins(conn, &shared, now)).await;
    if let Some(joins) = log("joins could not be expired", expired).filter(|joins| *joins > 0) {
        tracing::info!(joins.expired = joins, "joins without an answer expired");
    }
    log("past days could not be closed", scheduler.close_past_days().await);
    log("reminders could not be written", reminders::send_due(db, policy, now).await);
}

/// Deletes a batch of expired rows; returns how many.
type Delete = fn(&mut DbConnection, NaiveDateTime) -> Result<usize, Error>;

/// Deletes in batches, so that no transaction is long.
async fn delete_old(db: &Db, now: NaiveDateTime) -> Result<(), Error> {
    let old: [Delete; 7] = [
        |conn, now| notifications::delete_applied(conn, now - NOTIFICATION_RETENTION),
        outbox::delete_delivered,
        wording::delete_expired,
        sms::delete_expired,
        number_verification::delete_expired,
        human_check::delete_expired,
        counts::delete_expired,
    ];
    for delete in old {
        while db.write(move |conn| delete(conn, now)).await? > 0 {}
    }
    Ok(())
}

/// Deletes what is left of subscriptions after the months that are kept of them.
async fn delete_long_ended(db: &Db, now: NaiveDateTime, retention: partitions::Retention) -> Result<(), Error> {
    let (books, evidence) = retention.horizons(now);
    let old: [(DeleteBefore, NaiveDate); 4] = [
        (long_ended::delete_attempts, evidence),
        (long_ended::delete_reminders, evidence),
        (long_ended::delete_billing_events, books),
        (long_ended::delete_surplus_charges, books),
    ];
    for (delete, horizon) in old {
        while db.write(move |conn| delete(conn, horizon)).await? > 0 {}
    }
    while db.write(move |conn| long_ended::delete_dead_messages(conn, now)).await? > 0 {}
    while db.write(move |conn| long_ended::delete_subscriptions(conn, books, now)).await? > 0 {}
    Ok(())
}

/// As `Delete`, of what is before a day.
type DeleteBefore = fn(&mut DbConnection, NaiveDate) -> Result<usize, Error>;

fn log<T>(failure: &str, outcome: Result<T, Error>) -> Option<T> {
    outcome.inspect_err(|error| tracing::error!(error = %error, "{failure}")).ok()
}

//! Every periodic task of the service, with its interval. Each repeats by itself, so that a slow one delays no other.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use chrono::NaiveDateTime;
use service::Clock;
use store::Db;
use tokio::sync::watch;

use crate::{
    App,
    billing::{
        reconcile::Reconciler,
        scheduler::{Scheduler, fill_networks},
    },
    error::Error,
    joins::ending,
    ledger::{partitions, restores, totals},
    messages::{outbox, reminders},
    publishers::counts,
    subscribers::policy::Policy,
    upkeep::{expired, gauges},
};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

/// Makes the months that the first writes need, before there are any. Where it fails, rows go to the default partition.
pub(crate) async fn prepare(app: &App) {
    let (db, now) = (&app.db, app.clock.now());
    for (failure, outcome) in [
        ("the oldest open row could not be found", find_oldest_open(db, now).await),
        ("the months ahead could not be made", partitions::make_ahead(db, now).await),
    ] {
        if let Err(error) = outcome {
            tracing::error!(error = %error, "{failure}");
        }
    }
}

/// Starts the tasks, which end with the service.
#[rustfmt::skip]
pub(crate) fn start(app: &App) {
    let tasks = Tasks::of(app);
    // Charges. These two and the outbox do more for one network than for another, and start at once where there is work.
    actix_web::rt::spawn(app.scheduler.clone().charge_joins(SECOND));
    actix_web::rt::spawn(app.scheduler.clone().query_unknown_charges(SECOND / 2));
    outbox::start(app, SECOND);
    tasks.billing(SECOND, "a billing pass could not start", async |on| on.scheduler.start_due_pass().await);
    tasks.billing(10 * SECOND, "an open billing pass could not be resumed", async |on| on.scheduler.resume_open_pass().await);
    tasks.every(2 * SECOND, "claims could not be expired", async |on| on.scheduler.expire_claims().await);
    tasks.billing(10 * SECOND, "days could not be reconciled", async |on| on.reconciler.run_due().await);
    // Subscriptions.
    tasks.billing(MINUTE, "networks of subscriptions could not be filled in", async |on| fill_networks(&on.db, &on.policy).await);
    tasks.billing(MINUTE, "joins could not be expired", async |on| on.expire_joins().await);
    tasks.billing(MINUTE, "past days could not be closed", async |on| on.scheduler.close_past_days().await);
    tasks.billing(MINUTE, "reminders could not be written", async |on| reminders::send_due(&on.db, &on.policy, on.now()).await);
    // Figures.
    tasks.every(MINUTE, "the publishers' joins could not be counted", async |on| counts::add_up_all(&on.db).await);
    tasks.every(MINUTE, "the days' totals could not be counted", async |on| totals::refresh(&on.db, on.now()).await);
    tasks.every(5 * SECOND, "the open rows could not be counted", async |on| on.gauges.backlog().await);
    tasks.every(5 * SECOND, "the tables could not be counted", async |on| on.gauges.row_counts().await);
    tasks.every(MINUTE, "a restore could not be looked for", async |on| on.warn_of_restore().await);
    // Tables. The oldest open row is looked for in every month.
    tasks.every(HOUR, "the oldest open row could not be found", async |on| find_oldest_open(&on.db, on.now()).await);
    tasks.every(MINUTE, "the months ahead could not be made", async |on| partitions::make_ahead(&on.db, on.now()).await);
    tasks.every(HOUR, "expired rows could not be deleted", async |on| expired::delete_old(&on.db, on.now()).await);
    tasks.every(HOUR, "expired months could not be deleted", async |on| on.delete_expired().await);
}

/// What tasks need of the service, without keeping it alive.
#[derive(Clone)]
struct Tasks {
    db: Db,
    policy: Arc<Policy>,
    clock: Clock,
    scheduler: Scheduler,
    reconciler: Reconciler,
    gauges: gauges::Reader,
    retention: partitions::Retention,
    clock_moved: watch::Receiver<()>,
    alive: Weak<()>,
}

impl Tasks {
    fn of(app: &App) -> Self {
        Self {
            db: app.db.clone(),
            policy: app.policy.clone(),
            clock: app.clock.clone(),
            scheduler: app.scheduler.clone(),
            reconciler: Reconciler::of(app),
            gauges: gauges::Reader::of(app),
            retention: app.retention,
            clock_moved: app.clock_moved.subscribe(),
            alive: Arc::downgrade(&app.alive),
        }
    }

    fn now(&self) -> NaiveDateTime {
        self.clock.now()
    }

    /// Repeats a task at this interval, and one that failed after a minute at the latest; where the clock was moved, one that would rest for a
    /// minute or more at once.
    fn every<T>(
        &self,
        interval: Duration,
        failure: &'static str,
        task: impl AsyncFn(&Self) -> Result<T, Error> + 'static,
    ) {
        let mut tasks = self.clone();
        actix_web::rt::spawn(async move {
            while tasks.alive.strong_count() > 0 {
                let mut pause = interval;
                if let Err(error) = task(&tasks).await {
                    tracing::error!(error = %error, "{failure}");
                    pause = interval.min(MINUTE);
                }
                tokio::select! {
                    biased;
                    Ok(()) = tasks.clock_moved.changed(), if interval >= MINUTE => {}
                    () = tokio::time::sleep(pause) => {}
                }
            }
        });
    }

    /// As `every`, but not while a restored database has yet to catch up: joins may have been confirmed, days paid and subscriptions ended
    /// since the backup.
    fn billing<T>(
        &self,
        interval: Duration,
        failure: &'static str,
        task: impl AsyncFn(&Self) -> Result<T, Error> + 'static,
    ) {
        self.every(interval, failure, async move |tasks| match tasks.db.run(restores::pending).await? {
            Some(_) => Ok(None),
            None => task(tasks).await.map(Some),
        });
    }

    async fn warn_of_restore(&self) -> Result<(), Error> {
        if let Some(restore) = self.db.run(restores::pending).await? {
            tracing::error!(restore.since = %restore.since, "the database was restored: nothing is billed until POST /internal/catch-up");
        }
        Ok(())
    }

    /// Deletes months after their time, then what only they kept.
    async fn delete_expired(&self) -> Result<(), Error> {
        partitions::delete_expired(&self.db, self.now(), self.retention).await?;
        expired::delete_long_ended(&self.db, self.now(), self.retention).await
    }

    async fn expire_joins(&self) -> Result<(), Error> {
        let (policy, now) = (self.policy.clone(), self.now());
        let expired = self.db.write(move |conn| ending::expire_joins(conn, &policy, now)).await?;
        if expired > 0 {
            tracing::info!(joins.expired = expired, "joins without an answer expired");
        }
        Ok(())
    }
}

async fn find_oldest_open(db: &Db, now: NaiveDateTime) -> Result<(), Error> {
    db.write(move |conn| partitions::move_open_since(conn, now)).await
}

//! The janitor: what time alone brings about, and what a crash left lying.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::sync::Notify;

use crate::{
    billing::{calendar, follow, ledger, run::Engine},
    error::Error,
    reminders,
    subscriptions::Subscription,
};

/// How often charges are looked after that nobody knows the outcome of.
const ROUND: Duration = Duration::from_secs(2);

/// How often everything else is.
const LONG_ROUND: Duration = Duration::from_secs(60);

/// Sets it going beside the server; the bell makes it look at once.
pub(crate) fn start(engine: Engine, bell: Arc<Notify>) {
    actix_web::rt::spawn(async move {
        let mut cleaned: Option<Instant> = None;
        let mut rung = false;
        while engine.lives() {
            report("charges could not be asked about", engine.find_out().await);
            if rung || cleaned.is_none_or(|at| at.elapsed() > LONG_ROUND) {
                cleaned = Some(Instant::now());
                clean(&engine).await;
            }
            rung = tokio::select! {
                () = bell.notified() => true,
                () = tokio::time::sleep(ROUND) => false,
            };
        }
    });
}

async fn clean(engine: &Engine) {
    let (db, now) = (&engine.db, engine.clock.now());
    let terms = engine.terms.clone();
    let expired = db.write(move |conn| Subscription::expire_joins(conn, &terms, now)).await;
    if let Some(joins) = report("joins could not be ended", expired).filter(|joins| *joins > 0) {
        tracing::info!(joins.expired = joins, "joins without an answer ended");
    }
    let closed = db.write(move |conn| ledger::close_days_before(conn, calendar::day_of(now), now)).await;
    report("days could not be closed", closed);
    report("subscriptions could not follow the ledger", engine.catch_up().await);
    report("reminders could not be sent", reminders::send_due(db, &engine.terms, now).await);
}

impl Engine {
    /// Moves the subscriptions that are behind their ledger.
    async fn catch_up(&self) -> Result<usize, Error> {
        let (terms, now) = (self.terms.clone(), self.clock.now());
        let behind = self.db.run(move |conn| follow::behind(conn, &terms, now)).await?;
        if behind.is_empty() {
            return Ok(0);
        }
        let terms = self.terms.clone();
        self.db.write(move |conn| follow::follow(conn, &terms, behind, now)).await
    }
}

fn report<T>(failure: &str, outcome: Result<T, Error>) -> Option<T> {
    outcome.inspect_err(|error| tracing::error!(error = %error, "{failure}")).ok()
}

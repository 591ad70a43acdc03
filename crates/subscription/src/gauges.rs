//! How the tables stand, for operators: asked every few seconds by each replica, so that every one of them tells the whole.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use diesel::{dsl::count_star, prelude::*};
use metrics::gauge;
use store::DbConnection;
use telemetry::names::{CHARGES_UNKNOWN, OUTBOX_WAITING, SUBSCRIPTIONS};

use crate::{
    App,
    billing::ledger::UNKNOWN,
    error::Error,
    figures,
    life::State,
    schema::{ledger, outbox, subscriptions},
    terms::Terms,
};

/// How often the tables are asked.
const EVERY: Duration = Duration::from_secs(5);

/// Asking takes a fiftieth of the time at most: counting millions of rows is done seldom.
const SHARE: u32 = 50;

/// States that operators are told of; `New` is nobody's.
const STATES: [State; 4] = [State::Pending, State::Active, State::Suspended, State::Cancelled];

/// Counted rows.
struct Standing {
    subscriptions: BTreeMap<(i32, String), i64>,
    unknown: i64,
    waiting: i64,
}

/// Sets it going beside the server.
pub(crate) fn start(app: &App) {
    let (db, terms, alive) = (app.db.clone(), app.terms.clone(), Arc::downgrade(&app.alive));
    actix_web::rt::spawn(async move {
        while alive.strong_count() > 0 {
            let asked = Instant::now();
            match db.run(Standing::count).await {
                Ok(standing) => standing.tell(&terms),
                Err(error) => tracing::warn!(error = %error, "the tables could not be counted"),
            }
            tokio::time::sleep(EVERY.max(asked.elapsed().saturating_mul(SHARE))).await;
        }
    });
}

impl Standing {
    fn count(conn: &mut DbConnection) -> Result<Self, Error> {
        let rows: Vec<(i32, String, i64)> = subscriptions::table
            .group_by((subscriptions::svc_id, subscriptions::state))
            .select((subscriptions::svc_id, subscriptions::state, count_star()))
            .load(conn)?;
        Ok(Self {
            subscriptions: rows.into_iter().map(|(svc_id, state, rows)| ((svc_id, state), rows)).collect(),
            unknown: ledger::table.filter(ledger::status.eq(UNKNOWN)).count().get_result(conn)?,
            waiting: outbox::table.filter(outbox::done_at.is_null()).count().get_result(conn)?,
        })
    }

    fn tell(&self, terms: &Terms) {
        for brand in terms.brands.iter() {
            for state in STATES {
                let rows = self.subscriptions.get(&(brand.svc_id, state.as_str().to_owned()));
                let service = figures::service(terms, brand.svc_id);
                gauge!(SUBSCRIPTIONS, "service" => service, "state" => state.as_str()).set(figure(rows.copied()));
            }
        }
        gauge!(CHARGES_UNKNOWN).set(figure(Some(self.unknown)));
        gauge!(OUTBOX_WAITING).set(figure(Some(self.waiting)));
    }
}

/// What a gauge holds; nobody has so many rows that it would not be exact.
fn figure(rows: Option<i64>) -> f64 {
    f64::from(u32::try_from(rows.unwrap_or_default()).unwrap_or(u32::MAX))
}

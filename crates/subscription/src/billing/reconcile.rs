//! Reconciliation: compares a day of the ledger with each network's own list, and repairs it in the customer's favour only.
//!
//! A `comparison` is of one day with one network: `list` fetches the network's whole list into a table, `totals` counts how much of it
//! agrees with the ledger, `diff_queries` reads the differences page by page, and `repair` repairs them, unless the list contradicts more
//! than 1 % of the day's settled charges: then nothing is changed until staff accept it. `runs` records which day was compared with which
//! network, so that a day is compared once over all replicas. The failure of one network does not affect the others.

mod comparison;
mod diff_queries;
mod difference;
mod list;
mod reconciler;
mod repair;
mod runs;
mod totals;

use actix_web::web::{Data, Json};
use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use service::{Clock, FinanceCaller, openapi::Refused};
use store::DbConnection;
use utoipa::ToSchema;

pub(crate) use self::reconciler::Reconciler;
use self::{
    comparison::{Findings, POLL_INTERVAL},
    difference::{Difference, MAX_LISTED, NetworkReconciled},
    runs::Run,
};
use crate::{
    App,
    error::Error,
    ledger::{export::parse_day, restores, rows::is_kept, totals as daily_totals},
};

/// Which day, and whether its lists are accepted even if they contradict the ledger.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ReconcileRequest {
    /// Johannesburg's calendar day, YYYY-MM-DD.
    day: String,
    #[serde(default)]
    accept: bool,
}

/// A day's comparison.
#[derive(Serialize, ToSchema)]
pub(crate) struct Reconciled {
    day: String,
    /// Charges on the networks' lists.
    listed: i64,
    /// Of these, the charges that are settled in the ledger with the same amount.
    agreed: i64,
    differences: Vec<Difference>,
    /// The number of differences beyond those listed.
    more: usize,
    networks: Vec<NetworkReconciled>,
}

impl Reconciled {
    /// Whether the day agrees with every network's list.
    pub(crate) fn is_repaired(&self) -> bool {
        self.networks.iter().all(NetworkReconciled::is_repaired)
    }
}

/// Compares a day and repairs differences; idempotent.
#[utoipa::path(
    post,
    path = "",
    request_body = ReconcileRequest,
    responses((status = 200, description = "How ledger and networks differed, network by network.", body = Reconciled), Refused)
)]
pub(crate) async fn reconcile(
    _: FinanceCaller,
    app: Data<App>,
    request: Json<ReconcileRequest>,
) -> Result<Json<Reconciled>, Error> {
    let (day, accept) = (parse_day(&request.day)?, request.accept);
    app.db.run(restores::refuse_pending).await?;
    // Its charges would be entered as if they were missing.
    if !app.db.run(move |conn| is_kept(conn, &day.to_string())).await? {
        return Err(Error::DayNotKept);
    }
    let reconciler = Reconciler::of(&app);
    // A task of its own: a client that disconnects must not interrupt the comparison.
    let compared = actix_web::rt::spawn(async move { reconciler.compare_day(day, accept).await });
    let reconciled = compared.await.map_err(|_| Error::Stopping)??;
    // So that books show the repairs at once, also of a day that is no longer counted by itself.
    daily_totals::recount(&app.db, day, day, app.clock.now()).await?;
    Ok(Json(reconciled))
}

impl Reconciler {
    /// Compares each network's due days, by `reconcile_at` of `brands.toml`. Called every few seconds on every replica.
    pub async fn run_due(&self) -> Result<(), Error> {
        if self.db.run(restores::pending).await?.is_some() {
            return Ok(());
        }
        let networks = self.networks();
        let compared = join_all(networks.iter().map(|(network, at)| self.run_due_at(network, *at))).await;
        compared.into_iter().collect()
    }

    async fn run_due_at(&self, network: &str, reconcile_at: NaiveTime) -> Result<(), Error> {
        let (name, now) = (network.to_owned(), self.clock.now());
        let due = move |conn: &mut DbConnection| runs::due_days(conn, &name, reconcile_at, now, Clock::system_now());
        for (day, due) in self.db.run(due).await? {
            let run = Run::new(network, day, false, self.clock.now());
            if self.begin(&run, Some(due)).await? {
                self.compare(&run).await?;
            }
        }
        Ok(())
    }

    /// Compares a day with every network, concurrently.
    pub(crate) async fn compare_day(&self, day: NaiveDate, accept: bool) -> Result<Reconciled, Error> {
        let networks = self.networks();
        let compared = join_all(networks.iter().map(|(network, _)| self.compare_now(network, day, accept))).await;
        let mut reconciled = Reconciled {
            day: day.to_string(),
            listed: 0,
            agreed: 0,
            differences: Vec::new(),
            more: 0,
            networks: Vec::new(),
        };
        for compared in compared {
            let (network, Findings { differences, more, .. }) = compared?;
            reconciled.listed += network.listed;
            reconciled.agreed += network.agreed;
            reconciled.networks.push(network);
            reconciled.more += more;
            for difference in differences {
                if reconciled.differences.len() < MAX_LISTED {
                    reconciled.differences.push(difference);
                } else {
                    reconciled.more += 1;
                }
            }
        }
        Ok(reconciled)
    }

    /// Compares a day with one network, once no other process does.
    async fn compare_now(
        &self,
        network: &str,
        day: NaiveDate,
        accept: bool,
    ) -> Result<(NetworkReconciled, Findings), Error> {
        loop {
            let run = Run::new(network, day, accept, self.clock.now());
            if self.begin(&run, None).await? {
                return self.compare(&run).await;
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    async fn begin(&self, run: &Run, due: Option<NaiveDateTime>) -> Result<bool, Error> {
        let run = run.clone();
        self.db.write(move |conn| run.begin(conn, due, Clock::system_now())).await
    }
}

//! Reconciling: a day of the ledger against each network's own list, put right only in the customer's favour.
//!
//! A `comparison` is of one day with one network: `list` fetches the network's whole list into a table, `totals` counts how much of it
//! agrees with the ledger, `compare` reads the differences page by page, and `repair` puts them right, unless the list contradicts more than 1 % of the day's settled
//! charges: then nothing is changed until a person accepts it. `runs` keeps which day was compared with which network, so that a
//! day is compared once over all replicas. One network's failure leaves the others as they are.

mod compare;
mod comparison;
mod list;
mod repair;
mod runs;
mod totals;

use std::{sync::Arc, time::Duration};

use actix_web::web::{Data, Json};
use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use store::{Db, DbConnection};
use tokio::sync::Notify;
use utoipa::ToSchema;
use web::{Admin, Clock, openapi::Refused};

use self::{
    comparison::Findings,
    runs::{Run, State},
};
use super::export::parse_day;
use crate::{App, error::Error, networks::Networks, terms::Terms};

/// Differences that a reply names; more are only counted.
const NAMED: usize = 1000;

/// How often it is looked whether a run may go on: another process compares the same day, or the budget for questions is spent.
const LOOK: Duration = Duration::from_millis(200);

/// How ledger and list differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// The network charged what our row calls pending, failed or unknown.
    ChargedNotSettled,
    /// The network charged a day that has no row of ours.
    ChargedNotRecorded,
    /// The network charged a number that was not subscribed, or whose subscription has ended.
    ChargedAfterLeaving,
    /// The network charged a day a second time.
    ChargedTwice,
    /// Our row is settled, and the network says that it never charged it.
    NeverCharged,
    /// Our row is settled, and the list leaves it out; the network did not say that it never charged it.
    NotListed,
    /// Both charged, but not the same.
    AmountDiffers,
    /// The network charged for a service we do not have.
    UnknownService,
    /// A row of the list that names no charge.
    UnreadableRow,
    /// Our row was countered as never charged, and the list names it now.
    RepairUndone,
}

/// What was done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Repair {
    /// The row counts as settled now.
    Settled,
    /// The network is told to give it back.
    Refunded,
    /// A refund in our books alone: no money had moved.
    Countered,
    /// Nothing: a person has to look at it.
    None,
}

/// One difference.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct Difference {
    #[serde(rename = "type")]
    kind: Kind,
    repair: Repair,
    #[schema(required = true)]
    ledger_id: Option<i64>,
    msisdn: String,
    svc_id: i32,
    key: String,
    cents: i64,
    network: String,
}

/// Which day, and whether a list is accepted however much it contradicts.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ReconcileRequest {
    /// Johannesburg's calendar day, YYYY-MM-DD.
    day: String,
    #[serde(default)]
    accept: bool,
}

/// A day's comparison with one network.
#[derive(Serialize, ToSchema)]
pub(crate) struct NetworkReconciled {
    network: String,
    state: State,
    listed: i64,
    agreed: i64,
    /// Our settled charges of the day that were not given back.
    settled: i64,
    /// Those of them that the list lacks or names otherwise.
    contradictions: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<String>,
}

/// A day's comparison.
#[derive(Serialize, ToSchema)]
pub(crate) struct Reconciled {
    day: String,
    /// Charges on the networks' lists.
    listed: i64,
    /// Of these, found settled in the ledger, to the cent.
    agreed: i64,
    differences: Vec<Difference>,
    /// Differences beyond those named.
    more: usize,
    networks: Vec<NetworkReconciled>,
}

/// Compares a day and puts right what can be, twice no more than once.
#[utoipa::path(
    post,
    path = "",
    request_body = ReconcileRequest,
    responses((status = 200, description = "How ledger and networks differed, network by network.", body = Reconciled), Refused)
)]
pub(crate) async fn reconcile(
    _: Admin,
    app: Data<App>,
    request: Json<ReconcileRequest>,
) -> Result<Json<Reconciled>, Error> {
    let (day, accept) = (parse_day(&request.day)?, request.accept);
    let reconciler = Reconciler::of(&app);
    // A task of its own: a caller that goes away must not leave the day half compared.
    let compared = actix_web::rt::spawn(async move { reconciler.compare_day(day, accept).await });
    compared.await.map_err(|_| Error::Stopping)?.map(Json)
}

/// Compares days with the networks' lists. Clones share everything.
#[derive(Clone)]
pub(crate) struct Reconciler {
    db: Db,
    terms: Arc<Terms>,
    networks: Networks,
    clock: Clock,
    outbox_wake: Arc<Notify>,
}

impl Reconciler {
    /// Of this service.
    pub fn of(app: &App) -> Self {
        Self {
            db: app.db.clone(),
            terms: app.terms.clone(),
            networks: app.networks.clone(),
            clock: app.clock.clone(),
            outbox_wake: app.outbox_wake.clone(),
        }
    }

    /// The networks that can be asked, in the order of their names, each with the time of day from which its list is compared.
    fn networks(&self) -> Vec<(String, NaiveTime)> {
        let known = self.terms.brands.networks().filter(|(name, _)| self.networks.of(name).is_ok());
        let time = |at: brands::TimeOfDay| NaiveTime::from_hms_opt(at.hour().into(), at.minute().into(), 0);
        known.map(|(name, network)| (name, time(network.reconcile_at).unwrap_or(NaiveTime::MIN))).collect()
    }

    /// The networks of one address: each lists the charges of all of them.
    fn networks_at(&self, address: &str) -> Vec<String> {
        let names = self.networks().into_iter().map(|(name, _)| name);
        names.filter(|name| self.networks.of(name).is_ok_and(|operator| operator.address() == address)).collect()
    }

    /// Compares each network's days that are due, as `reconcile_at` of `brands.toml` says. Called every few seconds on every replica.
    pub async fn run_due(&self) -> Result<(), Error> {
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

    /// Compares a day with every network, side by side.
    async fn compare_day(&self, day: NaiveDate, accept: bool) -> Result<Reconciled, Error> {
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
                if reconciled.differences.len() < NAMED {
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
            tokio::time::sleep(LOOK).await;
        }
    }

    async fn begin(&self, run: &Run, due: Option<NaiveDateTime>) -> Result<bool, Error> {
        let run = run.clone();
        self.db.write(move |conn| run.begin(conn, due, Clock::system_now())).await
    }
}

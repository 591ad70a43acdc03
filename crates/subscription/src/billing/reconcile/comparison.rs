//! One comparison of a day with one network's list, from the fetch to the last repair.

use std::{collections::BTreeSet, time::Duration};

use chrono::NaiveDateTime;
use futures_util::{StreamExt, stream};
use operator::{ChargeRequest, ChargeStatus};
use service::Clock;
use store::DbConnection;

use crate::{
    billing::{
        reconcile::{
            diff_queries::{self, Finding, Page},
            difference::{Difference, Kind, MAX_LISTED, NetworkReconciled, Repair},
            list,
            reconciler::Reconciler,
            repair::Repairs,
            runs::{HEARTBEAT_INTERVAL, Run, State, Summary},
            totals::{self, Totals},
        },
        suspend::sync_states,
    },
    error::Error,
    networks::{NetworkHandle, alarms},
    subscribers::{crash, metrics, policy::Policy},
};

/// The interval between two checks whether a run may continue: another process compares the same day, or the rate limit is exhausted.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Concurrent status queries to one network.
const CONCURRENT_STATUS_QUERIES: usize = 16;

/// The findings so far.
#[derive(Default)]
pub(super) struct Findings {
    pub totals: Totals,
    pub differences: Vec<Difference>,
    /// The number of differences beyond those listed.
    pub more: usize,
    /// Whether the list contradicts too much: one alarm reports it, instead of one for each difference.
    is_held: bool,
    /// Missing charges about which the network did not answer.
    unanswered: usize,
}

impl Findings {
    fn add(&mut self, difference: Difference) {
        if !self.is_held {
            tracing::warn!(
                network.name = difference.network,
                difference.kind = ?difference.kind,
                difference.repair = ?difference.repair,
                ledger.id = difference.ledger_id,
                "ledger and network differ"
            );
        }
        if self.differences.len() < MAX_LISTED {
            self.differences.push(difference);
        } else {
            self.more += 1;
        }
    }

    fn count(&self) -> usize {
        self.differences.len() + self.more
    }
}

impl Finding {
    /// The difference in the reply.
    pub fn difference(&self, run: &Run, repair: Repair) -> Difference {
        Difference {
            kind: self.kind,
            repair,
            ledger_id: self.row.as_ref().map(|row| row.id),
            msisdn: self.msisdn.clone(),
            svc_id: self.svc_id,
            key: self.key.clone(),
            cents: self.cents,
            network: run.network.clone(),
        }
    }
}

impl Reconciler {
    /// Executes a started run, and records its result. Fails only where that cannot be recorded.
    pub(super) async fn compare(&self, run: &Run) -> Result<(NetworkReconciled, Findings), Error> {
        let mut found = Findings::default();
        let result = tokio::select! {
            biased;
            result = self.run_steps(run, &mut found) => result,
            error = self.heartbeat(run) => Err(error),
        };
        let (state, cause) = match &result {
            Err(error) => (State::Failed, cause_of(error)),
            Ok(()) if found.is_held => (State::Held, "the list contradicts too many settled charges".to_owned()),
            Ok(()) if found.unanswered > 0 && !run.accept => (
                State::Failed,
                format!("the network did not answer about {} charges that its list lacks", found.unanswered),
            ),
            Ok(()) => (State::Repaired, String::new()),
        };
        let Totals { listed, agreed, settled, contradictions } = found.totals;
        let differences = i64::try_from(found.count()).unwrap_or(i64::MAX);
        let summary = Summary { state, listed, agreed, settled, differences, cause: cause.clone() };
        let (ended, now) = (run.clone(), self.clock.now());
        self.db.write(move |conn| ended.finish(conn, &summary, now)).await?;
        if differences > 0 {
            self.outbox_wake.notify_one();
        }
        self.log_result(run, state, &found, &cause);
        let network = NetworkReconciled {
            network: run.network.clone(),
            state,
            listed,
            agreed,
            settled,
            contradictions,
            cause: Some(cause).filter(|cause| !cause.is_empty()),
        };
        Ok((network, found))
    }

    fn log_result(&self, run: &Run, state: State, found: &Findings, cause: &str) {
        let Totals { listed, agreed, settled, contradictions } = found.totals;
        let (network, day) = (&run.network, run.day);
        if found.count() > 0 && !found.is_held {
            tracing::error!(
                alarm = "reconciled",
                network.name = network,
                billing.day = %day,
                charges.differ = found.count(),
                "ledger and network differ"
            );
        }
        match state {
            State::Repaired => tracing::info!(
                network.name = network,
                billing.day = %day,
                charges.listed = listed,
                charges.agreed = agreed,
                "{day} reconciled with {network}: {agreed} of {listed} charges agree"
            ),
            State::Held => tracing::error!(
                alarm = "reconcile_held",
                network.name = network,
                billing.day = %day,
                charges.settled = settled,
                charges.contradicted = contradictions,
                "the list of {network} contradicts {contradictions} of {settled} settled charges of {day}: nothing is changed until a person accepts it"
            ),
            // It is tried again all day.
            State::Failed => tracing::error!(
                alarm = alarms::daily("reconcile_failed", network, self.clock.now()),
                network.name = network,
                billing.day = %day,
                cause,
                "{day} could not be reconciled with {network}"
            ),
        }
    }

    /// Sends heartbeats while a slow network answers; returns an error where another process has taken the run over.
    async fn heartbeat(&self, run: &Run) -> Error {
        loop {
            tokio::time::sleep(HEARTBEAT_INTERVAL).await;
            if let Err(error) = self.write(run, |_, _| Ok(())).await {
                return error;
            }
        }
    }

    async fn run_steps(&self, run: &Run, found: &mut Findings) -> Result<(), Error> {
        let unreadable = list::fetch(self, run).await?;
        crash::point("reconcile.listed");
        found.totals = self.read(run, |conn, _, run| totals::totals(conn, run)).await?;
        found.is_held = !run.accept && found.totals.exceeds_threshold();
        unreadable.into_iter().for_each(|difference| found.add(difference));

        let mut after = Some(String::new());
        while let Some(last) = after {
            let page = self.read(run, move |conn, _, run| diff_queries::by_key(conn, run, &last)).await?;
            after = self.repair_page(run, page, found).await?;
        }
        let mut after = Some(String::new());
        while let Some(last) = after {
            let page =
                self.read(run, move |conn, policy, run| diff_queries::by_number(conn, policy, run, &last)).await?;
            after = self.repair_page(run, page, found).await?;
        }
        let mut after = Some(0);
        while let Some(last) = after {
            let mut page = self.read(run, move |conn, _, run| diff_queries::missing(conn, run, last)).await?;
            if !found.is_held {
                found.unanswered += self.query_missing(run, &mut page.findings).await?;
            }
            after = self.repair_page(run, page, found).await?;
        }
        Ok(())
    }

    /// Queries the charges that the list lacks, and marks those that the network never made; returns how many were not answered. The list
    /// may be incomplete; the status of a single charge is not.
    async fn query_missing(&self, run: &Run, missing: &mut [Finding]) -> Result<usize, Error> {
        let link = self.networks.get(&run.network)?;
        let queries = missing.iter().map(|finding| ChargeRequest {
            key: finding.key.clone(),
            msisdn: finding.msisdn.clone(),
            svc_id: finding.svc_id,
            cents: finding.cents,
            day: run.day.to_string(),
            network_subscription_id: None,
            network_ref: finding.network_ref.clone(),
            sent_at: None,
        });
        let answers: Vec<Option<bool>> = stream::iter(queries.collect::<Vec<_>>())
            .map(|request| was_charged(&link, run, request))
            .buffered(CONCURRENT_STATUS_QUERIES)
            .collect()
            .await;
        for (finding, charged) in missing.iter_mut().zip(&answers) {
            if *charged == Some(false) {
                finding.kind = Kind::NeverCharged;
            }
        }
        Ok(answers.iter().filter(|charged| charged.is_none()).count())
    }

    /// Repairs a page of differences in one transaction, or only counts them where the list is held. Returns the page's last row.
    async fn repair_page<C>(&self, run: &Run, page: Page<C>, found: &mut Findings) -> Result<Option<C>, Error> {
        found.totals.agreed += page.agreed;
        let findings = page.findings;
        if found.is_held {
            findings.iter().for_each(|finding| found.add(finding.difference(run, Repair::None)));
        } else if !findings.is_empty() {
            let (policy, repaired) = (self.policy.clone(), run.clone());
            let differences = self
                .write(run, move |conn, now| {
                    let mut repairs = Repairs { policy: &policy, run: &repaired, now, moved: BTreeSet::new() };
                    let mut differences = Vec::with_capacity(findings.len());
                    for finding in &findings {
                        differences.extend(repairs.repair(conn, finding)?);
                    }
                    sync_states(conn, &policy, repairs.moved, now)?;
                    Ok(differences)
                })
                .await?;
            differences.into_iter().for_each(|difference| found.add(difference));
        }
        Ok(page.last)
    }

    async fn read<T, F>(&self, run: &Run, query: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&mut DbConnection, &Policy, &Run) -> Result<T, Error> + Send + 'static,
    {
        let (policy, run) = (self.policy.clone(), run.clone());
        self.db.run(move |conn| query(conn, &policy, &run)).await
    }

    /// Runs a run's writes in one transaction, unless another process has taken it over.
    pub(super) async fn write<T, F>(&self, run: &Run, writes: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: FnOnce(&mut DbConnection, NaiveDateTime) -> Result<T, Error> + Send + 'static,
    {
        let (run, now) = (run.clone(), self.clock.now());
        self.db
            .write(move |conn| {
                run.heartbeat(conn, Clock::system_now())?;
                writes(conn, now)
            })
            .await
    }
}

/// Whether the network made a charge; `None` without a clear answer.
async fn was_charged(link: &NetworkHandle, run: &Run, request: ChargeRequest) -> Option<bool> {
    while !link.throttle.try_status_query() {
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    let answer = link.operator.charge_status(&request).await;
    metrics::network_call(&run.network, "question", &answer);
    match answer.ok()?.map(|charge| charge.outcome) {
        Some(ChargeStatus::Charged) => Some(true),
        Some(ChargeStatus::InsufficientFunds | ChargeStatus::Refused | ChargeStatus::Cancelled) | None => Some(false),
        Some(ChargeStatus::Accepted | ChargeStatus::Unknown) => None,
    }
}

/// The cause for the staff who look at the day.
fn cause_of(error: &Error) -> String {
    match error {
        Error::NetworkUnavailable(cause) | Error::NetworkRejected(cause) => cause.clone(),
        other => other.to_string(),
    }
}

//! `POST /internal/reconcile`: a day of the ledger against the network's own list, put right only in the customer's favour.
//!
//! First every charge on the list is looked for in the ledger by its key (`compare`), then what had no such key by number
//! and service, and last every settled charge that is on no list. `repair` makes the entries.

mod compare;
mod repair;

use std::collections::{BTreeSet, HashSet};

use actix_web::web::{Data, Json};
use chrono::NaiveDate;
use operator::ChargeListed;
use serde::Serialize;
use utoipa::ToSchema;
use web::{Admin, openapi::Refused};

use super::{export::parse_day, follow::follow, order::DayRequest};
use crate::{App, crash, error::Error};

/// Differences that a reply names; more are only counted.
const NAMED: usize = 1000;

/// Settled charges looked at in one transaction.
const PAGE: usize = 1000;

/// How ledger and list differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// The network charged what our row calls pending, failed or unknown.
    ChargedNotSettled,
    /// The network charged a day that has no row of ours.
    ChargedNotRecorded,
    /// The network charged somebody who was not subscribed.
    ChargedAfterLeaving,
    /// The network charged a day a second time.
    ChargedTwice,
    /// Our row is settled, and the network never charged it.
    NeverCharged,
    /// Our row is settled, the network says so when asked, and its list leaves it out.
    NotListed,
    /// Both charged, but not the same.
    AmountDiffers,
    /// The network charged for a service we do not have.
    UnknownService,
}

/// What was done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Repair {
    /// The row is settled now.
    Settled,
    /// The network is told to give it back.
    Refunded,
    /// A refund in our books alone: no money had moved.
    Countered,
    /// For somebody to look at.
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
}

/// A day's comparison.
#[derive(Serialize, ToSchema)]
pub(crate) struct Reconciled {
    day: String,
    /// Charges on the networks' lists.
    listed: usize,
    /// Of these, found settled in the ledger, to the cent.
    agreed: usize,
    differences: Vec<Difference>,
    /// Differences beyond those named.
    more: usize,
}

/// What is known so far.
#[derive(Default)]
struct Findings {
    /// The rows that a list names.
    seen: HashSet<i64>,
    /// Charges on a list whose key no row has.
    strangers: Vec<ChargeListed>,
    differences: Vec<Difference>,
    more: usize,
    listed: usize,
    agreed: usize,
    /// Subscriptions whose state may have to follow.
    moved: BTreeSet<i64>,
}

impl Findings {
    fn add(&mut self, charge: &ChargeListed, ledger_id: Option<i64>, kind: Kind, repair: Repair) {
        tracing::error!(
            alarm = "reconciled",
            difference.kind = ?kind,
            difference.repair = ?repair,
            ledger.id = ledger_id,
            "ledger and network differ"
        );
        if self.differences.len() >= NAMED {
            self.more += 1;
            return;
        }
        let ChargeListed { msisdn, svc_id, key, cents, .. } = charge.clone();
        self.differences.push(Difference { kind, repair, ledger_id, msisdn, svc_id, key, cents });
    }
}

/// Compares a day and puts right what can be, twice no more than once.
#[utoipa::path(
    post,
    path = "",
    request_body = DayRequest,
    responses((status = 200, description = "How ledger and network differed.", body = Reconciled), Refused)
)]
pub(crate) async fn reconcile(_: Admin, app: Data<App>, request: Json<DayRequest>) -> Result<Json<Reconciled>, Error> {
    let day = parse_day(&request.day)?;
    let findings = compare_day(&app, day).await?;
    app.outbox_bell.notify_one();
    let Findings { listed, agreed, differences, more, .. } = findings;
    tracing::info!(billing.day = %day, charges.listed = listed, charges.agreed = agreed, "{day} reconciled: {agreed} of {listed} charges agree");
    Ok(Json(Reconciled { day: day.to_string(), listed, agreed, differences, more }))
}

async fn compare_day(app: &App, day: NaiveDate) -> Result<Findings, Error> {
    // What is settled from now on may be missing from a list that was made before.
    let began = app.clock.now();
    let mut findings = Findings::default();
    for network in one_name_per_address(app)? {
        let mut next = None;
        loop {
            let (page, link) = app.networks.of(&network)?.charges_of_day(&day.to_string(), next.as_deref()).await?;
            findings =
                write(app, findings, move |conn, app, found| compare::page(conn, &app.terms, day, &page, found, began))
                    .await?;
            match link {
                Some(link) => next = Some(link),
                None => break,
            }
        }
    }
    crash::point("reconcile.listed");
    let strangers = std::mem::take(&mut findings.strangers);
    for charge in strangers {
        findings = write(app, findings, move |conn, app, found| {
            compare::stranger(conn, &app.terms, day, &charge, found, began)
        })
        .await?;
    }
    let mut after = 0;
    loop {
        let settled = app.db.run(move |conn| compare::settled_page(conn, day, after, began, PAGE)).await?;
        let Some(last) = settled.last() else { break };
        after = last.id;
        for row in settled {
            if findings.seen.contains(&row.id) {
                continue;
            }
            // The list may be behind; the network's word on the one charge is not.
            let known = app.networks.of(&row.network)?.charge_of(&row.charge_key).await?;
            let charged = known.is_some_and(|charge| charge.outcome == operator::ChargeStatus::Charged);
            findings =
                write(app, findings, move |conn, _, found| repair::unlisted(conn, &row, charged, found, began)).await?;
        }
    }
    let (terms, moved) = (app.terms.clone(), std::mem::take(&mut findings.moved));
    app.db.write(move |conn| follow(conn, &terms, moved, began)).await?;
    Ok(findings)
}

/// Runs a step in a transaction, with the findings going through it; if it fails, the comparison ends.
async fn write<F>(app: &App, mut findings: Findings, step: F) -> Result<Findings, Error>
where
    F: FnOnce(&mut store::DbConnection, &App, &mut Findings) -> Result<(), Error> + Send + 'static,
{
    let app = app.clone();
    let db = app.db.clone();
    db.write(move |conn| step(conn, &app, &mut findings).map(|()| findings)).await
}

/// Networks that share an address share a list.
fn one_name_per_address(app: &App) -> Result<Vec<String>, Error> {
    let mut names: Vec<String> = Vec::new();
    for brand in app.brands.iter() {
        let network = app.networks.of(&brand.network)?;
        if !names.iter().any(|name| app.networks.of(name).is_ok_and(|known| known.address() == network.address())) {
            names.push(brand.network.clone());
        }
    }
    Ok(names)
}

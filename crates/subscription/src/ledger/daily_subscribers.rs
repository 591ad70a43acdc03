//! Subscribers by day: joins, leaves and running subscriptions of each brand, network and price, for finance's charts.
//!
//! Joins and leaves are counted with the day's other totals. What runs is counted where the gauges count it anyway; of a past day, that is its
//! last count.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::web::{Data, Json, Query};
use chrono::NaiveDate;
use diesel::prelude::*;
use serde::Serialize;
use service::{FinanceCaller, openapi::Refused};
use store::{DbConnection, on_each_backend};
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    ledger::books::{DaysQuery, MAX_DAYS, parse_range},
    schema::{daily_joins, daily_running},
};

/// Brand, network and price.
pub(crate) type Group = (i32, String, i64);

/// The subscribers of one brand at one network and price, on a day.
#[derive(Serialize, ToSchema)]
pub(crate) struct SubscriberDay {
    day: String,
    svc_id: i32,
    /// The brand's service; empty for one that brands.toml no longer has.
    service: String,
    network: String,
    price_cents: i64,
    /// Subscriptions that the network confirmed.
    joins: i64,
    /// Subscriptions that ended, for any cause; attempts that expired are none.
    leaves: i64,
    /// Active and suspended subscriptions when they were counted last on that day; null on a day on which they were not.
    #[schema(required = true)]
    running: Option<i64>,
}

/// Subscribers by day.
#[derive(Serialize, ToSchema)]
pub(crate) struct SubscriberDays {
    /// By day, brand, network and price.
    days: Vec<SubscriberDay>,
}

/// Keeps what runs as the count of this day.
pub(crate) fn record_running(
    conn: &mut DbConnection,
    day: NaiveDate,
    running: &BTreeMap<Group, i64>,
) -> Result<(), Error> {
    let day = day.to_string();
    // A group that has become empty is no longer among those that were counted.
    diesel::update(daily_running::table.filter(daily_running::day.eq(&day)))
        .set(daily_running::subscriptions.eq(0))
        .execute(conn)?;
    // In order, so that two replicas lock the rows in the same one.
    for ((svc_id, network, price_cents), subscriptions) in running {
        let row = (
            (daily_running::day.eq(&day), daily_running::svc_id.eq(svc_id), daily_running::network.eq(network)),
            (daily_running::price_cents.eq(price_cents), daily_running::subscriptions.eq(subscriptions)),
        );
        on_each_backend!(conn, conn => diesel::insert_into(daily_running::table)
            .values(row)
            .on_conflict((daily_running::day, daily_running::svc_id, daily_running::network, daily_running::price_cents))
            .do_update()
            .set(daily_running::subscriptions.eq(subscriptions))
            .execute(conn))?;
    }
    Ok(())
}

/// The row of a day's joins.
#[derive(Queryable)]
struct JoinsRow {
    day: String,
    svc_id: i32,
    network: String,
    price_cents: i64,
    joins: i64,
    leaves: i64,
}

/// The row of a day's running subscriptions.
#[derive(Queryable)]
struct RunningRow {
    day: String,
    svc_id: i32,
    network: String,
    price_cents: i64,
    subscriptions: i64,
}

/// The figures of a day and group.
#[derive(Default)]
struct Figures {
    joins: i64,
    leaves: i64,
    running: Option<i64>,
}

fn read(conn: &mut DbConnection, from: NaiveDate, to: NaiveDate) -> Result<BTreeMap<(String, Group), Figures>, Error> {
    let (from, to) = (from.to_string(), to.to_string());
    let moves: Vec<JoinsRow> =
        daily_joins::table.filter(daily_joins::day.between(&from, &to)).select(daily_joins::all_columns).load(conn)?;
    let running: Vec<RunningRow> = daily_running::table
        .filter(daily_running::day.between(&from, &to))
        .select(daily_running::all_columns)
        .load(conn)?;
    let mut found: BTreeMap<(String, Group), Figures> = BTreeMap::new();
    for row in moves {
        let figures = found.entry((row.day, (row.svc_id, row.network, row.price_cents))).or_default();
        (figures.joins, figures.leaves) = (row.joins, row.leaves);
    }
    let counted: BTreeSet<String> = running.iter().map(|row| row.day.clone()).collect();
    for row in running {
        let group = (row.svc_id, row.network, row.price_cents);
        found.entry((row.day, group)).or_default().running = Some(row.subscriptions);
    }
    for ((day, _), figures) in &mut found {
        if figures.running.is_none() && counted.contains(day) {
            figures.running = Some(0);
        }
    }
    Ok(found)
}

/// Joins, leaves and running subscriptions by day, brand, network and price.
#[utoipa::path(
    get,
    path = "",
    params(DaysQuery),
    responses((status = 200, description = "The days with any.", body = SubscriberDays), Refused)
)]
pub(crate) async fn list_days(
    _: FinanceCaller,
    app: Data<App>,
    query: Query<DaysQuery>,
) -> Result<Json<SubscriberDays>, Error> {
    let (from, to) = parse_range(&query.from, &query.to, MAX_DAYS)?;
    let found = app.db.run(move |conn| read(conn, from, to)).await?;
    let days = found.into_iter().map(|((day, (svc_id, network, price_cents)), figures)| {
        let service = app.brands.by_svc_id(svc_id).map(|brand| brand.service.clone()).unwrap_or_default();
        let Figures { joins, leaves, running } = figures;
        SubscriberDay { day, svc_id, service, network, price_cents, joins, leaves, running }
    });
    Ok(Json(SubscriberDays { days: days.collect() }))
}

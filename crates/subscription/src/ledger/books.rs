//! What finance reads: the sums of days by brand, network and price, and which days agree with the networks' lists.

use actix_web::web::{Data, Json, Query};
use chrono::NaiveDate;
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use service::{FinanceCaller, openapi::Refused};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    ledger::{
        export::parse_day,
        rows::{CHARGE, FAILED, PENDING, REFUND, SETTLED, UNKNOWN, first_day},
        totals,
    },
    schema::{daily_sums, reconciliations},
    subscribers::calendar,
};

/// The longest range of days in one reply.
pub(crate) const MAX_DAYS: i64 = 800;

/// The most days that are counted again for one reply.
const MAX_RECOUNTED: i64 = 31;

/// Which days.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DaysQuery {
    /// The first of Johannesburg's calendar days, YYYY-MM-DD.
    pub from: String,
    /// The last one.
    pub to: String,
}

/// Which days, and how fresh.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct BooksQuery {
    /// The first of Johannesburg's calendar days, YYYY-MM-DD.
    from: String,
    /// The last one.
    to: String,
    /// Counts each of at most 31 days again first. Without it, the sums of today and yesterday are up to five minutes old, and those of older
    /// days up to a day; days of more than eight days ago are counted only so.
    #[serde(default)]
    recount: bool,
}

/// How many rows of the ledger, and their cents with VAT.
#[derive(Clone, Copy, Default, Serialize, ToSchema)]
pub(crate) struct Sum {
    entries: i64,
    cents: i64,
}

/// One day of one brand at one network, of the rows with one amount.
#[derive(Serialize, ToSchema)]
pub(crate) struct BookLine {
    day: String,
    svc_id: i32,
    /// The brand's service; empty for one that brands.toml no longer has.
    service: String,
    /// The network that charged.
    network: String,
    price_cents: i64,
    charged: Sum,
    failed: Sum,
    /// Refunds that were made, by the day on which they were entered.
    given_back: Sum,
    /// Charges and refunds whose outcome is not known yet.
    open: Sum,
}

/// A brand on one of its networks, for terms of days to come.
#[derive(Serialize, ToSchema)]
pub(crate) struct BookBrand {
    svc_id: i32,
    service: String,
    network: String,
}

/// The sums of days.
#[derive(Serialize, ToSchema)]
pub(crate) struct Books {
    /// Johannesburg's calendar day now.
    today: String,
    /// The ledger's first day; null while it is empty.
    #[schema(required = true)]
    first: Option<String>,
    brands: Vec<BookBrand>,
    /// By day, brand, network and price.
    lines: Vec<BookLine>,
}

/// A day's newest comparison with a network's list.
#[derive(Queryable, Serialize, ToSchema)]
pub(crate) struct ComparedDay {
    day: String,
    network: String,
    /// "running", "repaired", "held" (it waits for a person to accept it) or "failed".
    state: String,
    /// Charges on the network's list.
    listed: i64,
    /// Of these, the charges that are settled in the ledger with the same amount.
    agreed: i64,
    /// Our settled charges that were not given back.
    settled: i64,
    differences: i64,
    cause: String,
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    started_at: chrono::NaiveDateTime,
}

/// Days that were compared.
#[derive(Serialize, ToSchema)]
pub(crate) struct ComparedDays {
    /// Newest first.
    days: Vec<ComparedDay>,
}

/// A day's rows of one brand, network, price, kind and status, counted.
#[derive(Queryable, Selectable)]
#[diesel(table_name = daily_sums)]
struct DailySum {
    day: String,
    svc_id: i32,
    network: String,
    price_cents: i64,
    kind: String,
    status: String,
    entries: i64,
}

impl BookLine {
    fn empty(day: String, svc_id: i32, service: String, network: String, price_cents: i64) -> Self {
        let (charged, failed, given_back, open) = Default::default();
        Self { day, svc_id, service, network, price_cents, charged, failed, given_back, open }
    }

    fn is_of(&self, sum: &DailySum) -> bool {
        let of_line = (&self.day, self.svc_id, &self.network, self.price_cents);
        of_line == (&sum.day, sum.svc_id, &sum.network, sum.price_cents)
    }

    /// Adds rows of one kind and status. A refund that a network refused is nothing that happened.
    fn add(&mut self, counted: &DailySum) {
        let sum = match (counted.kind.as_str(), counted.status.as_str()) {
            (CHARGE, SETTLED) => &mut self.charged,
            (CHARGE, FAILED) => &mut self.failed,
            (REFUND, SETTLED) => &mut self.given_back,
            (_, PENDING | UNKNOWN) => &mut self.open,
            _ => return,
        };
        sum.entries += counted.entries;
        sum.cents += counted.entries * self.price_cents;
    }
}

/// The days of a range, as it is written.
pub(crate) fn parse_range(from: &str, to: &str, most: i64) -> Result<(NaiveDate, NaiveDate), Error> {
    let (from, to) = (parse_day(from)?, parse_day(to)?);
    if (0..most).contains(&(to - from).num_days()) { Ok((from, to)) } else { Err(Error::BadRange) }
}

/// The sums of days by brand, network and price.
#[utoipa::path(
    get,
    path = "",
    params(BooksQuery),
    responses((status = 200, description = "The days' sums.", body = Books), Refused)
)]
pub(crate) async fn get_books(
    _: FinanceCaller,
    app: Data<App>,
    query: Query<BooksQuery>,
) -> Result<Json<Books>, Error> {
    let most = if query.recount { MAX_RECOUNTED } else { MAX_DAYS };
    let (from, to) = parse_range(&query.from, &query.to, most)?;
    let now = app.clock.now();
    let today = calendar::day_of(now);
    let first = app.db.run(move |conn| first_day(conn, today)).await?;
    if let Some(first) = first.filter(|_| query.recount) {
        totals::recount(&app.db, from.max(first), to.min(today), now).await?;
    }
    let rows = app.db.run(move |conn| sums(conn, from, to)).await?;
    let mut lines: Vec<BookLine> = Vec::new();
    for row in rows {
        if lines.last().is_none_or(|line| !line.is_of(&row)) {
            let brand = app.brands.by_svc_id(row.svc_id);
            let service = brand.map(|brand| brand.service.clone()).unwrap_or_default();
            lines.push(BookLine::empty(row.day.clone(), row.svc_id, service, row.network.clone(), row.price_cents));
        }
        if let Some(line) = lines.last_mut() {
            line.add(&row);
        }
    }
    let brands = app.brands.iter().flat_map(|brand| {
        let (svc_id, service) = (brand.svc_id, brand.service.clone());
        let networks: Vec<_> = brand.offers.iter().map(|offer| offer.network.clone()).collect();
        networks.into_iter().map(move |network| BookBrand { svc_id, service: service.clone(), network })
    });
    Ok(Json(Books {
        today: today.to_string(),
        first: first.map(|day| day.to_string()),
        brands: brands.collect(),
        lines,
    }))
}

fn sums(conn: &mut DbConnection, from: NaiveDate, to: NaiveDate) -> Result<Vec<DailySum>, Error> {
    Ok(daily_sums::table
        .filter(daily_sums::day.between(from.to_string(), to.to_string()))
        .order((daily_sums::day, daily_sums::svc_id, daily_sums::network, daily_sums::price_cents))
        .select(DailySum::as_select())
        .load(conn)?)
}

/// The newest comparison of each day with each network.
#[utoipa::path(
    get,
    path = "",
    params(DaysQuery),
    responses((status = 200, description = "The days that were compared.", body = ComparedDays), Refused)
)]
pub(crate) async fn list_compared_days(
    _: FinanceCaller,
    app: Data<App>,
    query: Query<DaysQuery>,
) -> Result<Json<ComparedDays>, Error> {
    let (from, to) = parse_range(&query.from, &query.to, MAX_DAYS)?;
    let days = app
        .db
        .run(move |conn| {
            Ok::<_, Error>(
                reconciliations::table
                    .filter(reconciliations::day.between(from.to_string(), to.to_string()))
                    .order((reconciliations::day.desc(), reconciliations::network))
                    .select((
                        reconciliations::day,
                        reconciliations::network,
                        reconciliations::state,
                        reconciliations::listed,
                        reconciliations::agreed,
                        reconciliations::settled,
                        reconciliations::differences,
                        reconciliations::cause,
                        reconciliations::started_at,
                    ))
                    .load(conn)?,
            )
        })
        .await?;
    Ok(Json(ComparedDays { days }))
}

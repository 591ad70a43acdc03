//! The list of publishers: what became of the joins of each in a month, by brand; searched, sorted and in pages, because anyone can invent
//! publishers.

use std::collections::BTreeMap;

use actix_web::web::{Data, Json, Query};
use chrono::NaiveDate;
use diesel::{
    prelude::*,
    sql_types::{BigInt, Integer, Text},
};
use serde::{Deserialize, Serialize};
use service::{FinanceCaller, openapi::Refused};
use store::{DbConnection, on_each_backend};
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    publishers::counts::{KEPT_MONTHS, PublisherState, add_up_all, month_of},
    schema::held_publishers,
    subscribers::calendar,
};

/// Rows in one reply.
const PAGE: usize = 100;

/// What comes first.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PublisherSort {
    /// Names in alphabetical order.
    #[default]
    Name,
    /// The most tries.
    Tries,
    /// The largest share of held joins.
    Held,
    /// The largest share of subscriptions that ended within a day.
    Left,
    /// The largest share of refunds.
    Refunded,
}

/// Which publishers.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PublishersQuery {
    /// A month in Johannesburg, YYYY-MM; without, the month that runs.
    #[serde(default)]
    month: String,
    /// Only publishers whose name has this text.
    #[serde(default)]
    q: String,
    /// Only joins of this service.
    #[serde(default)]
    svc_id: i32,
    /// Only publishers that are held now, also those without joins in the month.
    #[serde(default)]
    held: bool,
    #[serde(default)]
    #[param(inline)]
    sort: PublisherSort,
    /// `next` of the page before.
    #[serde(default)]
    offset: u32,
}

/// A publisher's joins of one brand in a month.
#[derive(QueryableByName, Serialize, ToSchema)]
pub(crate) struct BrandJoins {
    /// Empty: visitors who came by themselves.
    #[diesel(sql_type = Text)]
    ext_ref: String,
    /// 0: counted before brands were, or held without a join in the month.
    #[diesel(sql_type = Integer)]
    svc_id: i32,
    /// Joins of persons and held ones; a person who was held at first and typed the code counts once.
    #[diesel(sql_type = BigInt)]
    tries: i64,
    /// Joins that went to the network's page.
    #[diesel(sql_type = BigInt)]
    passed: i64,
    #[diesel(sql_type = BigInt)]
    held: i64,
    /// Held joins whose visitor had to type a code.
    #[diesel(sql_type = BigInt)]
    codes: i64,
    /// Of these, the joins that went on with it.
    #[diesel(sql_type = BigInt)]
    passed_by_code: i64,
    /// Joins that the network confirmed.
    #[diesel(sql_type = BigInt)]
    confirmed: i64,
    /// Subscriptions that ended within 24 hours, at their subscriber's request.
    #[diesel(sql_type = BigInt)]
    left_early: i64,
    /// Charges that staff gave back.
    #[diesel(sql_type = BigInt)]
    refunded: i64,
    /// Held joins as a part of the tries, in hundredths of a percent; who typed the code is none of them.
    #[diesel(sql_type = BigInt)]
    held_basis_points: i64,
    /// Early ends as a part of the confirmed joins.
    #[diesel(sql_type = BigInt)]
    left_basis_points: i64,
    /// Refunds as a part of the confirmed joins.
    #[diesel(sql_type = BigInt)]
    refunded_basis_points: i64,
}

/// A publisher's joins of one brand, and whether it is held.
#[derive(Serialize, ToSchema)]
pub(crate) struct ListedPublisher {
    #[serde(flatten)]
    joins: BrandJoins,
    /// The brand's service; empty for one that brands.toml no longer has.
    service: String,
    /// Absent where the publisher was never held.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    hold: Option<PublisherState>,
}

/// A brand's service.
#[derive(Serialize, ToSchema)]
pub(crate) struct PublisherService {
    svc_id: i32,
    service: String,
}

/// A page of the publishers of a month.
#[derive(Serialize, ToSchema)]
pub(crate) struct Publishers {
    month: String,
    /// The month that runs.
    this_month: String,
    /// How many months counts and held joins are kept.
    kept_months: u32,
    /// Whether joins are held here; else they are only counted (`JOIN_SIGNALS`).
    is_enforced: bool,
    services: Vec<PublisherService>,
    publishers: Vec<ListedPublisher>,
    /// `offset` of the next page; null on the last one.
    #[schema(required = true)]
    next: Option<u32>,
}

/// The month's counts of each publisher and brand, and those of publishers that are held without any. A publisher that is held altogether
/// demands no code.
const COUNTS: &str = "WITH days AS ( \
    SELECT ext_ref, svc_id, event, joins FROM publisher_days WHERE day >= $1 AND day < $2 UNION ALL \
    SELECT ext_ref, 0, '', 0 FROM held_publishers WHERE state = 'held' AND NOT EXISTS (SELECT 1 FROM publisher_days AS known \
    WHERE known.ext_ref = held_publishers.ext_ref AND known.day >= $1 AND known.day < $2)), \
    counted AS (SELECT ext_ref, svc_id, \
    CAST(SUM(CASE WHEN event = 'passed' THEN joins ELSE 0 END) AS BIGINT) AS passed, \
    CAST(SUM(CASE WHEN event = 'passed_by_code' THEN joins ELSE 0 END) AS BIGINT) AS passed_by_code, \
    CAST(SUM(CASE WHEN event LIKE 'held:%' THEN joins ELSE 0 END) AS BIGINT) AS held, \
    CAST(SUM(CASE WHEN event LIKE 'held:%' AND event <> 'held:publisher_held' THEN joins ELSE 0 END) AS BIGINT) AS codes, \
    CAST(SUM(CASE WHEN event = 'confirmed' THEN joins ELSE 0 END) AS BIGINT) AS confirmed, \
    CAST(SUM(CASE WHEN event = 'left_early' THEN joins ELSE 0 END) AS BIGINT) AS left_early, \
    CAST(SUM(CASE WHEN event = 'refunded' THEN joins ELSE 0 END) AS BIGINT) AS refunded \
    FROM days WHERE LOWER(ext_ref) LIKE $3 ESCAPE '!' AND ($4 = 0 OR svc_id = $4) GROUP BY ext_ref, svc_id), \
    tried AS (SELECT counted.*, passed + CASE WHEN held > passed_by_code THEN held - passed_by_code ELSE 0 END AS tries FROM counted), \
    rated AS (SELECT tried.*, \
    CASE WHEN tries > 0 THEN (tries - passed) * 10000 / tries ELSE 0 END AS held_basis_points, \
    CASE WHEN confirmed > 0 THEN left_early * 10000 / confirmed ELSE 0 END AS left_basis_points, \
    CASE WHEN confirmed > 0 THEN refunded * 10000 / confirmed ELSE 0 END AS refunded_basis_points FROM tried) \
    SELECT * FROM rated WHERE ($5 = 0 OR ext_ref IN (SELECT ext_ref FROM held_publishers WHERE state = 'held'))";

impl PublisherSort {
    /// Ends in what makes the order of pages certain.
    const fn order(self) -> &'static str {
        match self {
            Self::Name => "ext_ref, svc_id",
            Self::Tries => "tries DESC, ext_ref, svc_id",
            Self::Held => "held_basis_points DESC, held DESC, ext_ref, svc_id",
            Self::Left => "left_basis_points DESC, left_early DESC, ext_ref, svc_id",
            Self::Refunded => "refunded_basis_points DESC, refunded DESC, ext_ref, svc_id",
        }
    }
}

/// A pattern of `LIKE` for texts that contain this one, in any case.
fn pattern_of(text: &str) -> String {
    let mut pattern = String::from("%");
    for letter in text.trim().to_lowercase().chars() {
        if matches!(letter, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(letter);
    }
    pattern.push('%');
    pattern
}

impl BrandJoins {
    /// A page, and a row more where another page follows.
    fn page(
        conn: &mut DbConnection,
        (first, next): (NaiveDate, NaiveDate),
        query: &PublishersQuery,
    ) -> Result<Vec<Self>, Error> {
        let text = format!("{COUNTS} ORDER BY {} LIMIT $6 OFFSET $7", query.sort.order());
        Ok(on_each_backend!(conn, conn => diesel::sql_query(text)
            .bind::<Text, _>(first.to_string())
            .bind::<Text, _>(next.to_string())
            .bind::<Text, _>(pattern_of(&query.q))
            .bind::<Integer, _>(query.svc_id)
            .bind::<Integer, _>(i32::from(query.held))
            .bind::<BigInt, _>(i64::try_from(PAGE + 1).unwrap_or(i64::MAX))
            .bind::<BigInt, _>(i64::from(query.offset))
            .load::<Self>(conn))?)
    }
}

/// What became of the joins of each publisher and brand in a month.
#[utoipa::path(
    get,
    path = "",
    params(PublishersQuery),
    responses((status = 200, description = "Publishers with joins in the month, and those that are held.", body = Publishers), Refused)
)]
pub(crate) async fn list_publishers(
    _: FinanceCaller,
    app: Data<App>,
    query: Query<PublishersQuery>,
) -> Result<Json<Publishers>, Error> {
    let mut query = query.into_inner();
    let this_month = calendar::day_of(app.clock.now()).format("%Y-%m").to_string();
    if query.month.is_empty() {
        query.month.clone_from(&this_month);
    }
    let days = month_of(&query.month)?;
    add_up_all(&app.db).await?;
    let (month, offset) = (query.month.clone(), query.offset);
    let read = app.db.run(move |conn| {
        let rows = BrandJoins::page(conn, days, &query)?;
        let holds = held_publishers::table.filter(held_publishers::ext_ref.eq_any(rows.iter().map(|row| &row.ext_ref)));
        let holds = holds.select((held_publishers::ext_ref, PublisherState::as_select())).load(conn)?;
        Ok::<_, Error>((rows, holds.into_iter().collect()))
    });
    let (mut rows, holds): (_, BTreeMap<String, PublisherState>) = read.await?;
    let next = (rows.len() > PAGE).then(|| offset.saturating_add(u32::try_from(PAGE).unwrap_or(u32::MAX)));
    rows.truncate(PAGE);
    let services = app.brands.iter().map(|brand| (brand.svc_id, brand.service.clone()));
    // Two labels of one service are one.
    let services: BTreeMap<_, _> = services.collect();
    Ok(Json(Publishers {
        month,
        this_month,
        kept_months: KEPT_MONTHS,
        is_enforced: app.fraud.is_required(),
        publishers: rows
            .into_iter()
            .map(|joins| ListedPublisher {
                service: services.get(&joins.svc_id).cloned().unwrap_or_default(),
                hold: holds.get(&joins.ext_ref).cloned(),
                joins,
            })
            .collect(),
        services: services.into_iter().map(|(svc_id, service)| PublisherService { svc_id, service }).collect(),
        next,
    }))
}

#[cfg(test)]
mod tests {
    use super::pattern_of;

    #[test]
    fn pattern_has_no_wildcard_of_the_text() {
        assert_eq!(pattern_of(""), "%%");
        assert_eq!(pattern_of(" Ad_50%! "), "%ad!_50!%!!%");
    }
}

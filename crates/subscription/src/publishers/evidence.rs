//! The report about one publisher in a month: what became of its joins, and each that was held.

use actix_web::{
    HttpResponse,
    web::{Data, Query},
};
use chrono::{NaiveDate, NaiveDateTime};
use diesel::{prelude::*, sql_types::Text};
use serde::{Deserialize, Serialize};
use service::{FinanceCaller, openapi::Refused};
use store::{DbConnection, on_each_backend};
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    publishers::counts::{CountRow, PublisherCounts, PublisherState, add_up_all, month_of},
    schema::held_joins,
    subscribers::calendar,
};

/// The most held joins in one report.
const MAX_EVIDENCE: i64 = 20_000;

/// Which publisher's month, and how it is written.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EvidenceQuery {
    /// The campaign.
    ext_ref: String,
    /// A month in Johannesburg, YYYY-MM.
    month: String,
    /// `json` or `csv`.
    #[serde(default)]
    format: String,
}

/// One publisher.
#[derive(Serialize, ToSchema)]
pub(crate) struct Publisher {
    /// Empty: visitors who came by themselves.
    ext_ref: String,
    #[serde(flatten)]
    counts: PublisherCounts,
    /// Absent where the publisher was never held.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    hold: Option<PublisherState>,
}

/// A join that was held.
#[derive(Queryable, Serialize, ToSchema)]
pub(crate) struct HeldJoin {
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    at: NaiveDateTime,
    #[schema(value_type = service::schema::ServiceId)]
    svc_id: i32,
    rule: String,
    /// Masked; empty for a tap on the link by which a network recognises the SIM.
    number: String,
}

/// What is held against a publisher in a month.
#[derive(Serialize, ToSchema)]
pub(crate) struct Evidence {
    month: String,
    #[serde(flatten)]
    publisher: Publisher,
    /// Oldest first.
    held_joins: Vec<HeldJoin>,
    /// Whether the month has more held joins than one report shows.
    is_truncated: bool,
}

/// The counts of a publisher in a month, over all brands.
fn counts_of(
    conn: &mut DbConnection,
    (first, next): (NaiveDate, NaiveDate),
    ext_ref: &str,
) -> Result<PublisherCounts, Error> {
    let rows: Vec<CountRow> = on_each_backend!(conn, conn => diesel::sql_query(
        "SELECT event, CAST(SUM(joins) AS BIGINT) AS joins FROM publisher_days WHERE ext_ref = $1 AND day >= $2 AND day < $3 \
         GROUP BY event",
    )
    .bind::<Text, _>(ext_ref)
    .bind::<Text, _>(first.to_string())
    .bind::<Text, _>(next.to_string())
    .load::<CountRow>(conn))?;
    let mut counts = PublisherCounts::default();
    rows.iter().for_each(|row| counts.add(&row.event, row.joins));
    Ok(counts)
}

/// The evidence against one publisher in a month: counts, and each held join with its time, its rule and a masked number.
#[utoipa::path(
    get,
    path = "",
    params(EvidenceQuery),
    responses(
        (status = 200, description = "The report; with `format=csv` its held joins, a line each.", body = Evidence), Refused
    )
)]
pub(crate) async fn get_evidence(
    _: FinanceCaller,
    app: Data<App>,
    query: Query<EvidenceQuery>,
) -> Result<HttpResponse, Error> {
    let EvidenceQuery { ext_ref, month, format } = query.into_inner();
    let days = month_of(&month)?;
    add_up_all(&app.db).await?;
    let evidence = app.db.run(move |conn| evidence_of(conn, month, days, &ext_ref)).await?;
    if format != "csv" {
        return Ok(HttpResponse::Ok().json(evidence));
    }
    let lines = evidence.held_joins.into_iter().map(|join| {
        let at = join.at.format(service::timestamp::FORMAT).to_string();
        [at, join.svc_id.to_string(), join.rule, join.number]
    });
    // No field begins with a formula: times, ids, our own words and masked numbers.
    let csv = service::csv_rows(&["at", "svc_id", "rule", "number"], lines);
    Ok(HttpResponse::Ok().content_type("text/csv; charset=utf-8").body(csv))
}

fn evidence_of(
    conn: &mut DbConnection,
    month: String,
    days: (NaiveDate, NaiveDate),
    ext_ref: &str,
) -> Result<Evidence, Error> {
    let (counts, hold) = (counts_of(conn, days, ext_ref)?, PublisherState::of(conn, ext_ref)?);
    let publisher = Publisher { ext_ref: ext_ref.to_owned(), counts, hold };
    let (first, next) = days;
    let midnight = |day| calendar::moment(day, chrono::NaiveTime::MIN).ok_or(Error::BadDay);
    let mut held_joins: Vec<HeldJoin> = held_joins::table
        .filter(held_joins::ext_ref.eq(ext_ref))
        .filter(held_joins::at.ge(midnight(first)?).and(held_joins::at.lt(midnight(next)?)))
        .order((held_joins::at, held_joins::id))
        .limit(MAX_EVIDENCE + 1)
        .select((held_joins::at, held_joins::svc_id, held_joins::rule, held_joins::masked))
        .load(conn)?;
    let most = usize::try_from(MAX_EVIDENCE).unwrap_or(usize::MAX);
    let is_truncated = held_joins.len() > most;
    held_joins.truncate(most);
    Ok(Evidence { month, publisher, held_joins, is_truncated })
}

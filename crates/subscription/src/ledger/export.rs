//! `GET /internal/ledger?day=`: a day of the ledger as streamed CSV.

use actix_web::{
    HttpResponse,
    web::{Bytes, Data, Query},
};
use chrono::{NaiveDate, NaiveDateTime};
use diesel::prelude::*;
use futures_util::{StreamExt, stream};
use serde::Deserialize;
use service::{Admin, openapi::Refused};
use store::{Db, DbConnection};

use crate::{
    App,
    error::Error,
    schema::{ledger, subscriptions},
};

/// The header line.
const HEADER: &[u8] = b"id,subscription_id,msisdn,svc_id,day,kind,cents,status,key,network_ref,at\n";

/// Rows read in one query.
const PAGE: i64 = 2000;

/// Which day.
#[derive(Deserialize)]
pub(crate) struct DayQuery {
    day: String,
}

/// Parses the calendar day of a request.
pub(crate) fn parse_day(text: &str) -> Result<NaiveDate, Error> {
    text.parse().map_err(|_| Error::BadDay)
}

/// A day of the ledger, a line per row.
#[utoipa::path(
    get,
    path = "",
    params(("day" = String, Query, description = "Johannesburg's calendar day, YYYY-MM-DD.")),
    responses((status = 200, description = "The day's charges and refunds.", body = String, content_type = "text/csv"), Refused)
)]
pub(crate) async fn get_ledger(_: Admin, app: Data<App>, query: Query<DayQuery>) -> Result<HttpResponse, Error> {
    let day = parse_day(&query.day)?.to_string();
    // Read before the reply starts, so that a database error is a problem response and not a truncated file.
    let first = page(&app.db, &day, 0).await?;
    let start = Some((app.db.clone(), day, first));
    let rest = stream::try_unfold(start, |state| async move {
        let Some((db, day, (text, last))) = state else { return Ok::<_, Error>(None) };
        let next = match last {
            Some(after) => Some((db.clone(), day.clone(), page(&db, &day, after).await?)),
            None => None,
        };
        Ok(Some((Bytes::from(text), next)))
    });
    let header = stream::once(async { Ok(Bytes::from_static(HEADER)) });
    let lines = header.chain(rest);
    Ok(HttpResponse::Ok().content_type("text/csv; charset=utf-8").streaming(lines))
}

/// The lines after a row, and the last row's id if more may follow.
async fn page(db: &Db, day: &str, after: i64) -> Result<(Vec<u8>, Option<i64>), Error> {
    let day = day.to_owned();
    db.run(move |conn| read_page(conn, &day, after)).await
}

/// A line.
#[derive(Queryable, Selectable)]
#[diesel(table_name = ledger)]
struct Row {
    id: i64,
    subscription_id: i64,
    #[diesel(select_expression = subscriptions::msisdn)]
    msisdn: String,
    #[diesel(select_expression = subscriptions::svc_id)]
    svc_id: i32,
    day: String,
    kind: String,
    cents: i64,
    status: String,
    charge_key: String,
    network_ref: Option<String>,
    at: NaiveDateTime,
}

fn read_page(conn: &mut DbConnection, day: &str, after: i64) -> Result<(Vec<u8>, Option<i64>), Error> {
    let rows = ledger::table
        .inner_join(subscriptions::table)
        .filter(ledger::day.eq(day).and(ledger::id.gt(after)))
        .order(ledger::id)
        .limit(PAGE)
        .select(Row::as_select())
        .load(conn)?;
    let last = rows.last().map(|row| row.id).filter(|_| i64::try_from(rows.len()) == Ok(PAGE));
    let lines = rows.into_iter().map(|row| {
        let at = row.at.format(service::timestamp::FORMAT).to_string();
        [
            row.id.to_string(),
            row.subscription_id.to_string(),
            row.msisdn,
            row.svc_id.to_string(),
            row.day,
            row.kind,
            row.cents.to_string(),
            row.status,
            row.charge_key,
            row.network_ref.unwrap_or_default(),
            at,
        ]
    });
    Ok((service::csv_rows(&[], lines), last))
}

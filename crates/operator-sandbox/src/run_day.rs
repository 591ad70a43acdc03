//! `POST /run-day`: the network bills its push subscribers for a day, page by page, and tells of each.

use actix_web::web::Json;
use chrono::{NaiveDate, NaiveDateTime};
use serde::{Deserialize, Serialize};
use store::DbConnection;

use crate::{
    App,
    charges::parse_day,
    clock::{moment_of, start_of},
    error::Error,
    notifications::{self, Notice},
    push::{self, PushResult},
    subscriptions::{ACTIVE, Subscription},
};

/// Subscribers billed in one transaction.
const PAGE: i64 = 500;

/// Which day.
#[derive(Deserialize)]
pub(crate) struct RunDayRequest {
    day: String,
}

/// What was done for a day.
#[derive(Default, Serialize)]
pub(crate) struct Totals {
    day: String,
    /// Subscribers that the day had not been charged to before.
    due: u64,
    charged: u64,
    failed: u64,
}

/// Bills the subscriptions that run and had begun by the end of that day. One that was charged for it is not charged again,
/// the others are tried again.
pub(crate) async fn run_day(app: App, request: Json<RunDayRequest>) -> Result<Json<Totals>, Error> {
    let day = parse_day(&request.day)?;
    let before = start_of(day.succ_opt().ok_or(Error::BadDay)?);
    let networks = app.push_networks();
    let _turn = app.billing.lock().await;
    let mut totals = Totals { day: day.to_string(), ..Totals::default() };
    let mut after = 0;
    loop {
        let (inner, networks, at) = (app.clone(), networks.clone(), moment_of(&app.clock, day));
        let page = move |conn: &mut DbConnection| {
            let subscribers = Subscription::page_of_networks(conn, &networks, before, after, PAGE)?;
            bill_page(&inner, conn, subscribers, day, at)
        };
        let Some((last, charged, failed)) = app.db.write(page).await? else { break };
        after = last;
        totals.charged += charged;
        totals.failed += failed;
        app.wake.notify_one();
    }
    totals.due = totals.charged + totals.failed;
    let Totals { charged, failed, .. } = totals;
    tracing::info!(billing.day = %day, billing.charged = charged, billing.failed = failed, "{charged} push subscribers charged for {day}, {failed} not");
    Ok(Json(totals))
}

/// The last id looked at, and how many were charged and not charged; nothing where the page is empty.
fn bill_page(
    app: &App,
    conn: &mut DbConnection,
    mut subscribers: Vec<Subscription>,
    day: NaiveDate,
    at: NaiveDateTime,
) -> Result<Option<(i64, u64, u64)>, Error> {
    let Some(last) = subscribers.last().map(|one| one.id) else { return Ok(None) };
    let (mut charged, mut failed) = (0, 0);
    let mut notices: Vec<Notice> = Vec::new();
    let billed = push::bill(app, conn, &mut subscribers, day, at)?;
    for (subscriber, billed) in subscribers.iter().zip(billed) {
        let events = match billed {
            PushResult::Before => continue,
            PushResult::Charged(events) => {
                charged += 1;
                events
            }
            PushResult::Unpaid(events) => {
                failed += 1;
                events
            }
            PushResult::Not => {
                failed += 1;
                continue;
            }
        };
        let state = notifications::body(&subscriber.event(ACTIVE, at))?;
        notices.extend(push::notices(subscriber, state, events));
    }
    notifications::put(conn, &notices)?;
    Ok(Some((last, charged, failed)))
}

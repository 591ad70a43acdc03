//! The list of payments.

use actix_web::{HttpRequest, HttpResponse, web::Query};
use chrono::{DateTime, Utc};
use operator::camara::PaymentStatus;
use serde::Deserialize;
use serde_json::json;

use crate::{
    App,
    camara::{Attempt, Refusal, Reply, State, reply, without_charges},
    charge_rows::{Charge, Listed},
    charges,
    misbehaviour::ListFault,
};

/// The most payments of a page, whatever is requested.
const MAX_PER_PAGE: i64 = 500;

/// Which payments, and which page of them.
#[derive(Deserialize)]
pub(crate) struct ListQuery {
    page: Option<i64>,
    #[serde(rename = "perPage")]
    per_page: Option<i64>,
    #[serde(rename = "paymentCreationDate.gte")]
    from: Option<DateTime<Utc>>,
    #[serde(rename = "paymentCreationDate.lte")]
    until: Option<DateTime<Utc>>,
    order: Option<String>,
    #[serde(rename = "paymentStatus")]
    status: Option<PaymentStatus>,
}

/// `GET /payments`: charges, and after them (as the newer ones) the payments that are none.
pub(crate) async fn list_payments(app: App, req: HttpRequest, query: Query<ListQuery>) -> HttpResponse {
    reply(list(&app, &req, query.into_inner()).await)
}

async fn list(app: &App, req: &HttpRequest, query: ListQuery) -> Reply {
    let networks = app.payments.access(req)?;
    let (mut listed, mut list_faults, mut misbehaviours) = (Listed::default(), Vec::new(), Vec::new());
    for network in networks.iter() {
        list_faults.extend(charges::begin_list(app, Some(network)).await?);
        listed.extend(app.listed(Some(network)));
        misbehaviours.push((network.clone(), app.misbehaviours.of(network)));
    }
    if let Some(garbled) = misbehaviours.iter().find_map(|(_, one)| one.garbled_reply()) {
        return Ok(garbled);
    }
    let page = if list_faults.contains(&ListFault::Endless) { 1 } else { query.page.unwrap_or(1) };
    let per_page = query.per_page.unwrap_or(10).min(MAX_PER_PAGE);
    if page < 1 || per_page < 1 || query.order.as_deref().is_some_and(|order| !["asc", "desc"].contains(&order)) {
        return Err(Refusal::invalid());
    }
    let from = query.from.map_or(DateTime::UNIX_EPOCH.naive_utc(), |at| at.naive_utc());
    let until = query.until.map_or_else(|| app.clock.now(), |at| at.naive_utc());
    let is_shown = |status| query.status.is_none_or(|requested| requested == status);
    let (skip, is_oldest_first) = ((page - 1).saturating_mul(per_page), query.order.as_deref() == Some("asc"));
    let (charges, total_charges) = if is_shown(PaymentStatus::Succeeded) {
        let listed = listed.clone();
        let find = move |conn: &mut store::DbConnection| {
            Charge::created_between(conn, (from, until), &listed, is_oldest_first, (skip, per_page))
        };
        app.db.run(find).await?
    } else {
        (Vec::new(), 0)
    };
    let of_time = app.payments.attempts.iter().map(|(_, attempt)| attempt).filter(|attempt| {
        listed.services.contains(&attempt.request.svc_id) && (from..=until).contains(&attempt.created_at)
    });
    let mut open: Vec<(Attempt, PaymentStatus)> = without_charges(app, of_time.collect())
        .await?
        .into_iter()
        .map(|attempt| {
            let status = match attempt.state {
                State::Reserved => PaymentStatus::Reserved,
                State::Cancelled => PaymentStatus::Cancelled,
                State::Denied => PaymentStatus::Denied,
                State::Made => PaymentStatus::Processing,
            };
            (attempt, status)
        })
        .filter(|(_, status)| is_shown(*status))
        .collect();
    open.sort_by_key(|(attempt, _)| attempt.order);
    let total = total_charges + i64::try_from(open.len()).unwrap_or_default();
    let now = app.clock.now();
    let mut rows = Vec::with_capacity(charges.len());
    for charge in charges {
        let network = app.brand(charge.svc_id)?.0.network.clone();
        let misbehaviour = app.misbehaviours.of(&network);
        let reported = misbehaviour.charge_reply(&charge.reply(), now);
        let attempt = app.payments.made(&charge.key).unwrap_or_else(|| Attempt::of(charge));
        rows.push(attempt.of_charge(&reported)?);
    }
    let left = usize::try_from(per_page).unwrap_or_default().saturating_sub(rows.len());
    let skip_open = usize::try_from((skip - total_charges).max(0)).unwrap_or_default();
    for (attempt, status) in open.into_iter().skip(skip_open).take(left) {
        rows.push(crate::notifications::body(&attempt.payment(status))?);
    }
    if list_faults.contains(&ListFault::BadRow) && skip == 0 {
        rows.push(
            json!({"paymentId": "pay-1", "amountTransaction": {"phoneNumber": "+27830000001"}, "paymentStatus": 7}),
        );
    }
    let total = if list_faults.contains(&ListFault::Endless) { i64::MAX } else { total };
    Ok(HttpResponse::Ok().insert_header(("x-total-count", total.to_string())).json(rows))
}

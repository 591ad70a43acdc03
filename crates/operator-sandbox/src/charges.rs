//! Charges: those that this network made, and those that it refused; one charge at most per key.

use std::{sync::Arc, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header,
    web::{Json, Path, Query},
};
use brands::{Adapter, Brand, Confirmation, Shape};
use chrono::NaiveDate;
use operator::{ChargeRequest, ChargeStatus, ListedCharge};
use serde::Deserialize;
use serde_json::json;
use service::Page;

use crate::{
    App,
    behaviour::Behaviour,
    charge_batcher::ChargeResult,
    charge_rows::{Charge, Listed},
    error::Error,
    failures::Failure,
    misbehaviour::{ListFault, Misbehaviour, set},
    notifications,
};

/// How long a charge is left without an answer: longer than any client waits.
const NO_ANSWER: Duration = Duration::from_secs(60);

/// The most charges of a page.
pub(crate) const MAX_LISTED: i64 = 10_000;

/// Which day, and which page of it.
#[derive(Deserialize)]
pub(crate) struct ListQuery {
    day: String,
    limit: Option<i64>,
    after: Option<i64>,
    /// Only this network's charges; absent means all networks'.
    network: Option<String>,
}

/// Charges a person, once per key.
pub(crate) async fn charge(app: App, request: Json<ChargeRequest>) -> Result<HttpResponse, Error> {
    let (charge, misbehaviour) = make(&app, request.into_inner()).await?;
    misbehaviour.garbled_reply().map_or_else(|| Ok(HttpResponse::Ok().json(misbehaviour.charge_json(&charge)?)), Ok)
}

/// What became of the charge of a key.
pub(crate) async fn get_charge(app: App, key: Path<String>) -> Result<HttpResponse, Error> {
    let (charge, misbehaviour) = status(&app, key.into_inner()).await?;
    misbehaviour.garbled_reply().map_or_else(|| Ok(HttpResponse::Ok().json(misbehaviour.charge_json(&charge)?)), Ok)
}

/// Makes a charge, once per key; the reply about it, as its network tells it.
pub(crate) async fn make(app: &App, request: ChargeRequest) -> Result<(operator::Charge, Arc<Misbehaviour>), Error> {
    let (brand, misbehaviour) = begin(app, &request).await?;
    let (key, msisdn) = (request.key.clone(), request.msisdn.clone());
    // Where persons confirm by SMS, the network keeps no subscriptions.
    let by_sms = app.brands.network_of(&brand).filter(|network| network.opt_in == Confirmation::Sms);
    let unsubscribed_at = by_sms.map(|_| brand.network.clone());
    let refusal = misbehaviour.refusal_of(&msisdn);
    let result = app.charge_batcher.submit(request, app.called.clone(), refusal, unsubscribed_at).await?;
    if misbehaviour.charge_delay_ms > 0 {
        app.keep_waiting(Duration::from_millis(misbehaviour.charge_delay_ms.into())).await;
    }
    match result {
        ChargeResult::Replied(charge) => {
            let reply = misbehaviour.charge_reply(&charge, app.clock.now());
            if reply.outcome == ChargeStatus::Accepted {
                let adapter = app.adapter(&brand.network)?;
                let network_ref = match adapter {
                    Adapter::Camara => Some(app.payments.id_of_charge(&key)),
                    _ => charge.network_ref.clone(),
                };
                let charge = operator::Charge { network_ref, ..charge };
                let notice = misbehaviour.result_notice((&brand.network, adapter), &msisdn, &charge)?;
                app.db.write(move |conn| notifications::put(conn, &[notice])).await?;
            }
            Ok((reply, misbehaviour))
        }
        ChargeResult::ReplyLost => Err(Error::Hung),
        ChargeResult::Busy => Err(Error::Busy),
        ChargeResult::KeyUsed => Err(Error::KeyUsed),
    }
}

/// Begins a call for a charge: its network, or the number, may leave it without an answer.
pub(crate) async fn begin(app: &App, request: &ChargeRequest) -> Result<(Arc<Brand>, Arc<Misbehaviour>), Error> {
    let (brand, _) = check(app, request)?;
    app.misbehaviours.remember(&request.key, &brand.network);
    let misbehaviour = app.begin_call(request.svc_id).await?;
    app.misbehaviours.begin_charge(&brand.network)?;
    if Behaviour::of(&request.msisdn) == Behaviour::NoAnswer {
        app.keep_waiting(NO_ANSWER).await;
        return Err(Error::Hung);
    }
    Ok((brand, misbehaviour))
}

/// What became of the charge of a key, as its network tells it.
pub(crate) async fn status(app: &App, key: String) -> Result<(operator::Charge, Arc<Misbehaviour>), Error> {
    let key = Some(key).filter(|key| is_key(key)).ok_or(Error::UnknownCharge)?;
    let requested_network = app.misbehaviours.network_of_key(&key);
    let called = app.called.clone();
    let found = app
        .db
        .run(move |conn| match Charge::of_keys(conn, called.as_deref(), &[&key])?.remove(&key) {
            Some(charge) => Ok(Some(charge.reply())),
            None => {
                Ok::<_, Error>(Failure::of_keys(conn, &[&key])?.remove(&key).and_then(|failure| failure.reply(key)))
            }
        })
        .await?;
    let charged_by = found.as_ref().and_then(|charge| app.network_of(charge.svc_id?));
    let network = charged_by.or_else(|| app.called.as_deref().map(str::to_owned)).or(requested_network);
    app.misbehaviours.begin_call(network.as_deref()).await?;
    if app.misbehaviours.of_call(network.as_deref()).iter().any(|one| one.forget_charges) {
        return Err(Error::UnknownCharge);
    }
    let misbehaviour = network.map(|network| app.misbehaviours.of(&network)).unwrap_or_default();
    Ok((misbehaviour.charge_reply(&found.ok_or(Error::UnknownCharge)?, app.clock.now()), misbehaviour))
}

/// What was charged for a day: all of it, or with `limit` a page.
pub(crate) async fn list_charges(app: App, query: Query<ListQuery>, req: HttpRequest) -> Result<HttpResponse, Error> {
    let ListQuery { day, limit, after, network } = query.into_inner();
    let day = parse_day(&day)?.to_string();
    if limit.is_some_and(|limit| !(1..=MAX_LISTED).contains(&limit)) {
        return Err(Error::BadLimit);
    }
    if network.as_ref().is_some_and(|network| app.brands.network(network).is_none()) {
        return Err(Error::UnknownNetwork);
    }
    let faults = begin_list(&app, network.as_deref().or(app.called.as_deref())).await?;
    let listed = app.listed(network.as_deref());
    let mut address = format!("{}{}?day={day}", app.prefix(), req.path());
    if let Some(network) = network {
        address.push_str(&format!("&network={network}"));
    }
    let page = Page { limit: limit.unwrap_or(i64::MAX - 1), after: after.unwrap_or(0).max(0) };
    let (rows, last) = page_of_day(&app, day, listed, page).await?;
    let mut reply = HttpResponse::Ok();
    if faults.contains(&ListFault::Endless) {
        reply.insert_header((header::LINK, format!("<{}{}>; rel=\"next\"", app.prefix(), req.uri())));
    } else if let Some(last) = last {
        reply.insert_header((header::LINK, page.next_link(&address, last)));
    }
    let mut rows = rows.iter().map(notifications::body).collect::<Result<Vec<_>, _>>()?;
    if let (true, Some(mut second)) = (faults.contains(&ListFault::Twice), rows.last().cloned()) {
        set(&mut second, "at", json!("2000-01-01 00:00:00"));
        rows.push(second);
    }
    if !faults.contains(&ListFault::BadRow) {
        return Ok(reply.json(rows));
    }
    rows.push(json!({"msisdn": "27830000001", "svc_id": "none", "cents": "three hundred", "key": null, "day": "soon"}));
    Ok(reply.json(rows))
}

/// Begins a call for a list of one network or of all; what is wrong with the list.
pub(crate) async fn begin_list(app: &App, network: Option<&str>) -> Result<Vec<ListFault>, Error> {
    app.misbehaviours.begin_call(network).await?;
    let faults: Vec<ListFault> = app.misbehaviours.of_call(network).iter().filter_map(|one| one.list).collect();
    if faults.contains(&ListFault::Error) { Err(Error::FailedOnPurpose) } else { Ok(faults) }
}

/// A page of a day's charges of some networks, and its last id where another page follows.
pub(crate) async fn page_of_day(
    app: &App,
    day: String,
    listed: Listed,
    page: Page,
) -> Result<(Vec<ListedCharge>, Option<i64>), Error> {
    let (after, fetch) = (page.after, page.fetch());
    let mut charges = app.db.run(move |conn| Charge::of_day(conn, &day, &listed, after, fetch)).await?;
    let last = page.cut(&mut charges, |charge| charge.id);
    Ok((charges.into_iter().map(Charge::listed).collect(), last))
}

/// A calendar day of a request.
pub(crate) fn parse_day(text: &str) -> Result<NaiveDate, Error> {
    // The one spelling: a day is compared as text.
    text.parse::<NaiveDate>().ok().filter(|day| day.to_string() == text).ok_or(Error::BadDay)
}

/// Whether this can be the key of a charge or a refund; nothing else is looked up in the database.
pub(crate) fn is_key(key: &str) -> bool {
    (1..=128).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic())
}

fn check(app: &App, request: &ChargeRequest) -> Result<(Arc<Brand>, Shape), Error> {
    if !is_key(&request.key) {
        return Err(Error::BadKey);
    }
    // Whether a subscription has this number is looked up later.
    let has_tokens = app.network_of(request.svc_id).is_some_and(|network| app.brands.has_tokens(&network));
    let is_number = !request.msisdn.is_empty() && request.msisdn.bytes().all(|b| b.is_ascii_digit());
    if has_tokens {
        app.named(request.svc_id, &request.msisdn)?;
    } else if !is_number {
        return Err(Error::InvalidMsisdn);
    }
    let brand = app.brand(request.svc_id)?;
    parse_day(&request.day)?;
    if request.cents > 0 { Ok(brand) } else { Err(Error::BadAmount) }
}

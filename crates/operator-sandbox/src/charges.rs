//! Charges: those that this network made, and those that it refused; one charge at most per key.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header,
    web::{Json, Path, Query},
};
use brands::{Adapter, Brand, Confirmation, Shape};
use chrono::{NaiveDate, NaiveDateTime};
use diesel::prelude::*;
use operator::{ChargeRequest, ChargeStatus, ListedCharge};
use serde::Deserialize;
use serde_json::json;
use service::Page;
use store::DbConnection;

use crate::{
    App,
    app::Listed,
    behaviour::Behaviour,
    camara,
    charge_batcher::ChargeResult,
    error::Error,
    failures::Failure,
    misbehaviour::{ListFault, Misbehaviour},
    notifications,
    schema::charges,
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
    let result =
        app.charge_batcher.submit(request, app.called.clone(), misbehaviour.refuse_all, unsubscribed_at).await?;
    if misbehaviour.charge_delay_ms > 0 {
        tokio::time::sleep(Duration::from_millis(misbehaviour.charge_delay_ms.into())).await;
    }
    match result {
        ChargeResult::Replied(charge) => {
            let reply = misbehaviour.charge_reply(&charge, app.clock.now());
            if reply.outcome == ChargeStatus::Accepted {
                let adapter = app.adapter(&brand.network)?;
                let network_ref = match adapter {
                    Adapter::Camara => Some(camara::id_of_charge(app, &key)),
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
    if Behaviour::of(&request.msisdn) == Behaviour::NoAnswer {
        tokio::time::sleep(NO_ANSWER).await;
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
    if !faults.contains(&ListFault::BadRow) {
        return Ok(reply.json(rows));
    }
    let mut rows = rows.iter().map(notifications::body).collect::<Result<Vec<_>, _>>()?;
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

/// Makes PostgreSQL plan each statement until the transaction ends: it would otherwise keep a plan made for a small table, with a full
/// scan, as long as the connection lives.
pub(crate) fn force_custom_plan(conn: &mut DbConnection) -> Result<(), Error> {
    if let DbConnection::Postgres(conn) = conn {
        diesel::sql_query("SET LOCAL plan_cache_mode = force_custom_plan").execute(conn)?;
    }
    Ok(())
}

/// A charge that is new.
#[derive(Clone, Insertable)]
#[diesel(table_name = charges)]
pub(crate) struct NewCharge {
    pub charge_key: String,
    pub msisdn: String,
    pub svc_id: i32,
    pub cents: i64,
    /// Johannesburg's calendar day.
    pub day: String,
    pub at: NaiveDateTime,
    pub network: String,
}

impl NewCharge {
    /// A charge as requested, at the network of its subscription.
    pub fn of(request: &ChargeRequest, network: &str, at: NaiveDateTime) -> Self {
        let ChargeRequest { key, msisdn, svc_id, cents, day, .. } = request.clone();
        Self { charge_key: key, msisdn, svc_id, cents, day, at, network: network.to_owned() }
    }

    /// Inserts them, except charges with a key that was charged before.
    pub fn make(conn: &mut DbConnection, charges: &[Self]) -> Result<(), Error> {
        match conn {
            DbConnection::Postgres(conn) if !charges.is_empty() => {
                diesel::insert_into(charges::table).values(charges).on_conflict_do_nothing().execute(conn)?;
            }
            DbConnection::Postgres(_) => {}
            // One by one, which costs nothing within a process: SQLite takes no batch that may meet a known key.
            DbConnection::Sqlite(conn) => {
                for charge in charges {
                    diesel::insert_into(charges::table).values(charge).on_conflict_do_nothing().execute(conn)?;
                }
            }
        }
        Ok(())
    }
}

/// The condition of a list: the charges of its networks, and of its services those from before the network was kept.
macro_rules! is_listed {
    ($listed:expr) => {
        charges::network
            .eq_any(&$listed.networks)
            .or(charges::network.eq("").and(charges::svc_id.eq_any(&$listed.services)))
    };
}

/// One charge.
#[derive(Clone, Queryable)]
pub(crate) struct Charge {
    pub id: i64,
    pub key: String,
    pub msisdn: String,
    pub svc_id: i32,
    pub cents: i64,
    pub day: String,
    pub at: NaiveDateTime,
    network: String,
}

impl Charge {
    /// Those of these keys that were made, by the network that was called, or by any.
    pub fn of_keys(
        conn: &mut DbConnection,
        called: Option<&str>,
        keys: &[&str],
    ) -> Result<BTreeMap<String, Self>, Error> {
        let found: Vec<Self> = charges::table.filter(charges::charge_key.eq_any(keys)).load(conn)?;
        let found = found.into_iter().filter(|charge| called.is_none_or(|called| called == charge.network));
        Ok(found.map(|charge| (charge.key.clone(), charge)).collect())
    }

    fn of_day(conn: &mut DbConnection, day: &str, listed: &Listed, after: i64, limit: i64) -> Result<Vec<Self>, Error> {
        Ok(charges::table
            .filter(charges::day.eq(day).and(charges::id.gt(after)))
            .filter(is_listed!(listed))
            .order(charges::id)
            .limit(limit)
            .load(conn)?)
    }

    /// A page of those made between two times, oldest or newest first, and how many there are.
    pub fn created_between(
        conn: &mut DbConnection,
        (from, until): (NaiveDateTime, NaiveDateTime),
        listed: &Listed,
        is_oldest_first: bool,
        (skip, limit): (i64, i64),
    ) -> Result<(Vec<Self>, i64), Error> {
        let made = || charges::table.filter(charges::at.between(from, until).and(is_listed!(listed))).into_boxed();
        let total = made().count().get_result(conn)?;
        let ordered = if is_oldest_first {
            made().order((charges::at.asc(), charges::id.asc()))
        } else {
            made().order((charges::at.desc(), charges::id.desc()))
        };
        Ok((ordered.offset(skip).limit(limit).load(conn)?, total))
    }

    /// The request that it was made for.
    pub fn request(&self) -> ChargeRequest {
        ChargeRequest {
            key: self.key.clone(),
            msisdn: self.msisdn.clone(),
            svc_id: self.svc_id,
            cents: self.cents,
            day: self.day.clone(),
            network_subscription_id: None,
            network_ref: None,
            sent_at: None,
        }
    }

    /// The reply about it.
    pub fn reply(&self) -> operator::Charge {
        operator::Charge {
            key: self.key.clone(),
            outcome: ChargeStatus::Charged,
            msisdn: Some(self.msisdn.clone()),
            svc_id: Some(self.svc_id),
            cents: Some(self.cents),
            network_ref: Some(format!("charge-{}", self.id)),
            at: Some(self.at.and_utc()),
        }
    }

    fn listed(self) -> ListedCharge {
        let at = self.at.format(service::timestamp::FORMAT).to_string();
        ListedCharge {
            msisdn: self.msisdn,
            svc_id: self.svc_id,
            cents: self.cents,
            key: self.key,
            day: self.day,
            at,
            network_ref: None,
        }
    }
}

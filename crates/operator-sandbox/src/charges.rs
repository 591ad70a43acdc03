//! Charges: what this network has really taken from people, and what it would not; one charge at most per key.

use std::{collections::BTreeMap, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header,
    web::{Data, Json, Path, Query},
};
use chrono::{NaiveDate, NaiveDateTime};
use diesel::prelude::*;
use operator::{ChargeListed, ChargeRequest, ChargeStatus};
use serde::Deserialize;
use store::DbConnection;
use web::Page;

use crate::{App, behaviour::Behaviour, error::Error, failures::Failure, faults, schema::charges, till::Rung};

/// How long a silent number's charge is left without an answer: longer than anybody waits.
const SILENCE: Duration = Duration::from_secs(60);

/// The most charges of a page.
const MAX_LISTED: i64 = 10_000;

/// Which day, and which page of it.
#[derive(Deserialize)]
pub(crate) struct ListQuery {
    day: String,
    limit: Option<i64>,
    after: Option<i64>,
}

/// Charges a person, once per key.
pub(crate) async fn charge(app: Data<App>, request: Json<ChargeRequest>) -> Result<HttpResponse, Error> {
    let request = request.into_inner();
    check(&app, &request)?;
    if Behaviour::of(&request.msisdn) == Behaviour::Silent {
        tokio::time::sleep(SILENCE).await;
        return Ok(faults::cut());
    }
    match app.till.ring_up(request).await? {
        Rung::Told(charge) => Ok(HttpResponse::Ok().json(charge)),
        Rung::WordLost => Ok(faults::cut()),
        Rung::Busy => Ok(faults::unavailable().response()),
        Rung::KeyTaken => Err(Error::KeyTaken),
    }
}

/// What became of the charge of a key.
pub(crate) async fn get_charge(app: Data<App>, key: Path<String>) -> Result<Json<operator::Charge>, Error> {
    let key = Some(key.into_inner()).filter(|key| is_key(key)).ok_or(Error::UnknownCharge)?;
    let found = app
        .db
        .run(move |conn| match Charge::of_keys(conn, &[&key])?.remove(&key) {
            Some(charge) => Ok(Some(charge.told())),
            None => Ok::<_, Error>(Failure::of_keys(conn, &[&key])?.remove(&key).and_then(|failure| failure.told(key))),
        })
        .await?;
    found.map(Json).ok_or(Error::UnknownCharge)
}

/// What was charged for a day: all of it, or with `limit` a page.
pub(crate) async fn list_charges(
    app: Data<App>,
    query: Query<ListQuery>,
    req: HttpRequest,
) -> Result<HttpResponse, Error> {
    let day = parse_day(&query.day)?.to_string();
    let after = query.after.unwrap_or(0).max(0);
    let Some(limit) = query.limit else {
        let all = app.db.run(move |conn| Charge::of_day(conn, &day, after, i64::MAX)).await?;
        return Ok(HttpResponse::Ok().json(all.into_iter().map(Charge::listed).collect::<Vec<_>>()));
    };
    if !(1..=MAX_LISTED).contains(&limit) {
        return Err(Error::BadLimit);
    }
    let page = Page { limit, after };
    let address = format!("{}?day={day}", req.path());
    let mut charges = app.db.run(move |conn| Charge::of_day(conn, &day, after, page.fetch())).await?;
    let last = page.cut(&mut charges, |charge| charge.id);
    let mut reply = HttpResponse::Ok();
    if let Some(last) = last {
        reply.insert_header((header::LINK, page.next_link(&address, last)));
    }
    Ok(reply.json(charges.into_iter().map(Charge::listed).collect::<Vec<_>>()))
}

/// A calendar day of a request.
pub(crate) fn parse_day(text: &str) -> Result<NaiveDate, Error> {
    // The one spelling: a day is compared as text.
    text.parse::<NaiveDate>().ok().filter(|day| day.to_string() == text).ok_or(Error::BadDay)
}

/// Whether this can name a charge or a refund; a database need not be asked about anything else.
pub(crate) fn is_key(key: &str) -> bool {
    (1..=128).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic())
}

fn check(app: &App, request: &ChargeRequest) -> Result<(), Error> {
    if !is_key(&request.key) {
        return Err(Error::BadKey);
    }
    // Whether it is anybody's shows when its subscription is looked for.
    if request.msisdn.is_empty() || !request.msisdn.bytes().all(|b| b.is_ascii_digit()) {
        return Err(Error::InvalidMsisdn);
    }
    app.brand(request.svc_id)?;
    parse_day(&request.day)?;
    if request.cents > 0 { Ok(()) } else { Err(Error::BadAmount) }
}

/// Has PostgreSQL plan anew until the transaction ends: a plan it made while a table was small it would keep as long as the
/// connection lives, and walk through the whole table once that has grown.
pub(crate) fn plan_anew(conn: &mut DbConnection) -> Result<(), Error> {
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
}

impl NewCharge {
    /// As it is asked for.
    pub fn of(request: &ChargeRequest, at: NaiveDateTime) -> Self {
        let ChargeRequest { key, msisdn, svc_id, cents, day, .. } = request.clone();
        Self { charge_key: key, msisdn, svc_id, cents, day, at }
    }

    /// Makes them, but those whose key was charged before.
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

/// One charge.
#[derive(Clone, Queryable)]
pub(crate) struct Charge {
    pub id: i64,
    key: String,
    pub msisdn: String,
    pub svc_id: i32,
    pub cents: i64,
    pub day: String,
    at: NaiveDateTime,
}

impl Charge {
    /// Those of these keys that were made.
    pub fn of_keys(conn: &mut DbConnection, keys: &[&str]) -> Result<BTreeMap<String, Self>, Error> {
        let found: Vec<Self> = charges::table.filter(charges::charge_key.eq_any(keys)).load(conn)?;
        Ok(found.into_iter().map(|charge| (charge.key.clone(), charge)).collect())
    }

    fn of_day(conn: &mut DbConnection, day: &str, after: i64, limit: i64) -> Result<Vec<Self>, Error> {
        Ok(charges::table
            .filter(charges::day.eq(day).and(charges::id.gt(after)))
            .order(charges::id)
            .limit(limit)
            .load(conn)?)
    }

    /// What the other side is told of it.
    pub fn told(&self) -> operator::Charge {
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

    fn listed(self) -> ChargeListed {
        let at = self.at.format(web::timestamp::FORMAT).to_string();
        ChargeListed { msisdn: self.msisdn, svc_id: self.svc_id, cents: self.cents, key: self.key, day: self.day, at }
    }
}

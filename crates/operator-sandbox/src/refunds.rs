//! Refunds: what this network has given back of charges, once per key, and never more than a charge took.

use std::sync::Arc;

use actix_web::web::{Json, Query};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use operator::RefundRequest;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::DbConnection;

use crate::{
    App,
    behaviour::Behaviour,
    charge_rows::Charge,
    charges::{is_key, parse_day},
    error::Error,
    misbehaviour::{Misbehaviour, RefundFault},
    notifications,
    schema::{charges, refunds},
};

/// The longest reason that is kept, in characters.
const MAX_REASON: usize = 500;

/// Which day.
#[derive(Deserialize)]
pub(crate) struct DayQuery {
    day: String,
}

/// One refund.
#[derive(Queryable, Serialize)]
pub(crate) struct Refund {
    #[serde(skip)]
    id: i64,
    /// Names the refund.
    key: String,
    /// The charge that is given back.
    charge_key: String,
    msisdn: String,
    svc_id: i32,
    cents: i64,
    reason: String,
    /// The charge's day.
    day: String,
    #[serde(with = "service::timestamp")]
    at: NaiveDateTime,
}

/// Gives back a charge or a part of it, unless the network or the number refuses.
pub(crate) async fn refund(app: App, request: Json<RefundRequest>) -> Result<Json<Value>, Error> {
    let (refund, misbehaviour) = make(&app, request.into_inner()).await?;
    Ok(Json(misbehaviour.with_refs(notifications::body(&refund)?)))
}

/// Gives back a charge or a part of it, as its network tells it.
pub(crate) async fn make(
    app: &App,
    mut request: RefundRequest,
) -> Result<(operator::Refund, Arc<Misbehaviour>), Error> {
    if !is_key(&request.key) || !is_key(&request.charge_key) {
        return Err(Error::BadKey);
    }
    if request.cents <= 0 {
        return Err(Error::BadAmount);
    }
    if request.reason.chars().count() > MAX_REASON || request.reason.chars().any(char::is_control) {
        return Err(Error::BadReason);
    }
    let misbehaviour = app.begin_call(request.svc_id).await?;
    let refuses = Behaviour::of(&request.msisdn) == Behaviour::RefundRefused;
    match misbehaviour.refund {
        Some(RefundFault::Refuse) => return Err(Error::RefundRefused),
        _ if refuses => return Err(Error::RefundRefused),
        Some(RefundFault::Part) => request.cents = (request.cents / 3).max(1),
        None => {}
    }
    let now = app.clock.now();
    let called = app.called.clone();
    let made = app.db.write(move |conn| Refund::make(conn, called.as_deref(), &request, now)).await?;
    Ok((made.reply(), misbehaviour))
}

/// What was given back of a charge.
pub(crate) async fn of_charge(app: &App, charge_key: String) -> Result<Vec<operator::Refund>, Error> {
    let of_charge = move |conn: &mut DbConnection| {
        Ok::<Vec<Refund>, Error>(
            refunds::table.filter(refunds::charge_key.eq(charge_key)).order(refunds::id).load(conn)?,
        )
    };
    Ok(app.db.run(of_charge).await?.into_iter().map(Refund::reply).collect())
}

/// What was given back of a day's charges.
pub(crate) async fn list_refunds(app: App, query: Query<DayQuery>) -> Result<Json<Vec<Refund>>, Error> {
    let day = parse_day(&query.day)?.to_string();
    Ok(Json(app.db.run(move |conn| Refund::of_day(conn, &day)).await?))
}

impl Refund {
    /// The reply about it.
    fn reply(self) -> operator::Refund {
        operator::Refund {
            network_ref: Some(format!("refund-{}", self.id)),
            cents: Some(self.cents),
            key: self.key,
            at: Some(self.at.and_utc()),
        }
    }

    fn make(
        conn: &mut DbConnection,
        called: Option<&str>,
        request: &RefundRequest,
        now: NaiveDateTime,
    ) -> Result<Self, Error> {
        let charge = Charge::of_keys(conn, called, &[&request.charge_key])?.remove(&request.charge_key);
        let charge = charge.ok_or(Error::UnknownCharge)?;
        if (charge.msisdn.as_str(), charge.svc_id) != (request.msisdn.as_str(), request.svc_id) {
            return Err(Error::KeyUsed);
        }
        // Refunds of one charge take turns, so that together they never exceed it.
        if let DbConnection::Postgres(conn) = conn {
            charges::table.find(charge.id).for_update().select(charges::id).first::<i64>(conn)?;
        }
        if let Some(known) = Self::of_key(conn, &request.key)? {
            return if known.charge_key == request.charge_key { Ok(known) } else { Err(Error::KeyUsed) };
        }
        let before: Vec<i64> =
            refunds::table.filter(refunds::charge_key.eq(&request.charge_key)).select(refunds::cents).load(conn)?;
        if before.iter().sum::<i64>().saturating_add(request.cents) > charge.cents {
            return Err(Error::MoreThanCharged);
        }
        diesel::insert_into(refunds::table)
            .values((
                refunds::refund_key.eq(&request.key),
                refunds::charge_key.eq(&request.charge_key),
                refunds::msisdn.eq(&request.msisdn),
                refunds::svc_id.eq(request.svc_id),
                refunds::cents.eq(request.cents),
                refunds::reason.eq(&request.reason),
                refunds::day.eq(&charge.day),
                refunds::at.eq(now),
            ))
            .execute(conn)?;
        Self::of_key(conn, &request.key)?.ok_or(Error::UnknownCharge)
    }

    fn of_key(conn: &mut DbConnection, key: &str) -> Result<Option<Self>, Error> {
        Ok(refunds::table.filter(refunds::refund_key.eq(key)).first(conn).optional()?)
    }

    fn of_day(conn: &mut DbConnection, day: &str) -> Result<Vec<Self>, Error> {
        Ok(refunds::table.filter(refunds::day.eq(day)).order(refunds::id).load(conn)?)
    }
}

//! `POST /internal/refund`: a charge is given back by an entry of its own, and the network is told.

use actix_web::web::{Data, Json};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use operator::RefundRequest;
use serde::{Deserialize, Serialize};
use store::{DbConnection, on_each_backend};
use utoipa::ToSchema;
use web::{
    Admin,
    openapi::{Conflict, NotFound, Refused},
};

use super::ledger::{CHARGE, PENDING, REFUND, SETTLED};
use crate::{
    App, crash,
    error::Error,
    outbox,
    schema::{ledger, subscriptions},
};

/// The longest reason we keep, in characters.
const MAX_REASON: usize = 256;

/// Which charge, and why.
#[derive(Deserialize, ToSchema)]
pub(crate) struct GiveBack {
    ledger_id: i64,
    reason: String,
}

/// The entry that gives a charge back.
#[derive(Serialize, ToSchema)]
pub(crate) struct Refund {
    /// The entry's own id.
    pub id: i64,
    /// The charge it gives back.
    pub ledger_id: i64,
    pub key: String,
    pub cents: i64,
    /// "pending" until the network has done it, then "settled".
    pub status: String,
}

/// Gives a settled charge back, once.
#[utoipa::path(
    post,
    path = "",
    request_body = GiveBack,
    responses((status = 200, description = "The entry that gives it back.", body = Refund), NotFound, Conflict, Refused)
)]
pub(crate) async fn refund(_: Admin, app: Data<App>, request: Json<GiveBack>) -> Result<Json<Refund>, Error> {
    let GiveBack { ledger_id, reason } = request.into_inner();
    let reason = reason.trim().to_owned();
    if reason.is_empty() || reason.chars().count() > MAX_REASON || reason.chars().any(char::is_control) {
        return Err(Error::BadReason);
    }
    let now = app.clock.now();
    let refund = app.db.write(move |conn| give_back(conn, ledger_id, &reason, Told::Network, now)).await?;
    crash::point("refund.recorded");
    app.outbox_bell.notify_one();
    Ok(Json(refund))
}

/// Who must hear of a refund.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// The network took the money, and is to give it back.
    Network,
    /// Nobody: no money was taken, only our books said so.
    Nobody,
}

/// The name of a charge's refund.
pub(crate) fn refund_key(charge_key: &str) -> String {
    format!("refund-{charge_key}")
}

/// Enters a refund of a settled charge; one that was given back already answers the entry that did it.
pub(crate) fn give_back(
    conn: &mut DbConnection,
    charge_id: i64,
    reason: &str,
    told: Told,
    now: NaiveDateTime,
) -> Result<Refund, Error> {
    type Row = (i64, String, String, String, String, String, i64, String, i32);
    let charge: Option<Row> = ledger::table
        .inner_join(subscriptions::table)
        .filter(ledger::id.eq(charge_id))
        .select((
            ledger::subscription_id,
            ledger::kind,
            ledger::status,
            ledger::network,
            ledger::day,
            ledger::charge_key,
            ledger::cents,
            subscriptions::msisdn,
            subscriptions::svc_id,
        ))
        .first(conn)
        .optional()?;
    let Some((subscription_id, kind, status, network, day, charge_key, cents, msisdn, svc_id)) = charge else {
        return Err(Error::UnknownCharge);
    };
    if kind != CHARGE || status != SETTLED {
        return Err(Error::NotRefundable);
    }
    let key = refund_key(&charge_key);
    let new = (
        (ledger::subscription_id.eq(subscription_id), ledger::network.eq(&network), ledger::day.eq(day)),
        (ledger::kind.eq(REFUND), ledger::cents.eq(cents), ledger::charge_key.eq(&key)),
        ledger::status.eq(if told == Told::Network { PENDING } else { SETTLED }),
        (ledger::attempts.eq(0), ledger::failures.eq(0), ledger::pass.eq(0)),
        (ledger::reason.eq(reason), ledger::at.eq(now)),
    );
    let inserted = on_each_backend!(conn, conn => diesel::insert_into(ledger::table)
        .values(new)
        .on_conflict_do_nothing()
        .execute(conn))?;
    if inserted > 0 && told == Told::Network {
        let letter = RefundRequest { key: key.clone(), charge_key, msisdn, svc_id, cents, reason: reason.to_owned() };
        outbox::put_refund(conn, &network, &letter, now)?;
    }
    let (id, status) = ledger::table
        .filter(ledger::network.eq(network).and(ledger::charge_key.eq(&key)))
        .select((ledger::id, ledger::status))
        .first(conn)?;
    Ok(Refund { id, ledger_id: charge_id, key, cents, status })
}

/// The network has given it back. A refund outside the ledger, of a charge nobody owed, has no row here.
pub(crate) fn settle(
    conn: &mut DbConnection,
    network: &str,
    key: &str,
    network_ref: &str,
    now: NaiveDateTime,
) -> Result<(), Error> {
    // Two push networks may name their charges alike.
    let promised = ledger::table
        .filter(ledger::network.eq(network).and(ledger::charge_key.eq(key)))
        .filter(ledger::kind.eq(REFUND));
    diesel::update(promised.filter(ledger::status.eq(PENDING)))
        .set((ledger::status.eq(SETTLED), ledger::network_ref.eq(network_ref), ledger::at.eq(now)))
        .execute(conn)?;
    Ok(())
}

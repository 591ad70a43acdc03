//! `POST /internal/refund` and `/internal/refunds`: refund charges, each by a ledger entry of its own, and request them from the network.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::web::{Data, Json};
use chrono::{NaiveDate, NaiveDateTime};
use diesel::prelude::*;
use operator::RefundRequest;
use serde::{Deserialize, Serialize};
use service::{
    StaffText, SupportCaller,
    openapi::{Conflict, NotFound, Refused},
};
use store::{DbConnection, on_each_backend};
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    ledger::{
        periods::LONGEST,
        refunds::{BILLING, COMPLAINT, NETWORK, RECONCILE, STAFF, SUBSCRIBER, group_of},
        rows::{CHARGE, FAILED, PENDING, REFUND, RowIds, SETTLED, rows},
    },
    messages::{outbox, texts},
    networks::alarms,
    publishers::counts::{self, JoinEvent},
    schema::{ledger, subscriptions, surplus_charges},
    subscribers::{
        calendar, crash, lifecycle::State, metrics, policy::Policy, subscriptions::Subscription, text::plain_text,
    },
};

/// Which charge, why, and who refunds it.
#[derive(Deserialize, ToSchema)]
pub(crate) struct RefundOrder {
    ledger_id: i64,
    reason: String,
    /// The member of staff for whom a machine calls; stored with the refund. A token of staff names its person itself.
    #[serde(default)]
    made_by: Option<String>,
}

/// The ledger entry of a refund.
#[derive(Serialize, ToSchema)]
pub(crate) struct Refund {
    /// The entry's own id.
    pub id: i64,
    /// The refunded charge.
    pub ledger_id: i64,
    pub key: String,
    pub cents: i64,
    /// "pending" until the network has made it, then "settled".
    pub status: String,
    /// What is still to be given back after it.
    pub owed_cents: i64,
}

/// Refunds a settled charge, or what the network has not given back of it yet.
#[utoipa::path(
    post,
    path = "",
    request_body = RefundOrder,
    responses((status = 200, description = "The entry that gives it back.", body = Refund), NotFound, Conflict, Refused)
)]
pub(crate) async fn refund(
    caller: SupportCaller,
    app: Data<App>,
    request: Json<RefundOrder>,
) -> Result<Json<Refund>, Error> {
    let RefundOrder { ledger_id, reason, made_by } = request.into_inner();
    let (reason, made_by) = checked_reason(&caller, &reason, made_by.as_deref())?;
    let now = app.clock.now();
    let refund = app
        .db
        .write(move |conn| {
            // Staff name a charge by its id alone. It is looked up in every month, and of this call there are few.
            let day: Option<String> =
                ledger::table.filter(ledger::id.eq(ledger_id)).select(ledger::day).first(conn).optional()?;
            let charge = (ledger_id, day.ok_or(Error::UnknownCharge)?);
            refund_charge(
                conn,
                (charge.0, &charge.1),
                &RefundReason { reason: &reason, made_by: &made_by, network_charged: true },
                now,
            )
        })
        .await?;
    crash::point("refund.recorded");
    app.outbox_wake.notify_one();
    Ok(Json(refund))
}

/// Which charges, why, and who refunds them.
#[derive(Deserialize, ToSchema)]
pub(crate) struct RefundsOrder {
    #[schema(min_items = 1, max_items = 500)]
    ledger_ids: BTreeSet<i64>,
    reason: String,
    /// As of one charge.
    #[serde(default)]
    made_by: Option<String>,
}

/// The most charges of one order.
const MOST_CHARGES: usize = 500;

/// What became of the charges of an order.
#[derive(Serialize, ToSchema)]
pub(crate) struct Refunds {
    /// By charge.
    refunds: Vec<Refund>,
    refused: Vec<RefusedCharge>,
}

/// A charge that cannot be refunded.
#[derive(Serialize, ToSchema)]
pub(crate) struct RefusedCharge {
    ledger_id: i64,
    /// In the language of the call.
    why: String,
}

/// Refunds settled charges in one transaction, each as one alone; the reply names those that cannot be refunded.
#[utoipa::path(
    post,
    path = "",
    request_body = RefundsOrder,
    responses((status = 200, description = "What became of each.", body = Refunds), Refused)
)]
pub(crate) async fn refund_all(
    caller: SupportCaller,
    app: Data<App>,
    request: Json<RefundsOrder>,
) -> Result<Json<Refunds>, Error> {
    let RefundsOrder { ledger_ids, reason, made_by } = request.into_inner();
    let (reason, made_by) = checked_reason(&caller, &reason, made_by.as_deref())?;
    if ledger_ids.is_empty() || ledger_ids.len() > MOST_CHARGES {
        return Err(Error::TooManyCharges(MOST_CHARGES));
    }
    let (now, language) = (app.clock.now(), service::staff_language());
    let outcome = app
        .db
        .write(move |conn| {
            let rows = ledger::table.filter(ledger::id.eq_any(&ledger_ids)).select((ledger::id, ledger::day));
            let days: BTreeMap<i64, String> = rows.load(conn)?.into_iter().collect();
            let refund_reason = RefundReason { reason: &reason, made_by: &made_by, network_charged: true };
            let mut outcome = Refunds { refunds: Vec::new(), refused: Vec::new() };
            for ledger_id in ledger_ids {
                let day = days.get(&ledger_id).map(String::as_str).unwrap_or_default();
                let why = match refund_charge(conn, (ledger_id, day), &refund_reason, now) {
                    Ok(refund) => {
                        outcome.refunds.push(refund);
                        continue;
                    }
                    Err(Error::UnknownCharge) => StaffText::new("no-such-charge"),
                    Err(Error::NotRefundable) => StaffText::new("not-refundable"),
                    Err(error) => return Err(error),
                };
                outcome.refused.push(RefusedCharge { ledger_id, why: why.text(language) });
            }
            Ok(outcome)
        })
        .await?;
    crash::point("refund.recorded");
    app.outbox_wake.notify_one();
    Ok(Json(outcome))
}

/// The reason, and the person's name.
fn checked_reason(caller: &SupportCaller, reason: &str, made_by: Option<&str>) -> Result<(String, String), Error> {
    let made_by = made_by.filter(|_| caller.is_machine()).unwrap_or(caller.name());
    let (reason, made_by) = (plain_text(reason)?, plain_text(made_by)?);
    if RESERVED_NAMES.contains(&made_by.to_lowercase().as_str()) {
        return Err(Error::ReservedName);
    }
    Ok((reason, made_by))
}

/// No person's names: refunds under them are the service's own.
const RESERVED_NAMES: [&str; 4] = [BILLING, RECONCILE, NETWORK, SUBSCRIBER];

/// Why a charge is refunded.
#[derive(Clone, Copy)]
pub(crate) struct RefundReason<'a> {
    pub reason: &'a str,
    /// The member of staff, or the part of the service that found it.
    pub made_by: &'a str,
    /// Whether the network charged the subscriber and has to refund it; if not, only our ledger said so.
    pub network_charged: bool,
}

/// The idempotency key of a charge's refund; of a later one the network has to tell from those `made` before it, which were in part.
pub(crate) fn refund_key(charge_key: &str, made: usize) -> String {
    match made {
        0 => format!("refund-{charge_key}"),
        made => format!("refund-{charge_key}-{}", made + 1),
    }
}

/// Enters a refund of a settled charge on today's date, of what was not given back before; for a charge that was refunded wholly, returns
/// the last entry. A refund that the network rejected before is requested again: by the same row on the same day, else by a new one.
pub(crate) fn refund_charge(
    conn: &mut DbConnection,
    charge: (i64, &str),
    refund_reason: &RefundReason<'_>,
    now: NaiveDateTime,
) -> Result<Refund, Error> {
    refund_part(conn, charge, i64::MAX, refund_reason, now)
}

/// A row of the ledger, and who was charged.
#[derive(Queryable, Selectable)]
#[diesel(table_name = ledger)]
struct ChargeRow {
    subscription_id: i64,
    kind: String,
    status: String,
    network: String,
    charge_key: String,
    cents: i64,
    network_ref: Option<String>,
    day: String,
    #[diesel(select_expression = subscriptions::msisdn)]
    msisdn: String,
    #[diesel(select_expression = subscriptions::svc_id)]
    svc_id: i32,
}

/// An earlier refund of a charge.
#[derive(Queryable, Selectable)]
#[diesel(table_name = ledger)]
struct RefundRow {
    id: i64,
    charge_key: String,
    cents: i64,
    status: String,
}

/// As `refund_charge`, of no more than these cents.
pub(crate) fn refund_part(
    conn: &mut DbConnection,
    (charge_id, charge_day): (i64, &str),
    most: i64,
    refund_reason: &RefundReason<'_>,
    now: NaiveDateTime,
) -> Result<Refund, Error> {
    let charge = ledger::table
        .inner_join(subscriptions::table)
        .filter(ledger::id.eq(charge_id).and(ledger::day.eq(charge_day)))
        .select(ChargeRow::as_select())
        .first(conn)
        .optional()?;
    let charge = charge.ok_or(Error::UnknownCharge)?;
    if charge.kind != CHARGE || charge.status != SETTLED {
        return Err(Error::NotRefundable);
    }
    lock(conn, charge_id, charge_day)?;
    // Of any month since the charge.
    let mut made = ledger::table
        .filter(ledger::refund_of.eq(charge_id).and(ledger::kind.eq(REFUND)).and(ledger::status.ne(FAILED)))
        .filter(ledger::day.ge(charge_day))
        .order(ledger::id)
        .select(RefundRow::as_select())
        .load(conn)?;
    let open = charge.cents - made.iter().map(|refund| refund.cents).sum::<i64>();
    let key = refund_key(&charge.charge_key, made.len());
    if let Some(RefundRow { id, charge_key: key, cents, status }) = made.pop().filter(|_| open <= 0) {
        return Ok(Refund { id, ledger_id: charge_id, key, cents, status, owed_cents: 0 });
    }
    // What is owed of an earlier one is part of it.
    let owed = ledger::table.filter(ledger::refund_of.eq(charge_id).and(ledger::owed_cents.gt(0)));
    diesel::update(owed.filter(ledger::day.ge(charge_day))).set(ledger::owed_cents.eq(0)).execute(conn)?;
    let cents = open.min(most);
    let owed_cents = open - cents;
    let status = if refund_reason.network_charged { PENDING } else { SETTLED };
    let today = calendar::day_of(now).to_string();
    let entry = || {
        (
            (ledger::cents.eq(cents), ledger::status.eq(status)),
            (ledger::reason.eq(refund_reason.reason), ledger::made_by.eq(refund_reason.made_by), ledger::at.eq(now)),
        )
    };
    let new = (
        (ledger::subscription_id.eq(charge.subscription_id), ledger::network.eq(&charge.network)),
        (ledger::refund_of.eq(charge_id), ledger::day.eq(&today), ledger::kind.eq(REFUND), ledger::charge_key.eq(&key)),
        (ledger::attempts.eq(0), ledger::failures.eq(0), ledger::pass.eq(0)),
        entry(),
    );
    let of_today = ledger::table
        .filter(ledger::network.eq(&charge.network).and(ledger::charge_key.eq(&key)))
        .filter(ledger::day.eq(&today));
    let inserted = on_each_backend!(conn, conn => diesel::insert_into(ledger::table)
        .values(new)
        .on_conflict_do_nothing()
        .execute(conn))?;
    if inserted == 0 {
        diesel::update(of_today.filter(ledger::status.eq(FAILED))).set(entry()).execute(conn)?;
    }
    let group = group_of(refund_reason.made_by);
    if matches!(group, STAFF | COMPLAINT) {
        counts::note_of_subscription(conn, charge.subscription_id, JoinEvent::Refunded, now)?;
    }
    metrics::refunded(group, "asked");
    if refund_reason.network_charged {
        let request = RefundRequest {
            key: key.clone(),
            charge_key: charge.charge_key,
            msisdn: charge.msisdn,
            svc_id: charge.svc_id,
            cents,
            reason: refund_reason.reason.to_owned(),
            network_ref: charge.network_ref,
            day: Some(charge.day),
            in_part: cents < charge.cents,
        };
        outbox::enqueue_refund(conn, &charge.network, &request, now)?;
    }
    let (id, cents, status) = of_today.select((ledger::id, ledger::cents, ledger::status)).first(conn)?;
    Ok(Refund { id, ledger_id: charge_id, key, cents, status, owed_cents })
}

/// Locks a charge, so that two requests do not both refund it.
fn lock(conn: &mut DbConnection, id: i64, day: &str) -> Result<(), Error> {
    let row = ledger::table.filter(ledger::id.eq(id).and(ledger::day.eq(day))).select(ledger::id);
    match conn {
        DbConnection::Postgres(conn) => row.for_update().first::<i64>(conn).map(drop)?,
        // A write transaction of SQLite locks the whole database.
        DbConnection::Sqlite(_) => {}
    }
    Ok(())
}

/// A charge that the network made in addition to the one that was due.
pub(crate) struct SurplusCharge<'a> {
    pub network: &'a str,
    /// Its key in our tables.
    pub key: &'a str,
    /// The network's key, which another charge may have, too.
    pub charge_key: &'a str,
    /// The network's own reference, where it is known.
    pub network_ref: Option<&'a str>,
    pub msisdn: &'a str,
    pub svc_id: i32,
    pub day: &'a str,
    pub cents: i64,
}

/// Refunds a surplus charge, once. It has no row in the ledger, which has the day's one charge.
pub(crate) fn refund_surplus(
    conn: &mut DbConnection,
    charge: &SurplusCharge<'_>,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let new = (
        surplus_charges::network.eq(charge.network),
        surplus_charges::charge_key.eq(charge.key),
        surplus_charges::msisdn.eq(charge.msisdn),
        surplus_charges::svc_id.eq(charge.svc_id),
        surplus_charges::day.eq(charge.day),
        surplus_charges::cents.eq(charge.cents),
        surplus_charges::found_at.eq(now),
    );
    let inserted = on_each_backend!(conn, conn => diesel::insert_into(surplus_charges::table)
        .values(new)
        .on_conflict_do_nothing()
        .execute(conn))?;
    if inserted == 0 {
        return Ok(());
    }
    tracing::error!(
        alarm = alarms::daily("charged_twice", charge.network, now),
        network.name = charge.network,
        "a network charged a day twice; the second charge is refunded"
    );
    metrics::refunded("twice", "asked");
    let request = RefundRequest {
        key: refund_key(charge.key, 0),
        charge_key: charge.charge_key.to_owned(),
        msisdn: charge.msisdn.to_owned(),
        svc_id: charge.svc_id,
        cents: charge.cents,
        reason: "charged twice".to_owned(),
        network_ref: charge.network_ref.map(str::to_owned),
        day: Some(charge.day.to_owned()),
        in_part: false,
    };
    outbox::enqueue_refund(conn, charge.network, &request, now)
}

/// Gives back what a network took beyond the price that its subscriber agreed to, and tells the subscriber.
pub(crate) fn refund_excess(
    conn: &mut DbConnection,
    policy: &Policy,
    subscription: &Subscription,
    charge: (i64, &str),
    charged: i64,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let excess = charged - subscription.price_cents;
    if excess <= 0 {
        return Ok(());
    }
    tracing::error!(
        alarm = alarms::daily("amount_unexpected", &subscription.network, now),
        ledger.id = charge.0,
        subscription.id = subscription.id,
        cents.charged = charged,
        cents.agreed = subscription.price_cents,
        "a network took more than its subscriber agreed to; the excess is refunded"
    );
    let reason = RefundReason { reason: "more than was agreed to", made_by: BILLING, network_charged: true };
    refund_part(conn, charge, excess, &reason, now)?;
    texts::overcharged(conn, policy, subscription, charged, now)
}

/// A newly settled charge, with the state of its subscription.
#[derive(Queryable, Selectable)]
#[diesel(table_name = ledger)]
struct SettledRow {
    id: i64,
    subscription_id: i64,
    #[diesel(select_expression = subscriptions::state)]
    state: String,
    #[diesel(select_expression = subscriptions::since)]
    since: NaiveDateTime,
    day: String,
    paid_until: String,
}

/// Refunds those of the newly settled charges whose subscription had ended before, and notifies their subscribers. Returns how many.
pub(crate) fn refund_charged_after_leaving(
    conn: &mut DbConnection,
    policy: &Policy,
    charged: &RowIds,
    now: NaiveDateTime,
) -> Result<usize, Error> {
    if charged.ids.is_empty() {
        return Ok(0);
    }
    let rows = rows(charged).inner_join(subscriptions::table).select(SettledRow::as_select()).load(conn)?;
    let mut refunded = 0;
    for SettledRow { id, subscription_id, state, since, day, paid_until } in rows {
        // After a rejoin on a later day, the charge belongs to the earlier generation. After one within its period, it is the period's one
        // charge.
        let began = calendar::day_of(since).to_string();
        if state != State::Cancelled.as_str() && (began <= day || began < paid_until) {
            continue;
        }
        let Some(subscription) = Subscription::lock_by_id(conn, subscription_id)? else { continue };
        tracing::error!(
            alarm = alarms::daily("charged_after_leaving", &subscription.network, now),
            ledger.id = id,
            "a charge settled after its subscription had ended; it is refunded"
        );
        let refund_reason = RefundReason { reason: "settled after leaving", made_by: BILLING, network_charged: true };
        let refund = refund_charge(conn, (id, &day), &refund_reason, now)?;
        if subscription.is_of_person(&day) {
            texts::charge_refunded(conn, policy, &subscription, refund.cents, now)?;
        }
        refunded += 1;
    }
    Ok(refunded)
}

/// Refunds the second charge of a week or a month: of two settled charges with a common day, the one that begins within the other's period.
/// Returns how many.
///
/// Charges are not claimed while an earlier one pays for the day, or may; this is for charges that the network did make although it said
/// otherwise at first.
pub(crate) fn refund_charged_within_period(
    conn: &mut DbConnection,
    charged: &RowIds,
    now: NaiveDateTime,
) -> Result<usize, Error> {
    if charged.ids.is_empty() {
        return Ok(0);
    }
    let newly: Vec<(i64, String, String)> = rows(charged)
        .inner_join(subscriptions::table)
        .filter(subscriptions::had_long_period.eq(true))
        .order((ledger::subscription_id, ledger::day))
        .select((ledger::subscription_id, ledger::day, ledger::paid_until))
        .load(conn)?;
    let mut refunded = 0;
    for (subscription_id, day, paid_until) in newly {
        // Locked, so that of two charges that settle at once the second one is found.
        Subscription::lock_by_id(conn, subscription_id)?;
        let Ok(first) = day.parse::<NaiveDate>() else { continue };
        let charges: Vec<(i64, String, String)> = ledger::table
            .filter(ledger::subscription_id.eq(subscription_id).and(ledger::kind.eq(CHARGE)))
            .filter(ledger::day.between((first - LONGEST).to_string(), (first + LONGEST).to_string()))
            .filter(ledger::status.eq(SETTLED))
            .order(ledger::day)
            .select((ledger::id, ledger::day, ledger::paid_until))
            .load(conn)?;
        let is_within_earlier = charges.iter().any(|(_, other, until)| *other < day && *until > day);
        for (id, other, _) in charges {
            let begins_within = other > day && other < paid_until;
            if begins_within || (other == day && is_within_earlier) {
                tracing::error!(
                    alarm = "charged_twice",
                    ledger.id = id,
                    "a charge was made within a paid period; it is refunded"
                );
                let refund_reason =
                    RefundReason { reason: "the period was paid already", made_by: BILLING, network_charged: true };
                refund_charge(conn, (id, &other), &refund_reason, now)?;
                refunded += 1;
            }
        }
    }
    Ok(refunded)
}

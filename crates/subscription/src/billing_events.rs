//! Billing events: what push networks say they charged, once per their own reference.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use identity::Msisdn;
use operator::{BillingEvent, ResultName};
use store::{DbConnection, on_each_backend};

use crate::{
    error::Error,
    schema::{billing_events, subscriptions},
};

const SUCCESS: &str = "success";

/// Keeps one; whether it was new.
pub(crate) fn keep(
    conn: &mut DbConnection,
    network: &str,
    subscription_id: i64,
    notification_id: i64,
    event: &BillingEvent,
    billed_at: NaiveDateTime,
) -> Result<bool, Error> {
    let result = match event.result() {
        ResultName::Success => SUCCESS,
        ResultName::InsufficientFunds => "insufficient_funds",
        ResultName::Other => "failed",
    };
    let new = (
        billing_events::network.eq(network),
        billing_events::billing_ref.eq(&event.billing_ref),
        billing_events::subscription_id.eq(subscription_id),
        billing_events::notification_id.eq(notification_id),
        billing_events::cents.eq(event.amount),
        billing_events::result.eq(result),
        billing_events::billed_at.eq(billed_at),
    );
    let inserted = on_each_backend!(conn, conn => diesel::insert_into(billing_events::table)
        .values(new)
        .on_conflict_do_nothing()
        .execute(conn))?;
    Ok(inserted > 0)
}

/// What a subscription has paid in all, in cents.
pub(crate) fn paid(conn: &mut DbConnection, subscription_id: i64) -> Result<i64, Error> {
    // Added here and not by SQL: PostgreSQL's sum of big integers is a decimal, SQLite's is not.
    let cents: Vec<i64> = billing_events::table
        .filter(billing_events::subscription_id.eq(subscription_id).and(billing_events::result.eq(SUCCESS)))
        .select(billing_events::cents)
        .load(conn)?;
    Ok(cents.iter().sum())
}

/// What a number has paid over all services since a moment, in cents.
pub(crate) fn paid_by_number_since(
    conn: &mut DbConnection,
    msisdn: &Msisdn,
    since: NaiveDateTime,
) -> Result<i64, Error> {
    let cents: Vec<i64> = billing_events::table
        .inner_join(subscriptions::table)
        .filter(subscriptions::msisdn.eq(msisdn.as_str()).and(billing_events::result.eq(SUCCESS)))
        .filter(billing_events::billed_at.ge(since))
        .select(billing_events::cents)
        .load(conn)?;
    Ok(cents.iter().sum())
}

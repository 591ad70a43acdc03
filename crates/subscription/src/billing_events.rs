//! Billing events: what push networks say they charged, once per their own reference.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use operator::BillingEvent;
use store::{DbConnection, on_each_backend};

use crate::{error::Error, schema::billing_events};

/// Keeps one; whether it was new.
pub(crate) fn keep(
    conn: &mut DbConnection,
    network: &str,
    subscription_id: i64,
    notification_id: i64,
    event: &BillingEvent,
    billed_at: NaiveDateTime,
) -> Result<bool, Error> {
    let result = event.result_name.to_ascii_lowercase();
    let new = (
        billing_events::network.eq(network),
        billing_events::billing_ref.eq(&event.billing_ref),
        billing_events::subscription_id.eq(subscription_id),
        billing_events::notification_id.eq(notification_id),
        billing_events::cents.eq(brands::PRICE_CENTS),
        billing_events::result.eq(result),
        billing_events::billed_at.eq(billed_at),
    );
    let inserted = on_each_backend!(conn, conn => diesel::insert_into(billing_events::table)
        .values(new)
        .on_conflict_do_nothing()
        .execute(conn))?;
    Ok(inserted > 0)
}

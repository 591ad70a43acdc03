//! Billing events: the results of push networks' charges, by the network's own reference. The last result counts.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use store::{DbConnection, on_each_backend};

use crate::{error::Error, schema::billing_events};

/// The result of a network's charge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChargeResult {
    Charged,
    Failed,
}

impl ChargeResult {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Charged => "success",
            Self::Failed => "failed",
        }
    }
}

/// A billing event.
pub(crate) struct NewBillingEvent<'a> {
    pub network: &'a str,
    pub billing_ref: &'a str,
    pub subscription_id: i64,
    pub notification_id: i64,
    pub cents: i64,
    pub billed_at: NaiveDateTime,
}

/// Inserts or corrects an event; whether it is new. A successful charge stays successful: a later failure with the same reference is a
/// late copy of an earlier attempt.
pub(crate) fn upsert(
    conn: &mut DbConnection,
    event: &NewBillingEvent<'_>,
    result: ChargeResult,
) -> Result<bool, Error> {
    let new = (
        billing_events::network.eq(event.network),
        billing_events::billing_ref.eq(event.billing_ref),
        billing_events::subscription_id.eq(event.subscription_id),
        billing_events::notification_id.eq(event.notification_id),
        billing_events::cents.eq(event.cents),
        billing_events::result.eq(result.as_str()),
        billing_events::billed_at.eq(event.billed_at),
    );
    let inserted = on_each_backend!(conn, conn => diesel::insert_into(billing_events::table)
        .values(new)
        .on_conflict_do_nothing()
        .execute(conn))?;
    if inserted > 0 || result == ChargeResult::Failed {
        return Ok(inserted > 0);
    }
    let failed = billing_events::table
        .filter(billing_events::network.eq(event.network).and(billing_events::billing_ref.eq(event.billing_ref)))
        .filter(billing_events::result.ne(ChargeResult::Charged.as_str()));
    let corrected = diesel::update(failed)
        .set((
            billing_events::result.eq(result.as_str()),
            billing_events::notification_id.eq(event.notification_id),
            billing_events::billed_at.eq(event.billed_at),
        ))
        .execute(conn)?;
    Ok(corrected > 0)
}

//! Whom a refund's row is by, and what its network replied.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use store::DbConnection;

use crate::{
    error::Error,
    ledger::{
        rows::open_since,
        status::{FAILED, PENDING, REFUND, SETTLED},
    },
    schema::ledger,
    subscribers::{metrics, subscriptions::Subscription},
};

/// The metric label of refunds by staff: their subscribers have complained.
pub(crate) const STAFF: &str = "staff";

/// The metric label of refunds by the rule of `billing::complaints`: these subscribers have complained, too.
pub(crate) const COMPLAINT: &str = "complaint";

/// The metric label of a refund.
pub(crate) fn group_of(made_by: &str) -> &'static str {
    match made_by {
        BILLING => "after_leaving",
        RECONCILE | NETWORK => "reconcile",
        SUBSCRIBER => COMPLAINT,
        _ => STAFF,
    }
}

/// `made_by` of refunds by billing itself.
pub(crate) const BILLING: &str = "billing";
/// `made_by` of refunds by reconciliation.
pub(crate) const RECONCILE: &str = "reconcile";
/// `made_by` of refunds that the network made by itself.
pub(crate) const NETWORK: &str = "network";
/// `made_by` of refunds that the subscriber has asked for, and a rule gave.
pub(crate) const SUBSCRIBER: &str = "subscriber";

/// A network's reply to a refund.
pub(crate) enum RefundOutcome {
    /// Refunded these cents, or all where it does not say.
    Refunded { network_ref: Option<String>, cents: Option<i64> },
    /// It refuses.
    Rejected { cause: String },
}

/// A refund of less than was asked for.
pub(crate) struct RefundedInPart {
    pub subscription_id: i64,
    /// The day of the charge.
    pub charge_day: String,
    pub made: i64,
    pub requested: i64,
}

/// The row of a refund that was requested.
#[derive(Queryable, Selectable)]
#[diesel(table_name = ledger)]
struct RefundRow {
    id: i64,
    day: String,
    subscription_id: i64,
    refund_of: Option<i64>,
    cents: i64,
    reason: String,
    made_by: String,
}

/// Records a network's reply to a refund. A refund of a surplus charge has no row in the ledger. What it did not give back stays open, and
/// its subscriber is to be told.
pub(crate) fn record_outcome(
    conn: &mut DbConnection,
    network: &str,
    key: &str,
    outcome: &RefundOutcome,
    now: NaiveDateTime,
) -> Result<Option<RefundedInPart>, Error> {
    // Two push networks may use the same key.
    let row = ledger::table
        .filter(ledger::network.eq(network).and(ledger::charge_key.eq(key)))
        .filter(ledger::kind.eq(REFUND).and(ledger::status.eq(PENDING)).and(ledger::day.ge(open_since(conn)?)));
    let pending = row.select(RefundRow::as_select()).first(conn).optional()?;
    let group = pending.as_ref().map_or("twice", |row| group_of(&row.made_by));
    let refused = |alarm: &'static str, cause: &str| {
        tracing::error!(
            alarm,
            network.name = network,
            refund.key = key,
            cause,
            "a network did not make a refund as asked"
        );
    };
    match outcome {
        RefundOutcome::Refunded { cents: Some(cents), .. } if *cents <= 0 => {
            refused("refund_refused", "it says that it gave back nothing");
            metrics::refunded(group, "refused");
            if let Some(row) = pending {
                fail(conn, &row, "nothing was given back", now)?;
            }
        }
        RefundOutcome::Refunded { network_ref, cents } => {
            let Some(RefundRow { id, day, subscription_id, refund_of, cents: pending, mut reason, .. }) = pending
            else {
                metrics::refunded(group, "made");
                return Ok(None);
            };
            let made = cents.unwrap_or(pending);
            metrics::refunded(group, if made == pending { "made" } else { "in_part" });
            if made != pending {
                refused("refund_in_part", "it gave back another amount");
                reason = format!("{reason}; {made} of {pending} cents were given back");
            }
            diesel::update(ledger::table.filter(ledger::id.eq(id).and(ledger::day.eq(day))))
                .set((
                    ledger::status.eq(SETTLED),
                    ledger::cents.eq(made),
                    ledger::owed_cents.eq((pending - made).max(0)),
                    ledger::reason.eq(reason),
                    ledger::network_ref.eq(network_ref),
                    ledger::at.eq(now),
                ))
                .execute(conn)?;
            if made >= pending {
                return Ok(None);
            }
            let of_charge = ledger::table.filter(ledger::id.nullable().eq(refund_of)).select(ledger::day);
            let charge_day = of_charge.first(conn).optional()?.unwrap_or_default();
            return Ok(Some(RefundedInPart { subscription_id, charge_day, made, requested: pending }));
        }
        RefundOutcome::Rejected { cause } => {
            refused("refund_refused", cause);
            metrics::refunded(group, "refused");
            if let Some(row) = pending {
                fail(conn, &row, cause, now)?;
            }
        }
    }
    Ok(None)
}

/// What networks still owe a subscription of refunds that were promised.
pub(crate) fn owed(conn: &mut DbConnection, subscription: &Subscription) -> Result<i64, Error> {
    let owed: Vec<i64> = ledger::table
        .filter(ledger::subscription_id.eq(subscription.id).and(ledger::owed_cents.gt(0)))
        .filter(ledger::day.ge(subscription.first_day()))
        .select(ledger::owed_cents)
        .load(conn)?;
    Ok(owed.iter().sum())
}

fn fail(conn: &mut DbConnection, row: &RefundRow, cause: &str, now: NaiveDateTime) -> Result<(), Error> {
    let reason = format!("{}; refused: {cause}", row.reason);
    diesel::update(ledger::table.filter(ledger::id.eq(row.id).and(ledger::day.eq(&row.day))))
        .set((
            ledger::status.eq(FAILED),
            ledger::owed_cents.eq(ledger::cents),
            ledger::reason.eq(reason),
            ledger::at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}

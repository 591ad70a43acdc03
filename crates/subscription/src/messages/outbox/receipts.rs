//! Delivery receipts: what a network tells of an SMS after it has accepted it.

use chrono::NaiveDateTime;
use diesel::{dsl::sql, prelude::*, sql_types::Bool};
use operator::{Delivery, ReceiptEvent};
use store::DbConnection;

use crate::{error::Error, messages::outbox::SMS, schema::outbox, subscribers::metrics};

/// The longest stored reason, in characters.
const MAX_REASON: usize = 300;

/// Records a receipt; whether it tells something new. A phone that has the SMS keeps it, so that `delivered` is final and replaces any
/// other; otherwise the first receipt counts.
pub(crate) fn record_receipt(
    conn: &mut DbConnection,
    network: &str,
    event: &ReceiptEvent,
    delivery: Delivery,
    now: NaiveDateTime,
) -> Result<bool, Error> {
    let replaced: &[&str] = match delivery {
        Delivery::Delivered => &["", Delivery::Failed.as_str(), Delivery::Expired.as_str()],
        Delivery::Failed | Delivery::Expired => &[""],
    };
    let reason: String = event.reason.as_deref().unwrap_or_default().chars().take(MAX_REASON).collect();
    let message = outbox::table
        .filter(outbox::message_key.eq(&event.key))
        // Literal SQL, so that the partial index applies.
        .filter(sql::<Bool>("outbox.message_key <> ''"))
        .filter(outbox::network.eq(network).and(outbox::kind.eq(SMS)).and(outbox::delivery.eq_any(replaced)));
    let recorded = diesel::update(message)
        .set((
            outbox::delivery.eq(delivery.as_str()),
            outbox::delivery_reason.eq(&reason),
            outbox::delivery_at.eq(event.at.map_or(now, |at| at.naive_utc().min(now))),
        ))
        .execute(conn)?;
    if recorded == 0 {
        return Ok(false);
    }
    metrics::sms_receipt(network, delivery);
    if delivery != Delivery::Delivered {
        tracing::warn!(
            network.name = network,
            sms.delivery = delivery.as_str(),
            cause = reason,
            "an SMS did not reach its phone"
        );
    }
    Ok(true)
}

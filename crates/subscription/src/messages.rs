//! What is said to people by SMS: the one place where a message is written.

use store::DbConnection;

use crate::{error::Error, outbox, subscriptions::Subscription, terms::Terms};

/// A charge that settled after its subscription had ended is given back.
pub(crate) fn given_back(
    conn: &mut DbConnection,
    terms: &Terms,
    subscription: &Subscription,
    cents: i64,
    now: chrono::NaiveDateTime,
) -> Result<(), Error> {
    let Some(brand) = terms.brand(subscription.svc_id) else { return Ok(()) };
    let text = format!("R{} for {} was charged after you left. You get it back.", cents / 100, brand.name);
    outbox::put_sms(conn, &brand.network, &subscription.msisdn, subscription.svc_id, text, now)
}

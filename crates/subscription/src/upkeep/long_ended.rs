//! Deletes what is left of subscriptions that ended long ago: their consents and reminders with their events, and the rest when the
//! ledger has nothing of them any more.
//!
//! Every deletion is of a batch and returns how many rows are gone; call it until it returns 0, each time in a transaction of its own.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};
use diesel::{
    prelude::*,
    sql_types::{BigInt, Text, Timestamp},
};
use store::{DbConnection, on_each_backend};

use crate::error::Error;

/// How long a subscription is kept that never began, as its attempts are.
const NEVER_BEGUN_RETENTION: TimeDelta = TimeDelta::days(90);

/// How long an SMS is kept that could not be sent.
const DEAD_SMS_RETENTION: TimeDelta = TimeDelta::days(180);

/// Subscriptions deleted in one transaction.
const BATCH_SIZE: i64 = 500;

/// Tables whose rows belong to a subscription. The ledger and the attempts of those that are deleted are empty.
const OF_SUBSCRIPTION: [&str; 6] = ["events", "consents", "reminders", "holds", "billing_events", "paid_before"];

#[derive(QueryableByName)]
struct Id {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

/// Deletes attempts of subscriptions that ended before `horizon`, as the events are.
pub(crate) fn delete_attempts(conn: &mut DbConnection, horizon: NaiveDate) -> Result<usize, Error> {
    let text = format!(
        "DELETE FROM tries WHERE id IN (SELECT t.id FROM tries t JOIN subscriptions s ON s.id = t.subscription_id \
         WHERE s.state = 'cancelled' AND s.since < $1 AND s.left_at < $1 LIMIT {BATCH_SIZE})"
    );
    before(conn, &text, horizon)
}

/// Deletes the record of reminders of subscriptions that ended before `horizon`.
pub(crate) fn delete_reminders(conn: &mut DbConnection, horizon: NaiveDate) -> Result<usize, Error> {
    let text = format!(
        "DELETE FROM reminders WHERE id IN (SELECT r.id FROM reminders r JOIN subscriptions s ON s.id = r.subscription_id \
         WHERE s.state = 'cancelled' AND s.since < $1 AND s.left_at < $1 LIMIT {BATCH_SIZE})"
    );
    before(conn, &text, horizon)
}

/// Deletes what networks reported of charges before `horizon`; their notifications then go by their own rule. Rows are read in the order
/// of their ids, which is nearly that of their times.
pub(crate) fn delete_billing_events(conn: &mut DbConnection, horizon: NaiveDate) -> Result<usize, Error> {
    let text = format!(
        "DELETE FROM billing_events WHERE billed_at < $1 AND id IN (SELECT id FROM billing_events ORDER BY id LIMIT {BATCH_SIZE})"
    );
    before(conn, &text, horizon)
}

/// Deletes charges that networks made twice, of days before `horizon`. There are few at any time.
pub(crate) fn delete_surplus_charges(conn: &mut DbConnection, horizon: NaiveDate) -> Result<usize, Error> {
    let text = "DELETE FROM surplus_charges WHERE day < $1";
    Ok(on_each_backend!(conn, conn => diesel::sql_query(text).bind::<Text, _>(horizon.to_string()).execute(conn))?)
}

/// Deletes SMSes that could not be sent. Dead stops and refunds stay: staff have to look at them.
pub(crate) fn delete_dead_messages(conn: &mut DbConnection, now: NaiveDateTime) -> Result<usize, Error> {
    let text = format!(
        "DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE dead_at IS NOT NULL AND dead_at < $1 AND kind = 'sms' \
         ORDER BY id LIMIT {BATCH_SIZE})"
    );
    let until = now - DEAD_SMS_RETENTION;
    Ok(on_each_backend!(conn, conn => diesel::sql_query(text).bind::<Timestamp, _>(until).execute(conn))?)
}

/// Deletes subscriptions that ended before `horizon`, and those that never began, where no charge and no attempt is kept of them. A
/// number that joins again gets a new one.
pub(crate) fn delete_subscriptions(
    conn: &mut DbConnection,
    horizon: NaiveDate,
    now: NaiveDateTime,
) -> Result<usize, Error> {
    let lock = match conn {
        DbConnection::Postgres(_) => " FOR UPDATE OF s SKIP LOCKED",
        // A write transaction of SQLite locks the whole database.
        DbConnection::Sqlite(_) => "",
    };
    // Not NOT EXISTS, which PostgreSQL may turn into a join with every month: these are looked up for each of the few rows.
    let unused = "(SELECT t.subscription_id FROM tries t WHERE t.subscription_id = s.id LIMIT 1) IS NULL \
                  AND (SELECT l.subscription_id FROM ledger l WHERE l.subscription_id = s.id LIMIT 1) IS NULL";
    // What never began has no network, and so neither a charge nor a network's own subscription. The row's own columns are compared first: nearly
    // all subscriptions that have ended are kept, and nothing has to be looked up for them.
    let text = format!(
        "SELECT s.id AS id FROM subscriptions s WHERE s.state IN ('cancelled', 'new') AND s.since < $1 AND (s.left_at < $2 OR s.network = '') \
         AND {unused} AND (s.left_at < $2 OR (NOT EXISTS (SELECT 1 FROM holds h WHERE h.subscription_id = s.id) \
         AND NOT EXISTS (SELECT 1 FROM paid_before p WHERE p.subscription_id = s.id))) LIMIT {BATCH_SIZE}{lock}"
    );
    let (ended, horizon) = (now - NEVER_BEGUN_RETENTION, horizon.and_time(NaiveTime::MIN));
    let found: Vec<Id> = on_each_backend!(conn, conn => diesel::sql_query(text)
        .bind::<Timestamp, _>(ended)
        .bind::<Timestamp, _>(horizon)
        .load(conn))?;
    if found.is_empty() {
        return Ok(0);
    }
    let ids = found.iter().map(|row| row.id.to_string()).collect::<Vec<_>>().join(", ");
    for table in OF_SUBSCRIPTION {
        let text = format!("DELETE FROM {table} WHERE subscription_id IN ({ids})");
        on_each_backend!(&mut *conn, conn => diesel::sql_query(text).execute(conn))?;
    }
    let text = format!("DELETE FROM subscriptions WHERE id IN ({ids})");
    Ok(on_each_backend!(conn, conn => diesel::sql_query(text).execute(conn))?)
}

fn before(conn: &mut DbConnection, text: &str, horizon: NaiveDate) -> Result<usize, Error> {
    let horizon = horizon.and_time(NaiveTime::MIN);
    Ok(on_each_backend!(conn, conn => diesel::sql_query(text).bind::<Timestamp, _>(horizon).execute(conn))?)
}

//! What is deleted when it is old enough, and how old that is. Months of the ledger and of events go as a whole (`ledger::partitions`); then what only
//! they kept.
//!
//! Every deletion is of batches, each in a transaction of its own, so that none is long.

use chrono::{Months, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};
use diesel::{
    prelude::*,
    sql_types::{BigInt, Text, Timestamp},
};
use store::{Db, DbConnection, on_each_backend};

use crate::{
    error::Error,
    joins::number_verification,
    ledger::partitions::Retention,
    publishers::counts,
    subscribers::{attempts::NO_EVIDENCE, calendar, learned_numbers},
};

/// How long a notification, an SMS that was sent, and one that could not be sent are kept. Dead stops and refunds stay: staff have to look at them.
const MESSAGE_DAYS: i64 = 180;

/// How long an attempt without a confirmation is kept, and a subscription that never began.
const UNCONFIRMED_DAYS: i64 = 90;

/// Rows that one statement deletes.
const BATCH_SIZE: i64 = 1000;

/// Tables whose rows belong to a subscription. The ledger and the attempts of those that are deleted are empty.
const OF_SUBSCRIPTION: [&str; 7] =
    ["events", "consents", "complaints", "reminders", "holds", "billing_events", "paid_before"];

#[derive(QueryableByName)]
struct Id {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

/// Deletes rows whose own time is over.
pub(crate) async fn delete_old(db: &Db, now: NaiveDateTime) -> Result<(), Error> {
    let oldest_counted = now.checked_sub_months(Months::new(counts::KEPT_MONTHS)).unwrap_or(now);
    let messages = now - TimeDelta::days(MESSAGE_DAYS);
    // Those that need a review stay.
    let applied = "received_at < $1 AND outcome IN ('applied', 'duplicate', 'ignored', 'rejected') AND NOT EXISTS \
                   (SELECT 1 FROM billing_events b WHERE b.notification_id = notifications.id) ORDER BY id";
    // The first condition is that of the partial index.
    let unconfirmed = format!("status <> 'confirmed' AND created_at < $1 AND ({NO_EVIDENCE}) ORDER BY created_at");
    for (table, old, before) in [
        ("notifications", applied, messages),
        ("outbox", "done_at < $1 ORDER BY done_at", messages),
        ("outbox", "dead_at IS NOT NULL AND dead_at < $1 AND kind = 'sms' ORDER BY id", messages),
        ("tries", &unconfirmed, now - TimeDelta::days(UNCONFIRMED_DAYS)),
        ("inbound_sms", "kept_until < $1 ORDER BY kept_until", now),
        ("number_verifications", "created_at < $1 ORDER BY created_at", now - number_verification::LIFETIME),
        ("used_challenges", "expires_at < $1 ORDER BY expires_at", now),
        ("learned_numbers", "at <= $1 ORDER BY at", now - learned_numbers::WINDOW),
        ("held_joins", "at < $1 ORDER BY at", oldest_counted),
    ] {
        delete(db, table, old, before).await?;
    }
    delete_days(db, "publisher_days", calendar::day_of(oldest_counted)).await
}

/// Deletes what is left of subscriptions after the months that are kept of them.
pub(crate) async fn delete_long_ended(db: &Db, now: NaiveDateTime, retention: Retention) -> Result<(), Error> {
    let (books, evidence) = retention.horizons(now);
    let (first_booked, first_event) = (books.and_time(NaiveTime::MIN), evidence.and_time(NaiveTime::MIN));
    let ended =
        "subscription_id IN (SELECT id FROM subscriptions WHERE state = 'cancelled' AND since < $1 AND left_at < $1)";
    delete(db, "tries", ended, first_event).await?;
    delete(db, "reminders", ended, first_event).await?;
    // Their notifications then go by their own time. The order of ids is nearly that of times.
    let reported = format!("billed_at < $1 AND id IN (SELECT id FROM billing_events ORDER BY id LIMIT {BATCH_SIZE})");
    delete(db, "billing_events", &reported, first_booked).await?;
    delete_days(db, "surplus_charges", books).await?;
    while db.write(move |conn| delete_subscriptions(conn, books, now)).await? > 0 {}
    Ok(())
}

/// Deletes a table's rows for which an SQL condition on the time `$1` holds.
async fn delete(db: &Db, table: &str, old: &str, before: NaiveDateTime) -> Result<(), Error> {
    let text = format!("DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE {old} LIMIT {BATCH_SIZE})");
    let delete = move |text: String| {
        move |conn: &mut DbConnection| {
            Ok::<_, Error>(
                on_each_backend!(conn, conn => diesel::sql_query(text).bind::<Timestamp, _>(before).execute(conn))?,
            )
        }
    };
    while db.write(delete(text.clone())).await? > 0 {}
    Ok(())
}

/// Deletes a table's rows of days before `first`, day by day.
async fn delete_days(db: &Db, table: &str, first: NaiveDate) -> Result<(), Error> {
    let text = format!("DELETE FROM {table} WHERE day IN (SELECT MIN(day) FROM {table} WHERE day < $1)");
    let delete = move |text: String| {
        move |conn: &mut DbConnection| {
            Ok::<_, Error>(
                on_each_backend!(conn, conn => diesel::sql_query(text).bind::<Text, _>(first.to_string()).execute(conn))?,
            )
        }
    };
    while db.write(delete(text.clone())).await? > 0 {}
    Ok(())
}

/// Deletes subscriptions that ended before `horizon`, and those that never began, where no charge and no attempt is kept of them. A
/// number that joins again gets a new one.
fn delete_subscriptions(conn: &mut DbConnection, horizon: NaiveDate, now: NaiveDateTime) -> Result<usize, Error> {
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
    let (ended, horizon) = (now - TimeDelta::days(UNCONFIRMED_DAYS), horizon.and_time(NaiveTime::MIN));
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

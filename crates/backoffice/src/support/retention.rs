//! Deletes what support no longer needs about numbers, and forms that were not sent.

use chrono::{Days, Months, NaiveDateTime};
use diesel::{prelude::*, sql_types::Timestamp};
use store::{DbConnection, on_each_backend};

use super::record::LOOKUP_LIFETIME;
use crate::{app::App, error::Error, schema::lookups};

/// For how long notes, complaints, erasures and numbers that were searched are kept.
const MONTHS: Months = Months::new(36);
/// For how long refunds are kept, as the ledger is.
const REFUND_MONTHS: Months = Months::new(84);

/// Each deletes what is before the time `$1`.
const OLD: [&str; 5] = [
    "DELETE FROM notes WHERE at < $1",
    "DELETE FROM erasure_steps WHERE erasure_id IN (SELECT id FROM erasures WHERE at < $1 AND state NOT IN ('waiting', 'open'))",
    "DELETE FROM erasures WHERE at < $1 AND state NOT IN ('waiting', 'open')",
    // Rows of an earlier release have no time: theirs begins now.
    "UPDATE numbers SET searched_at = CURRENT_TIMESTAMP WHERE searched_at IS NULL AND $1 IS NOT NULL",
    "DELETE FROM numbers WHERE searched_at < $1 \
     AND NOT EXISTS (SELECT 1 FROM notes WHERE notes.number_id = numbers.id) \
     AND NOT EXISTS (SELECT 1 FROM erasures WHERE erasures.number_id = numbers.id) \
     AND NOT EXISTS (SELECT 1 FROM refunds WHERE refunds.number_id = numbers.id)",
];

const OLD_REFUNDS: &str = "DELETE FROM refunds WHERE at < $1 AND state <> 'waiting'";

/// For how long a form that is not sent is kept after its last change.
const PRIVATE_DRAFT_DAYS: Days = Days::new(30);
const OLD_PRIVATE_DRAFTS: &str = "DELETE FROM private_drafts WHERE at < $1";

/// Deletes what is too old, under the lock of the audit log: a search of the same number waits.
pub(super) async fn delete_old(app: &App) -> Result<(), Error> {
    let now = app.clock.now();
    app.audited(move |conn| {
        diesel::delete(lookups::table.filter(lookups::at.le(now - LOOKUP_LIFETIME))).execute(conn)?;
        execute(conn, OLD_PRIVATE_DRAFTS, now.checked_sub_days(PRIVATE_DRAFT_DAYS))?;
        execute(conn, OLD_REFUNDS, now.checked_sub_months(REFUND_MONTHS))?;
        for statement in OLD {
            execute(conn, statement, now.checked_sub_months(MONTHS))?;
        }
        Ok(())
    })
    .await
}

fn execute(conn: &mut DbConnection, statement: &str, until: Option<NaiveDateTime>) -> Result<(), Error> {
    let until = until.unwrap_or_default();
    on_each_backend!(conn, conn => diesel::sql_query(statement).bind::<Timestamp, _>(until).execute(conn))?;
    Ok(())
}

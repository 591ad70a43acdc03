//! Passes: the billing runs of a day. A request for a pass while one is open joins it, on any replica, unless only networks that are away or
//! paused charges keep it open.

use chrono::{NaiveDate, NaiveDateTime};
use diesel::{
    dsl::max,
    prelude::*,
    sql_types::{BigInt, Bool, Text},
};
use serde::Serialize;
use store::{DbConnection, on_each_backend};
use utoipa::ToSchema;

use crate::{
    error::Error,
    ledger::status::{FAILED, PENDING, SETTLED},
    schema::{billing_days, billing_passes, ledger},
};

/// The result of a pass, over all replicas that took part in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Totals {
    /// Charges that were due.
    pub due: i64,
    /// Made by the network.
    pub charged: i64,
    /// Refused by the network.
    pub failed: i64,
    /// Sent, with an unknown outcome.
    pub unknown: i64,
    /// Not sent: parked by a bound, left in the meantime, paused by staff, or the network was unavailable.
    pub skipped: i64,
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = Text)]
    status: String,
    #[diesel(sql_type = Bool)]
    is_free: bool,
    #[diesel(sql_type = Bool)]
    is_unsent: bool,
    #[diesel(sql_type = BigInt)]
    charges: i64,
}

/// Locks a day, until the transaction ends, against other replicas' new passes, and against their claims that count over all networks.
pub(crate) fn lock_day(conn: &mut DbConnection, day: &str) -> Result<(), Error> {
    match conn {
        DbConnection::Postgres(conn) => {
            diesel::insert_into(billing_days::table)
                .values(billing_days::day.eq(day))
                .on_conflict_do_nothing()
                .execute(conn)?;
            billing_days::table.find(day).for_update().select(billing_days::day).first::<String>(conn)?;
        }
        // A write transaction of SQLite locks the whole database.
        DbConnection::Sqlite(_) => {}
    }
    Ok(())
}

/// The open pass, or a new one. With `due_since`, the open one only if it started since.
pub(crate) fn open_or_create(
    conn: &mut DbConnection,
    day: NaiveDate,
    due_since: Option<NaiveDateTime>,
    now: NaiveDateTime,
) -> Result<i64, Error> {
    let day = day.to_string();
    lock_day(conn, &day)?;
    let open = billing_passes::table.filter(billing_passes::day.eq(&day).and(billing_passes::finished_at.is_null()));
    let found: Option<(i64, NaiveDateTime)> = open
        .order(billing_passes::number.desc())
        .select((billing_passes::id, billing_passes::started_at))
        .first(conn)
        .optional()?;
    if let Some((id, started_at)) = found
        && due_since.is_none_or(|due| started_at >= due)
    {
        return Ok(id);
    }
    diesel::update(open).set(billing_passes::finished_at.eq(now)).execute(conn)?;
    let last: Option<i32> =
        billing_passes::table.filter(billing_passes::day.eq(&day)).select(max(billing_passes::number)).first(conn)?;
    let new = (
        billing_passes::day.eq(&day),
        billing_passes::number.eq(last.unwrap_or(0).saturating_add(1)),
        billing_passes::started_at.eq(now),
    );
    Ok(on_each_backend!(conn, conn => diesel::insert_into(billing_passes::table)
        .values(new)
        .returning(billing_passes::id)
        .get_result(conn))?)
}

/// Finishes a pass in which nothing is left to claim.
pub(crate) fn finish(conn: &mut DbConnection, pass: i64, now: NaiveDateTime) -> Result<(), Error> {
    diesel::update(
        billing_passes::table.filter(billing_passes::id.eq(pass).and(billing_passes::finished_at.is_null())),
    )
    .set(billing_passes::finished_at.eq(now))
    .execute(conn)?;
    Ok(())
}

/// Whether a pass of the day has started since `due`.
pub(crate) fn started_since(conn: &mut DbConnection, day: NaiveDate, due: NaiveDateTime) -> Result<bool, Error> {
    let begun =
        billing_passes::table.filter(billing_passes::day.eq(day.to_string()).and(billing_passes::started_at.ge(due)));
    Ok(diesel::select(diesel::dsl::exists(begun)).get_result(conn)?)
}

/// The newest unfinished pass of the day: its process has died, or a network was unavailable.
pub(crate) fn open(conn: &mut DbConnection, day: NaiveDate) -> Result<Option<i64>, Error> {
    Ok(billing_passes::table
        .filter(billing_passes::day.eq(day.to_string()).and(billing_passes::finished_at.is_null()))
        .order(billing_passes::number.desc())
        .select(billing_passes::id)
        .first(conn)
        .optional()?)
}

/// How many of a pass's charges are in flight, on all replicas.
pub(crate) fn claimed_charges(conn: &mut DbConnection, day: &str, pass: i64) -> Result<i64, Error> {
    Ok(ledger::table
        .filter(ledger::day.eq(day).and(ledger::pass.eq(pass)).and(ledger::claim.is_not_null()))
        .count()
        .get_result(conn)?)
}

/// As `claimed_charges`, of one network.
pub(crate) fn claimed_charges_of(conn: &mut DbConnection, network: &str, day: &str, pass: i64) -> Result<i64, Error> {
    Ok(ledger::table
        .filter(ledger::day.eq(day).and(ledger::pass.eq(pass)).and(ledger::claim.is_not_null()))
        .filter(ledger::network.eq(network))
        .count()
        .get_result(conn)?)
}

impl Totals {
    /// Computed from the ledger; `left` charges could not even be tried.
    pub(crate) fn of(conn: &mut DbConnection, day: &str, pass: i64, left: i64) -> Result<Self, Error> {
        let query = diesel::sql_query(
            "SELECT status, claim IS NULL AS is_free, sent_at IS NULL AS is_unsent, COUNT(*) AS charges FROM ledger \
             WHERE day = $1 AND pass = $2 AND kind = 'charge' GROUP BY 1, 2, 3",
        );
        let counts: Vec<Count> = on_each_backend!(conn, conn => query
            .bind::<Text, _>(day)
            .bind::<BigInt, _>(pass)
            .load(conn))?;
        let mut totals = Self { skipped: left, ..Self::default() };
        for Count { status, is_free, is_unsent, charges } in counts {
            let into = match status.as_str() {
                SETTLED => &mut totals.charged,
                PENDING if is_free => &mut totals.skipped,
                FAILED if is_unsent => &mut totals.skipped,
                FAILED => &mut totals.failed,
                // Pending and claimed: the sender has not reported an outcome yet.
                _ => &mut totals.unknown,
            };
            *into += charges;
        }
        totals.due = totals.charged + totals.failed + totals.unknown + totals.skipped;
        Ok(totals)
    }
}

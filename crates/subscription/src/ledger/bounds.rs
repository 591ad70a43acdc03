//! Safety bounds: charges beyond them are parked with an alarm, never sent.

use std::collections::BTreeMap;

use chrono::NaiveDateTime;
use diesel::{dsl::count_star, prelude::*};
use store::{DbConnection, on_each_backend};

use crate::{
    error::Error,
    ledger::{
        passes::lock_day,
        rows::{Charge, RowIds, rows},
        status::{CHARGE, SETTLED, UNKNOWN},
    },
    schema::{charge_hours, ledger, subscriptions},
    subscribers::{calendar, policy::Policy},
};

/// The most charges that are sent; more are parked until staff look at them.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    /// For one number on one day.
    pub per_number: i64,
    /// At one network in one hour.
    pub per_hour: i64,
}

/// Splits off the charges beyond a bound, and counts the others. No other replica counts charges of the network at the same time.
pub(crate) fn within_bounds(
    conn: &mut DbConnection,
    owed: Vec<Charge>,
    policy: &Policy,
    bounds: Bounds,
    (network, day): (&str, &str),
    now: NaiveDateTime,
) -> Result<(Vec<Charge>, Vec<Charge>), Error> {
    if owed.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let mut of_number = BTreeMap::new();
    // A subscription's day has one charge, so a number cannot exceed the number of services.
    if bounds.per_number < i64::try_from(policy.brands.iter().count()).unwrap_or(i64::MAX) {
        // Several networks may charge one number.
        lock_day(conn, day)?;
        of_number = charged_numbers(conn, &owed, day)?;
    }
    let hour = calendar::hour_of(now);
    let mut room = bounds.per_hour.saturating_sub(lock_hour(conn, network, &hour)?);
    let (within, beyond): (Vec<_>, Vec<_>) = owed.into_iter().partition(|charge| {
        let count = of_number.entry(charge.msisdn.clone()).or_default();
        let fits = room > 0 && *count < bounds.per_number;
        if fits {
            room -= 1;
            *count += 1;
        }
        fits
    });
    let more = i64::try_from(within.len()).unwrap_or(i64::MAX);
    let this_hour = charge_hours::table.filter(charge_hours::network.eq(network).and(charge_hours::hour.eq(&hour)));
    diesel::update(this_hour).set(charge_hours::sent.eq(charge_hours::sent + more)).execute(conn)?;
    Ok((within, beyond))
}

/// How many charges a network got in an hour; locked until the transaction ends.
fn lock_hour(conn: &mut DbConnection, network: &str, hour: &str) -> Result<i64, Error> {
    let row = (charge_hours::network.eq(network), charge_hours::hour.eq(hour), charge_hours::sent.eq(0));
    on_each_backend!(conn, conn => diesel::insert_into(charge_hours::table)
        .values(row)
        .on_conflict_do_nothing()
        .execute(conn))?;
    let sent = charge_hours::table.find((network, hour)).select(charge_hours::sent);
    Ok(match conn {
        DbConnection::Postgres(conn) => sent.for_update().first(conn)?,
        // A write transaction of SQLite locks the whole database.
        DbConnection::Sqlite(conn) => sent.first(conn)?,
    })
}

/// Subtracts charges that were claimed and then not sent from the hour's count.
pub(crate) fn uncount(conn: &mut DbConnection, charges: &RowIds, now: NaiveDateTime) -> Result<(), Error> {
    if charges.ids.is_empty() {
        return Ok(());
    }
    let of_networks: Vec<(String, i64)> =
        rows(charges).group_by(ledger::network).select((ledger::network, count_star())).load(conn)?;
    for (network, charges) in of_networks {
        let this_hour = charge_hours::table
            .filter(charge_hours::network.eq(network).and(charge_hours::hour.eq(calendar::hour_of(now))));
        // Charges claimed in the hour before are not in this hour's count.
        diesel::update(this_hour.filter(charge_hours::sent.ge(charges)))
            .set(charge_hours::sent.eq(charge_hours::sent - charges))
            .execute(conn)?;
    }
    Ok(())
}

/// How many charges of that day each of these numbers has paid, or may have paid.
fn charged_numbers(conn: &mut DbConnection, owed: &[Charge], day: &str) -> Result<BTreeMap<String, i64>, Error> {
    let numbers: Vec<&str> = owed.iter().map(|charge| charge.msisdn.as_str()).collect();
    let counts: Vec<(String, i64)> = ledger::table
        .inner_join(subscriptions::table)
        .filter(subscriptions::msisdn.eq_any(&numbers).and(ledger::day.eq(day)).and(ledger::kind.eq(CHARGE)))
        .filter(ledger::status.eq_any([SETTLED, UNKNOWN]).or(ledger::claim.is_not_null()))
        .group_by(subscriptions::msisdn)
        .select((subscriptions::msisdn, count_star()))
        .load(conn)?;
    Ok(counts.into_iter().collect())
}

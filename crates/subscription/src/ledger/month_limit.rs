//! The monthly limits: what one number may be charged in a calendar month, over all services and networks, and by each network.
//!
//! A charge that would exceed it is not sent, and is no failure of the subscriber. Claims of a day that may reach it exclude each other, so that
//! two services of one number, charged at the same moment by two processes, cannot exceed it together.

use std::collections::BTreeMap;

use brands::Brands;
use chrono::{Datelike, NaiveDate};
use diesel::{dsl::sql, prelude::*, sql_types::BigInt};
use identity::SubscriberId;
use store::DbConnection;

use crate::{
    error::Error,
    ledger::{
        passes::lock_day,
        rows::Charge,
        status::{CHARGE, SETTLED, UNKNOWN},
    },
    schema::{ledger, subscriptions},
};

/// The reason of a charge that would exceed the limit.
pub(crate) const LIMITED: &str = "the number's monthly limit is reached";

/// What a number may be charged in a month, in cents.
#[derive(Clone, Copy)]
pub(crate) struct MonthLimits {
    /// Over all networks.
    pub in_all: i64,
    /// By one network.
    pub at_network: i64,
}

impl MonthLimits {
    /// Those of a network.
    pub fn at(brands: &Brands, network: &str) -> Self {
        Self { in_all: brands.month_limit_cents(), at_network: brands.month_limit_at(network) }
    }

    /// Whether another charge of this amount stays within both.
    fn allow(self, spent: &Spent, cents: i64) -> bool {
        spent.in_all + cents <= self.in_all && spent.at_network + cents <= self.at_network
    }
}

/// What a number was charged in a month, or may have been.
#[derive(Default)]
struct Spent {
    in_all: i64,
    at_network: i64,
}

/// The most charges of a subscription in a month: one a day.
const LONGEST_MONTH: i64 = 31;

/// Splits off the charges that would exceed a limit. A network that charges by itself may exceed it; what it has charged counts.
pub(crate) fn within_limit(
    conn: &mut DbConnection,
    owed: Vec<Charge>,
    (network, limits): (&str, MonthLimits),
    day: NaiveDate,
) -> Result<(Vec<Charge>, Vec<Charge>), Error> {
    // Most numbers cannot reach it, so that none of their charges is read.
    let numbers: Vec<&str> = owed.iter().map(|charge| charge.msisdn.as_str()).collect();
    let dearest: Vec<(String, i64)> = subscriptions::table
        .filter(subscriptions::msisdn.eq_any(&numbers))
        .group_by(subscriptions::msisdn)
        .select((subscriptions::msisdn, highest_prices()))
        .load(conn)?;
    let near: Vec<String> = dearest
        .into_iter()
        .filter(|(_, cents)| cents.saturating_mul(LONGEST_MONTH) > limits.at_network)
        .map(|(msisdn, _)| msisdn)
        .collect();
    if near.is_empty() {
        return Ok((owed, Vec::new()));
    }
    lock_day(conn, &day.to_string())?;
    let mut spent = charged_in_month(conn, &near, network, day)?;
    Ok(owed.into_iter().partition(|charge| {
        let spent = spent.entry(charge.msisdn.clone()).or_default();
        let fits = !near.contains(&charge.msisdn) || limits.allow(spent, charge.cents);
        if fits {
            spent.in_all += charge.cents;
            spent.at_network += charge.cents;
        }
        fits
    }))
}

/// Whether another charge of this amount by a network would exceed a number's limits in the month of `day`.
pub(crate) fn is_reached(
    conn: &mut DbConnection,
    msisdn: &SubscriberId,
    cents: i64,
    (network, limits): (&str, MonthLimits),
    day: NaiveDate,
) -> Result<bool, Error> {
    let numbers = [msisdn.as_str().to_owned()];
    let spent = charged_in_month(conn, &numbers, network, day)?.remove(msisdn.as_str()).unwrap_or_default();
    Ok(!limits.allow(&spent, cents))
}

/// The first day of the month after that of `day`.
pub(crate) fn next_month(day: NaiveDate) -> Option<NaiveDate> {
    day.with_day(1)?.checked_add_months(chrono::Months::new(1))
}

/// What these numbers have been charged, or may have been, for periods that begin in the month of `day`. What was given back counts, too: a
/// limit is reached early rather than late.
fn charged_in_month(
    conn: &mut DbConnection,
    numbers: &[String],
    network: &str,
    day: NaiveDate,
) -> Result<BTreeMap<String, Spent>, Error> {
    let first = day.with_day(1).unwrap_or(day);
    let end = next_month(day).unwrap_or(day);
    let sums: Vec<(String, String, i64)> = ledger::table
        .inner_join(subscriptions::table)
        .filter(subscriptions::msisdn.eq_any(numbers).and(ledger::kind.eq(CHARGE)))
        .filter(ledger::day.ge(first.to_string()).and(ledger::day.lt(end.to_string())))
        .filter(ledger::status.eq_any([SETTLED, UNKNOWN]).or(ledger::claim.is_not_null()))
        .group_by((subscriptions::msisdn, ledger::network))
        .select((subscriptions::msisdn, ledger::network, sql::<BigInt>("CAST(SUM(ledger.cents) AS BIGINT)")))
        .load(conn)?;
    let mut spent: BTreeMap<String, Spent> = BTreeMap::new();
    for (msisdn, charged_by, cents) in sums {
        let of_number = spent.entry(msisdn).or_default();
        of_number.in_all += cents;
        if charged_by == network {
            of_number.at_network += cents;
        }
    }
    Ok(spent)
}

/// The sum of the highest prices. As a big integer: PostgreSQL's sum of those is a decimal.
fn highest_prices() -> diesel::expression::SqlLiteral<BigInt> {
    sql::<BigInt>(
        "CAST(SUM(CASE WHEN subscriptions.highest_price_cents > subscriptions.price_cents THEN subscriptions.highest_price_cents \
         ELSE subscriptions.price_cents END) AS BIGINT)",
    )
}

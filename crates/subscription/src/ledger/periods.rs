//! Paid periods: a charge for a week or a month pays from its day on, until the first day that it does not pay for (`paid_until`).
//!
//! A day within the period of a settled charge is paid, whichever network charged it, and whether or not it was given back since. Only the
//! charges of subscriptions that ever had such a period are read: a charge for a day pays for that day alone, which has one row.

use std::collections::BTreeSet;

use brands::Period;
use chrono::{Datelike, Days, Months, NaiveDate};
use diesel::prelude::*;
use store::DbConnection;

use crate::{
    error::Error,
    ledger::status::{CHARGE, SETTLED, UNKNOWN},
    schema::ledger,
};

/// The longest period, in days.
pub(crate) const LONGEST: Days = Days::new(31);

/// The first day that a charge on `day` does not pay for.
///
/// A month ends on the same day of the next one, or on the last day of a shorter one. Where it begins on a month's last day, the day of the
/// month on which the subscription began decides: 31 January, 28 February and 31 March follow each other.
pub(crate) fn end(period: Period, day: NaiveDate, began_on: i32) -> NaiveDate {
    match period {
        Period::Day => day + Days::new(1),
        Period::Week => day + Days::new(7),
        Period::Month => {
            let next = day + Months::new(1);
            let is_last = (day + Days::new(1)).month() != day.month();
            let began_on = u32::try_from(began_on).unwrap_or(1);
            if !is_last || began_on <= next.day() {
                return next;
            }
            (next.day()..=began_on).rev().find_map(|day| next.with_day(day)).unwrap_or(next)
        }
    }
}

/// What earlier charges mean for a day of some subscriptions.
#[derive(Default)]
pub(crate) struct EarlierCharges {
    /// Those for which an earlier charge has paid.
    pub paid: BTreeSet<i64>,
    /// Those with an earlier charge that pays for the day if the network has made it, which is not known yet.
    pub open: BTreeSet<i64>,
}

impl EarlierCharges {
    /// Reads the charges before `day`.
    pub fn before(conn: &mut DbConnection, subscriptions: &[i64], day: NaiveDate) -> Result<Self, Error> {
        if subscriptions.is_empty() {
            return Ok(Self::default());
        }
        let charges: Vec<(i64, String)> = ledger::table
            .filter(ledger::subscription_id.eq_any(subscriptions).and(ledger::kind.eq(CHARGE)))
            .filter(ledger::day.ge((day - LONGEST).to_string()).and(ledger::day.lt(day.to_string())))
            .filter(ledger::paid_until.gt(day.to_string()))
            .filter(ledger::status.eq_any([SETTLED, UNKNOWN]).or(ledger::claim.is_not_null()))
            .select((ledger::subscription_id, ledger::status))
            .load(conn)?;
        let mut found = Self::default();
        for (subscription, status) in charges {
            if status == SETTLED {
                found.paid.insert(subscription)
            } else {
                found.open.insert(subscription)
            };
        }
        Ok(found)
    }
}

/// Until when the period is paid to which a day belongs; `None` where the day is not paid.
pub(crate) fn paid_until(
    conn: &mut DbConnection,
    subscription_id: i64,
    day: NaiveDate,
) -> Result<Option<NaiveDate>, Error> {
    let charges: Vec<(String, String)> = ledger::table
        .filter(ledger::subscription_id.eq(subscription_id).and(ledger::kind.eq(CHARGE)))
        .filter(ledger::day.between((day - LONGEST).to_string(), day.to_string()))
        .filter(ledger::status.eq(SETTLED))
        .select((ledger::day, ledger::paid_until))
        .load(conn)?;
    let ends = charges.iter().filter_map(|(first, until)| last_paid(first, until)?.succ_opt());
    Ok(ends.max().filter(|until| *until > day))
}

/// The last day that a charge on the day `first` pays for.
pub(crate) fn last_paid(first: &str, paid_until: &str) -> Option<NaiveDate> {
    match paid_until {
        "" => first.parse().ok(),
        until => until.parse::<NaiveDate>().ok()?.pred_opt(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn months_follow_each_other_on_the_day_of_the_join() {
        for (began_on, days) in [
            (31, ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30", "2027-05-31"]),
            (30, ["2027-01-30", "2027-02-28", "2027-03-30", "2027-04-30", "2027-05-30"]),
            (29, ["2028-01-29", "2028-02-29", "2028-03-29", "2028-04-29", "2028-05-29"]),
            (28, ["2027-01-28", "2027-02-28", "2027-03-28", "2027-04-28", "2027-05-28"]),
            // Not paid on the 31st, but on the next day.
            (31, ["2027-02-01", "2027-03-01", "2027-04-01", "2027-05-01", "2027-06-01"]),
        ] {
            for two in days.windows(2) {
                assert_eq!(end(Period::Month, day(two[0]), began_on), day(two[1]), "{began_on}: {two:?}");
            }
        }
    }

    #[test]
    fn no_period_is_longer_than_the_longest_or_shorter_than_a_day() {
        for first in day("2027-01-01").iter_days().take(800) {
            assert_eq!(end(Period::Day, first, 1), first + Days::new(1));
            assert_eq!(end(Period::Week, first, 31), first + Days::new(7));
            for began_on in 1..=31 {
                let days = (end(Period::Month, first, began_on) - first).num_days();
                assert!((28..=31).contains(&days), "{first} {began_on}: {days}");
            }
        }
    }

    #[test]
    fn last_paid_of_a_day_is_the_day() {
        assert_eq!(last_paid("2027-01-31", ""), Some(day("2027-01-31")));
        assert_eq!(last_paid("2027-01-31", "2027-02-07"), Some(day("2027-02-06")));
    }
}

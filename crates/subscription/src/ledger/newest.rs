//! The newest charges of running subscriptions, by which their states follow from the ledger: read for many at once.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use diesel::{dsl::max, prelude::*};
use store::DbConnection;

use crate::{
    error::Error,
    ledger::{
        periods::{self, LONGEST},
        rows::{DayCharge, RECENT},
        status::{CHARGE, SETTLED},
    },
    schema::{ledger, subscriptions},
    subscribers::subscriptions::Subscription,
};

/// The newest charges of one subscription.
#[derive(Default)]
pub(crate) struct NewestCharges {
    /// The charge of the newest charged day; `None` where that is long before today.
    pub newest: Option<DayCharge>,
    /// As `newest`, of the days before today.
    pub before_today: Option<DayCharge>,
    /// The last day that the newest settled charge pays for; `None` where that charge was made long before today.
    pub last_paid_day: Option<NaiveDate>,
    /// The first and the last day of each paid period; empty for subscriptions that never had a long one.
    pub periods: Vec<(NaiveDate, NaiveDate)>,
}

/// The newest days with a charge of one subscription: of all, of those before today, and of those that are paid.
#[derive(Queryable)]
struct Days {
    id: i64,
    newest: Option<String>,
    before_today: Option<String>,
    paid: Option<String>,
}

impl NewestCharges {
    /// Reads those of some subscriptions, by their ids.
    pub fn of(conn: &mut DbConnection, of: &[Subscription], today: NaiveDate) -> Result<BTreeMap<i64, Self>, Error> {
        let ids: Vec<i64> = of.iter().map(|subscription| subscription.id).collect();
        let charges = || {
            ledger::table
                .filter(ledger::subscription_id.eq(subscriptions::id).and(ledger::kind.eq(CHARGE)))
                .filter(ledger::day.ge((today - RECENT).to_string()))
        };
        // Each subquery reads the end of an index, however many days there are.
        let newest = charges().select(max(ledger::day)).single_value();
        let before_today = charges().filter(ledger::day.lt(today.to_string())).select(max(ledger::day)).single_value();
        let paid = charges().filter(ledger::status.eq(SETTLED)).select(max(ledger::day)).single_value();
        let days: Vec<Days> = subscriptions::table
            .filter(subscriptions::id.eq_any(&ids))
            .select((subscriptions::id, newest, before_today, paid))
            .load(conn)?;
        let distinct: BTreeSet<&String> =
            days.iter().flat_map(|of| [&of.newest, &of.before_today, &of.paid]).flatten().collect();
        let (Some(first), Some(last)) = (distinct.first(), distinct.last()) else {
            return Ok(ids.into_iter().map(|id| (id, Self::default())).collect());
        };
        let found: Vec<(i64, DayCharge, String)> = ledger::table
            .filter(ledger::subscription_id.eq_any(&ids).and(ledger::kind.eq(CHARGE)))
            // The range names the months, also to a plan for any days.
            .filter(ledger::day.between(first, last).and(ledger::day.eq_any(&distinct)))
            .select((
                ledger::subscription_id,
                (ledger::id, ledger::day, ledger::status, ledger::failures),
                ledger::paid_until,
            ))
            .load(conn)?;
        let found: BTreeMap<(i64, &str), &(i64, DayCharge, String)> =
            found.iter().map(|row| ((row.0, row.1.day.as_str()), row)).collect();
        let mut periods = paid_periods(conn, of, today)?;
        let of_days = |Days { id, newest, before_today, paid }| {
            let charge = |day: Option<String>| found.get(&(id, day?.as_str())).copied();
            let day_charge = |day| charge(day).map(|(_, charge, _)| charge.clone());
            let charges = Self {
                newest: day_charge(newest),
                before_today: day_charge(before_today),
                last_paid_day: charge(paid).and_then(|(_, paid, until)| periods::last_paid(&paid.day, until)),
                periods: periods.remove(&id).unwrap_or_default(),
            };
            (id, charges)
        };
        Ok(days.into_iter().map(of_days).collect())
    }

    /// Whether a day belongs to a paid period.
    pub fn pay_for(&self, day: NaiveDate) -> bool {
        self.periods.iter().any(|(first, last)| (*first..=*last).contains(&day))
    }
}

/// The paid periods of those subscriptions that ever had one longer than a day.
fn paid_periods(
    conn: &mut DbConnection,
    of: &[Subscription],
    today: NaiveDate,
) -> Result<BTreeMap<i64, Vec<(NaiveDate, NaiveDate)>>, Error> {
    let ids = of.iter().filter(|subscription| subscription.had_long_period).map(|subscription| subscription.id);
    let ids: Vec<i64> = ids.collect();
    let mut found: BTreeMap<i64, Vec<(NaiveDate, NaiveDate)>> = BTreeMap::new();
    if ids.is_empty() {
        return Ok(found);
    }
    let since = (today - RECENT - LONGEST).to_string();
    let charges: Vec<(i64, String, String)> = ledger::table
        .filter(ledger::subscription_id.eq_any(ids).and(ledger::kind.eq(CHARGE)))
        .filter(ledger::day.between(since, today.to_string()).and(ledger::status.eq(SETTLED)))
        .select((ledger::subscription_id, ledger::day, ledger::paid_until))
        .load(conn)?;
    for (id, first, until) in charges {
        if let (Ok(first), Some(last)) = (first.parse(), periods::last_paid(&first, &until)) {
            found.entry(id).or_default().push((first, last));
        }
    }
    Ok(found)
}

//! Days, months and billing times, all of them Johannesburg's.

use chrono::{Datelike, Days, NaiveDate, NaiveDateTime, NaiveTime, TimeZone};
use operator::JOHANNESBURG;

/// The calendar day of a moment.
pub(crate) fn day_of(at: NaiveDateTime) -> NaiveDate {
    JOHANNESBURG.from_utc_datetime(&at).date_naive()
}

/// The hour of a moment, as a word.
pub(crate) fn hour_of(at: NaiveDateTime) -> String {
    JOHANNESBURG.from_utc_datetime(&at).format("%Y-%m-%dT%H").to_string()
}

/// A day's moment at a time of day, as UTC.
pub(crate) fn moment(day: NaiveDate, time: NaiveTime) -> Option<NaiveDateTime> {
    Some(JOHANNESBURG.from_local_datetime(&day.and_time(time)).earliest()?.naive_utc())
}

/// The time of day of a moment.
pub(crate) fn time_of(at: NaiveDateTime) -> NaiveTime {
    JOHANNESBURG.from_utc_datetime(&at).time()
}

/// The first day of the month of a moment.
pub(crate) fn month_start(at: NaiveDateTime) -> NaiveDate {
    let day = day_of(at);
    day.with_day(1).unwrap_or(day)
}

/// The day of the month of a moment, 1 to 31.
pub(crate) fn day_of_month(at: NaiveDateTime) -> i32 {
    i32::try_from(day_of(at).day()).unwrap_or(1)
}

/// When in the day passes begin by themselves (`BILLING_TIMES`); none means they do not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BillingTimes(Vec<NaiveTime>);

impl std::str::FromStr for BillingTimes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut times = text
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(|part| NaiveTime::parse_from_str(part, "%H:%M").map_err(|_| format!("{part:?} is no time like 06:00")))
            .collect::<Result<Vec<_>, _>>()?;
        times.sort_unstable();
        Ok(Self(times))
    }
}

impl BillingTimes {
    /// The last billing time of the day that `now` has reached.
    pub(crate) fn reached(&self, now: NaiveDateTime) -> Option<NaiveDateTime> {
        let time = time_of(now);
        let last = self.0.iter().rev().find(|at| **at <= time)?;
        moment(day_of(now), *last)
    }

    /// When a charge is due next, as UTC: at today's next billing time where today `is_due`, else at tomorrow's first.
    pub(crate) fn next(&self, now: NaiveDateTime, is_due: bool) -> Option<NaiveDateTime> {
        let time = time_of(now);
        if let Some(later) = self.0.iter().find(|at| is_due && **at > time) {
            return moment(day_of(now), *later);
        }
        // Without times of ours somebody runs the passes by hand, in the morning as a rule.
        let first = self.0.first().copied().or(NaiveTime::from_hms_opt(6, 0, 0))?;
        moment(day_of(now).checked_add_days(Days::new(1))?, first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> NaiveDateTime {
        NaiveDateTime::parse_from_str(text, service::timestamp::FORMAT).unwrap()
    }

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    fn days_and_months_are_johannesburgs() {
        // 22:30 UTC on the 30th is half past midnight on the 1st over there.
        assert_eq!(month_start(at("2026-11-30 22:30:00")), day("2026-12-01"));
        assert_eq!(month_start(at("2026-11-30 21:30:00")), day("2026-11-01"));
        assert_eq!(day_of(at("2028-02-28 22:00:00")), day("2028-02-29"));
        assert_eq!(day_of(at("2028-02-29 21:59:59")), day("2028-02-29"));
        assert_eq!(hour_of(at("2026-12-31 22:30:00")), "2027-01-01T00");
    }

    #[test]
    fn the_next_charge_is_todays_where_today_is_due() {
        let times: BillingTimes = "06:00,13:00".parse().unwrap();
        for (now, is_due, next) in [
            ("2026-11-30 22:30:00", true, "2026-12-01 04:00:00"),
            ("2026-11-30 22:30:00", false, "2026-12-02 04:00:00"),
            ("2026-12-01 04:00:00", true, "2026-12-01 11:00:00"),
            ("2026-12-01 11:00:00", true, "2026-12-02 04:00:00"),
            ("2026-11-30 21:30:00", false, "2026-12-01 04:00:00"),
        ] {
            assert_eq!(times.next(at(now), is_due), Some(at(next)), "{now} {is_due}");
        }
        assert_eq!(BillingTimes::default().next(at("2026-12-01 02:00:00"), true), Some(at("2026-12-02 04:00:00")));
    }

    #[test]
    fn passes_begin_at_their_times() {
        let times: BillingTimes = "18:00, 06:00,13:00".parse().unwrap();
        assert_eq!(times.reached(at("2026-11-30 03:59:59")), None);
        assert_eq!(times.reached(at("2026-11-30 04:00:00")), Some(at("2026-11-30 04:00:00")));
        assert_eq!(times.reached(at("2026-11-30 15:59:59")), Some(at("2026-11-30 11:00:00")));
        assert_eq!(times.reached(at("2026-11-30 21:59:59")), Some(at("2026-11-30 16:00:00")));
        assert_eq!(times.reached(at("2026-11-30 22:00:00")), None, "a new day");
        assert_eq!("".parse::<BillingTimes>().unwrap().reached(at("2026-11-30 12:00:00")), None);
        assert!("25:00".parse::<BillingTimes>().is_err());
    }
}

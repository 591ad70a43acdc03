//! Days, months and billing times in Johannesburg.

use chrono::{Datelike, Days, NaiveDate, NaiveDateTime, NaiveTime, TimeZone};
use operator::JOHANNESBURG;

/// The calendar day of a time.
pub(crate) fn day_of(at: NaiveDateTime) -> NaiveDate {
    JOHANNESBURG.from_utc_datetime(&at).date_naive()
}

/// The hour of a time, as text.
pub(crate) fn hour_of(at: NaiveDateTime) -> String {
    JOHANNESBURG.from_utc_datetime(&at).format("%Y-%m-%dT%H").to_string()
}

/// A day's time of day, as UTC.
pub(crate) fn moment(day: NaiveDate, time: NaiveTime) -> Option<NaiveDateTime> {
    Some(JOHANNESBURG.from_local_datetime(&day.and_time(time)).earliest()?.naive_utc())
}

/// The time of day of a time.
pub(crate) fn time_of(at: NaiveDateTime) -> NaiveTime {
    JOHANNESBURG.from_utc_datetime(&at).time()
}

/// The first day of the month of a time.
pub(crate) fn month_start(at: NaiveDateTime) -> NaiveDate {
    let day = day_of(at);
    day.with_day(1).unwrap_or(day)
}

/// The day of the month of a time, 1 to 31.
pub(crate) fn day_of_month(at: NaiveDateTime) -> i32 {
    i32::try_from(day_of(at).day()).unwrap_or(1)
}

/// When passes start by themselves (`BILLING_TIMES`); empty means never.
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
    /// The last billing time of the day at or before `now`.
    pub(crate) fn reached(&self, now: NaiveDateTime) -> Option<NaiveDateTime> {
        let time = time_of(now);
        let last = self.0.iter().rev().find(|at| **at <= time)?;
        moment(day_of(now), *last)
    }

    /// When the next charge is due, as UTC: at today's next billing time where today `is_due`, else at tomorrow's first.
    pub(crate) fn next(&self, now: NaiveDateTime, is_due: bool) -> Option<NaiveDateTime> {
        let time = time_of(now);
        if let Some(later) = self.0.iter().find(|at| is_due && **at > time) {
            return moment(day_of(now), *later);
        }
        self.first_of(day_of(now).checked_add_days(Days::new(1))?)
    }

    /// A day's first billing time, as UTC.
    pub(crate) fn first_of(&self, day: NaiveDate) -> Option<NaiveDateTime> {
        // Without billing times an operator starts the passes, usually in the morning.
        let first = self.0.first().copied().or(NaiveTime::from_hms_opt(6, 0, 0))?;
        moment(day, first)
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
    fn days_and_months_follow_johannesburg_time() {
        // 22:30 UTC on the 30th is 00:30 on the 1st in Johannesburg.
        assert_eq!(month_start(at("2026-11-30 22:30:00")), day("2026-12-01"));
        assert_eq!(month_start(at("2026-11-30 21:30:00")), day("2026-11-01"));
        assert_eq!(day_of(at("2028-02-28 22:00:00")), day("2028-02-29"));
        assert_eq!(day_of(at("2028-02-29 21:59:59")), day("2028-02-29"));
        assert_eq!(hour_of(at("2026-12-31 22:30:00")), "2027-01-01T00");
    }

    #[test]
    fn next_is_later_today_if_due_else_tomorrow() {
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
    fn reached_returns_the_last_billing_time_of_the_day() {
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

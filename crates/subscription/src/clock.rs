//! The service's clock: the one place that asks what time it is.

use chrono::{Days, NaiveDateTime, NaiveTime, SubsecRound, TimeDelta, TimeZone, Utc};
use operator::JOHANNESBURG;

/// How long a join waits for the person's answer at the network.
pub const PENDING_LIFE: TimeDelta = TimeDelta::days(5);

/// When a day's first billing pass begins, in Johannesburg hours.
const FIRST_PASS_HOUR: u32 = 6;

/// Now, UTC, to the microsecond: the finest that both engines keep.
pub fn now() -> NaiveDateTime {
    Utc::now().naive_utc().trunc_subsecs(6)
}

/// When the calendar day after `now` is charged: Johannesburg's next 06:00, as UTC.
pub fn next_charge(now: NaiveDateTime) -> Option<NaiveDateTime> {
    let tomorrow = JOHANNESBURG.from_utc_datetime(&now).date_naive().checked_add_days(Days::new(1))?;
    let charged = JOHANNESBURG.from_local_datetime(&tomorrow.and_hms_opt(FIRST_PASS_HOUR, 0, 0)?).earliest()?;
    Some(charged.naive_utc())
}

/// When the calendar month of `now` began in Johannesburg, as UTC.
pub fn month_start(now: NaiveDateTime) -> Option<NaiveDateTime> {
    use chrono::Datelike;
    let first = JOHANNESBURG.from_utc_datetime(&now).date_naive().with_day(1)?;
    Some(JOHANNESBURG.from_local_datetime(&first.and_time(NaiveTime::MIN)).earliest()?.naive_utc())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> NaiveDateTime {
        NaiveDateTime::parse_from_str(text, web::timestamp::FORMAT).unwrap()
    }

    #[test]
    fn days_and_months_are_johannesburgs() {
        // 22:30 UTC on the 30th is half past midnight on the 1st over there.
        assert_eq!(next_charge(at("2026-11-30 22:30:00")), Some(at("2026-12-02 04:00:00")));
        assert_eq!(next_charge(at("2026-11-30 21:30:00")), Some(at("2026-12-01 04:00:00")));
        assert_eq!(month_start(at("2026-11-30 22:30:00")), Some(at("2026-11-30 22:00:00")));
        assert_eq!(month_start(at("2026-11-30 21:30:00")), Some(at("2026-10-31 22:00:00")));
    }
}

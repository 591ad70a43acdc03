//! The network's clock, which can be moved forward where TEST_CLOCK=1, and Johannesburg's days.

use actix_web::web::{Data, Json};
use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone};
use operator::JOHANNESBURG;
use service::{Admin, Clock, ClockReply, ClockRequest};

use crate::{App, error::Error};

/// The time of day that charges of another day than today have: 06:00.
const BILLING_TIME: TimeDelta = TimeDelta::hours(6);

/// Johannesburg's calendar day of a moment.
pub(crate) fn day_of(at: NaiveDateTime) -> NaiveDate {
    JOHANNESBURG.from_utc_datetime(&at).date_naive()
}

/// Johannesburg's midnight at which a day begins, as UTC.
pub(crate) fn start_of(day: NaiveDate) -> NaiveDateTime {
    let midnight = day.and_time(NaiveTime::MIN);
    // Every local time of Johannesburg's is one moment: it has had no summer time since 1944.
    JOHANNESBURG.from_local_datetime(&midnight).earliest().map_or(midnight, |at| at.naive_utc())
}

/// A moment of this day: now where it is today, else its billing time.
pub(crate) fn moment_of(clock: &Clock, day: NaiveDate) -> NaiveDateTime {
    let now = clock.now();
    if day_of(now) == day { now } else { start_of(day) + BILLING_TIME }
}

/// Moves the clock forward, where tests may.
pub(crate) async fn move_clock(
    _: Admin,
    app: Data<App>,
    request: Json<ClockRequest>,
) -> Result<Json<ClockReply>, Error> {
    if !app.test_clock {
        return Err(Error::ClockFixed);
    }
    app.clock.move_forward(&request).map(Json).ok_or(Error::ClockBack)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_johannesburgs() {
        let at = |text: &str| NaiveDateTime::parse_from_str(text, service::timestamp::FORMAT).unwrap();
        let day = day_of(at("2028-02-28 22:00:00"));
        assert_eq!(day.to_string(), "2028-02-29");
        assert_eq!(start_of(day), at("2028-02-28 22:00:00"));
        assert_eq!(moment_of(&Clock::default(), day), at("2028-02-29 04:00:00"));
    }
}

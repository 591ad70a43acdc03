//! The network's clock: the one place that asks what time it is. Where TEST_CLOCK=1 it can be moved forward.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use actix_web::web::{Data, Json};
use chrono::{
    DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, SecondsFormat, SubsecRound, TimeDelta, TimeZone, Utc,
};
use operator::JOHANNESBURG;
use serde::{Deserialize, Serialize};
use web::Admin;

use crate::{App, error::Error};

/// When in a day that is not today its charges are said to have been made: 06:00.
const BILLING_TIME: TimeDelta = TimeDelta::hours(6);

/// Tells the time that charges, subscriptions and events go by; a process that starts again starts at the system's.
#[derive(Clone, Default)]
pub(crate) struct Clock {
    /// How far it is ahead of the system's, in microseconds.
    ahead: Arc<AtomicI64>,
}

/// Now by the system's clock: for signatures, and for when a notification is tried again.
pub(crate) fn system_now() -> NaiveDateTime {
    Utc::now().naive_utc().trunc_subsecs(6)
}

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

impl Clock {
    /// Now, UTC, to the microsecond: the finest that both engines keep.
    pub fn now(&self) -> NaiveDateTime {
        system_now() + TimeDelta::microseconds(self.ahead.load(Ordering::Relaxed))
    }

    /// A moment of this day: now where it is today, else its billing time.
    pub fn moment_of(&self, day: NaiveDate) -> NaiveDateTime {
        let now = self.now();
        if day_of(now) == day { now } else { start_of(day) + BILLING_TIME }
    }

    /// Moves it forward; false where that would be back.
    fn move_to(&self, to: NaiveDateTime) -> bool {
        let Some(ahead) = (to - system_now()).num_microseconds() else { return false };
        self.ahead.fetch_max(ahead, Ordering::Relaxed) <= ahead
    }
}

/// Where the clock is to stand.
#[derive(Deserialize)]
pub(crate) struct ClockRequest {
    now: DateTime<FixedOffset>,
}

/// Where it stands.
#[derive(Serialize)]
pub(crate) struct ClockReply {
    now: String,
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
    if !app.clock.move_to(request.now.naive_utc().trunc_subsecs(6)) {
        return Err(Error::ClockBack);
    }
    let now = app.clock.now().and_utc();
    tracing::warn!(clock.now = %now, "the clock was moved");
    Ok(Json(ClockReply { now: now.to_rfc3339_opts(SecondsFormat::Secs, true) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_moves_forward_only() {
        let clock = Clock::default();
        let start = clock.now();
        assert!(clock.move_to(start + TimeDelta::days(40)));
        assert!(clock.now() >= start + TimeDelta::days(40));
        assert!(!clock.move_to(start + TimeDelta::days(39)));
        assert!(clock.now() >= start + TimeDelta::days(40));
    }

    #[test]
    fn days_are_johannesburgs() {
        let at = |text: &str| NaiveDateTime::parse_from_str(text, web::timestamp::FORMAT).unwrap();
        let day = day_of(at("2028-02-28 22:00:00"));
        assert_eq!(day.to_string(), "2028-02-29");
        assert_eq!(start_of(day), at("2028-02-28 22:00:00"));
        assert_eq!(Clock::default().moment_of(day), at("2028-02-29 04:00:00"));
    }
}

//! A clock that tests may move forward; everywhere else it is the system's.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use chrono::{DateTime, FixedOffset, NaiveDateTime, SecondsFormat, SubsecRound, TimeDelta};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::machine;

/// The time used for days, charges and events; shared by all parts of one process.
///
/// Each process has its own offset: replicas of one database are moved one by one. After a restart a process uses the system's time.
#[derive(Clone, Default)]
pub struct Clock {
    /// How far it is ahead of the system's clock, in microseconds.
    ahead: Arc<AtomicI64>,
}

/// Where a clock is to stand.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ClockRequest {
    /// RFC 3339, with a zone.
    #[schema(value_type = String, example = "2026-12-01T06:00:00+02:00")]
    now: DateTime<FixedOffset>,
}

impl ClockRequest {
    /// The requested time, UTC, to the microsecond.
    pub fn time(&self) -> NaiveDateTime {
        self.now.naive_utc().trunc_subsecs(6)
    }
}

/// Where it stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClockReply {
    now: String,
}

impl Clock {
    /// The system's time, UTC, to the microsecond (the finest that both engines store): for signatures, and for heartbeats of other
    /// processes.
    pub fn system_now() -> NaiveDateTime {
        machine::now().naive_utc().trunc_subsecs(6)
    }

    /// The current time, UTC, to the microsecond.
    pub fn now(&self) -> NaiveDateTime {
        Self::system_now() + TimeDelta::microseconds(self.ahead.load(Ordering::Relaxed))
    }

    /// Moves the clock forward; `None` where the time requested is in the past.
    pub fn move_forward(&self, request: &ClockRequest) -> Option<ClockReply> {
        self.move_to(request.time()).then(|| {
            let now = self.now().and_utc();
            tracing::warn!(clock.now = %now, "the clock was moved");
            ClockReply { now: now.to_rfc3339_opts(SecondsFormat::Secs, true) }
        })
    }

    fn move_to(&self, to: NaiveDateTime) -> bool {
        let Some(ahead) = (to - Self::system_now()).num_microseconds() else { return false };
        self.ahead.fetch_max(ahead, Ordering::Relaxed) <= ahead
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn move_to_rejects_earlier_times() {
        let clock = Clock::default();
        let start = clock.now();
        assert!(clock.move_to(start + TimeDelta::days(40)));
        assert!(clock.now() >= start + TimeDelta::days(40));
        assert!(!clock.move_to(start + TimeDelta::days(39)));
        assert!(clock.now() >= start + TimeDelta::days(40));
    }
}

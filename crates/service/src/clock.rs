//! A clock that tests may move forward; everywhere else it is the system's.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use chrono::{DateTime, FixedOffset, NaiveDateTime, SecondsFormat, SubsecRound, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Tells the time that days, charges and events go by; shared by every part of one process.
///
/// Each process has its own: where several replicas share a database, each is moved by a call of its own. A process that
/// starts again starts at the system's time.
#[derive(Clone, Default)]
pub struct Clock {
    /// How far it is ahead of the system's, in microseconds.
    ahead: Arc<AtomicI64>,
}

/// Where a clock is to stand.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ClockRequest {
    /// RFC 3339, with a zone.
    #[schema(value_type = String, example = "2026-12-01T06:00:00+02:00")]
    now: DateTime<FixedOffset>,
}

/// Where it stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct ClockReply {
    now: String,
}

impl Clock {
    /// Now by the system's clock, UTC, to the microsecond (the finest that both engines keep): for signatures, and for how long another
    /// process has been silent.
    pub fn system_now() -> NaiveDateTime {
        Utc::now().naive_utc().trunc_subsecs(6)
    }

    /// Now, UTC, to the microsecond.
    pub fn now(&self) -> NaiveDateTime {
        Self::system_now() + TimeDelta::microseconds(self.ahead.load(Ordering::Relaxed))
    }

    /// Moves it forward; nothing where that would be back.
    pub fn move_forward(&self, request: &ClockRequest) -> Option<ClockReply> {
        self.move_to(request.now.naive_utc().trunc_subsecs(6)).then(|| {
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
    fn it_moves_forward_only() {
        let clock = Clock::default();
        let start = clock.now();
        assert!(clock.move_to(start + TimeDelta::days(40)));
        assert!(clock.now() >= start + TimeDelta::days(40));
        assert!(!clock.move_to(start + TimeDelta::days(39)));
        assert!(clock.now() >= start + TimeDelta::days(40));
    }
}

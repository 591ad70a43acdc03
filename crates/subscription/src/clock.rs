//! The service's clock: the one place that asks what time it is. Where TEST_CLOCK=1 it can be moved forward.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use actix_web::web::{Data, Json};
use chrono::{DateTime, FixedOffset, NaiveDateTime, SecondsFormat, SubsecRound, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use web::{
    Admin,
    openapi::{NotFound, Refused},
};

use crate::{App, error::Error};

/// How long a join waits for the person's answer at the network.
pub const PENDING_LIFE: TimeDelta = TimeDelta::days(5);

/// Tells the time that days, passes and events go by; shared by every part of one process.
///
/// Each process has its own: where several replicas share a database, each is moved by a call of its own. A process that
/// starts again starts at the system's time.
#[derive(Clone, Default)]
pub(crate) struct Clock {
    /// How far it is ahead of the system's, in microseconds.
    ahead: Arc<AtomicI64>,
}

/// Now by the system's clock: for signatures, and for how long another process has been silent.
pub(crate) fn system_now() -> NaiveDateTime {
    Utc::now().naive_utc().trunc_subsecs(6)
}

impl Clock {
    /// Now, UTC, to the microsecond: the finest that both engines keep.
    pub fn now(&self) -> NaiveDateTime {
        system_now() + TimeDelta::microseconds(self.ahead.load(Ordering::Relaxed))
    }

    /// Moves it forward; false where that would be back.
    fn move_to(&self, to: NaiveDateTime) -> bool {
        let Some(ahead) = (to - system_now()).num_microseconds() else { return false };
        self.ahead.fetch_max(ahead, Ordering::Relaxed) <= ahead
    }
}

/// Where the clock is to stand.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ClockRequest {
    /// RFC 3339, with a zone.
    #[schema(value_type = String, example = "2026-12-01T06:00:00+02:00")]
    now: DateTime<FixedOffset>,
}

/// Where it stands.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClockReply {
    now: String,
}

/// Moves the clock forward, where tests may.
#[utoipa::path(
    post,
    path = "",
    request_body = ClockRequest,
    responses((status = 200, description = "Where it stands.", body = ClockReply), NotFound, Refused)
)]
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
    app.janitor_bell.notify_one();
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
}

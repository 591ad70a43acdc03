//! A rate limit by tokio's clock, which a simulation pauses.

use std::num::NonZeroU32;

use governor::{
    Quota, RateLimiter,
    clock::Clock,
    middleware::NoOpMiddleware,
    state::{InMemoryState, NotKeyed},
};

#[derive(Clone)]
struct TokioClock;

impl Clock for TokioClock {
    type Instant = std::time::Instant;

    fn now(&self) -> Self::Instant {
        tokio::time::Instant::now().into_std()
    }
}

/// Calls per second.
pub(crate) struct RateLimit(
    RateLimiter<NotKeyed, InMemoryState, TokioClock, NoOpMiddleware<<TokioClock as Clock>::Instant>>,
);

impl RateLimit {
    /// `burst` calls may start at once; at least one of each.
    pub fn new(per_second: u32, burst: u32) -> Self {
        let at_least_one = |number: u32| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_second(at_least_one(per_second)).allow_burst(at_least_one(burst));
        Self(RateLimiter::direct_with_clock(quota, TokioClock))
    }

    /// Whether one more call may start now; if so it is counted.
    pub fn admits(&self) -> bool {
        self.0.check().is_ok()
    }

    /// Waits until one more call may start.
    pub async fn until_ready(&self) {
        while let Err(not_until) = self.0.check() {
            tokio::time::sleep(not_until.wait_time_from(TokioClock.now())).await;
        }
    }
}

//! The throttle of one network: concurrent charges, charges and status queries per second, and a circuit breaker.
//!
//! The circuit breaker is our own because the published ones let any number of calls through after a pause: 64 charges would time out at
//! once where one is enough to see that the network is still unavailable.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use brands::{Breaker, Network, Pace};
use metrics::gauge;
use service::Clock;
use telemetry::names::NETWORK_PAUSED;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};

use super::{alarms, pace::AdaptivePace, rate_limit::RateLimit};

/// The rate limits and circuit breaker of one network in this process.
pub(crate) struct Throttle {
    name: String,
    pace: Pace,
    breaker: Breaker,
    slots: Arc<Semaphore>,
    charges: RateLimit,
    adaptive: AdaptivePace,
    status_queries: RateLimit,
    state: Mutex<State>,
    /// Calls that have not ended; in the half-open state only one is admitted.
    calls_in_flight: AtomicUsize,
}

enum State {
    /// The last calls, newest last: whether each failed.
    Closed(VecDeque<bool>),
    Open {
        until: Instant,
    },
}

/// How many calls may start now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    /// Any number, up to the free slots.
    Any,
    /// One, to see whether the network answers again (half-open).
    One,
    /// None, for this long (open).
    None(Duration),
}

impl Throttle {
    /// With the settings of a network.
    pub fn new(name: &str, network: &Network) -> Self {
        let Network { pace, breaker, .. } = *network;
        gauge!(NETWORK_PAUSED, "network" => name.to_owned()).set(0);
        Self {
            name: name.to_owned(),
            pace,
            breaker,
            slots: Arc::new(Semaphore::new(usize::try_from(pace.charges_at_once).unwrap_or(1))),
            charges: RateLimit::new(pace.charges_per_second, pace.charges_per_second),
            adaptive: AdaptivePace::new(pace.charges_per_second),
            status_queries: RateLimit::new(pace.questions_per_second, pace.questions_per_second),
            state: Mutex::new(State::Closed(VecDeque::new())),
            calls_in_flight: AtomicUsize::new(0),
        }
    }

    /// Whether it has these settings.
    pub fn has_settings_of(&self, network: &Network) -> bool {
        self.pace == network.pace && self.breaker == network.breaker
    }

    /// The most charges to claim at once: as many as can start within a second.
    pub fn max_batch(&self) -> usize {
        let most = usize::try_from(self.pace.charges_at_once.min(self.pace.charges_per_second)).unwrap_or(1);
        most.min(self.adaptive.of_a_second())
    }

    /// How long the network wants to get no charges. They are claimed after that, because a claim is for a short time.
    pub fn rest(&self) -> Duration {
        self.adaptive.rest()
    }

    /// The network answered about a charge.
    pub fn accepted(&self) {
        self.adaptive.accepted();
    }

    /// The network said "later"; whether the charge may be sent again in its pass. No outage: the circuit breaker does not count it.
    pub fn refused(&self, after: Option<Duration>) -> bool {
        self.adaptive.refused(after)
    }

    /// Waits for at least `least` free slots, then acquires up to `most` that are free. Dropping a permit frees its slot.
    pub async fn slots(&self, least: usize, most: usize) -> Vec<OwnedSemaphorePermit> {
        let least = u32::try_from(least.max(1)).unwrap_or(1);
        let Ok(mut first) = self.slots.clone().acquire_many_owned(least).await else { return Vec::new() };
        let mut slots: Vec<_> = std::iter::from_fn(|| first.split(1)).collect();
        while slots.len() < most
            && let Ok(one) = self.slots.clone().try_acquire_owned()
        {
            slots.push(one);
        }
        slots
    }

    /// Waits for the rate limit of charges.
    pub async fn wait_for_charge_rate(&self) {
        self.charges.until_ready().await;
        tokio::time::sleep(self.adaptive.turn()).await;
    }

    /// Whether the rate limit admits one more status query; if so it is counted.
    pub fn try_status_query(&self) -> bool {
        self.status_queries.admits()
    }

    /// The most status queries per second.
    pub fn status_queries(&self) -> u32 {
        self.pace.questions_per_second
    }

    /// How many calls may start.
    pub fn admission(&self) -> Admission {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match *state {
            State::Closed(_) => Admission::Any,
            State::Open { until } => match until.checked_duration_since(Instant::now()) {
                Some(left) => Admission::None(left),
                None if self.calls_in_flight.load(Ordering::Relaxed) == 0 => Admission::One,
                None => Admission::None(Duration::from_millis(200)),
            },
        }
    }

    /// Whether calls are paused, or one alone is admitted after a pause.
    pub fn is_paused(&self) -> bool {
        self.admission() != Admission::Any
    }

    /// Registers a call; dropping the guard ends it.
    pub fn begin(self: &Arc<Self>) -> CallGuard {
        self.calls_in_flight.fetch_add(1, Ordering::Relaxed);
        CallGuard(self.clone())
    }

    /// Records the end of a call: whether the network answered.
    pub fn record(&self, answered: bool) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let length = usize::try_from(self.breaker.calls).unwrap_or(usize::MAX);
        match &mut *state {
            State::Closed(calls) => {
                calls.push_back(!answered);
                if calls.len() > length {
                    calls.pop_front();
                }
                let failed = calls.iter().filter(|failed| **failed).count();
                if calls.len() >= length && failed * 2 >= length {
                    self.pause(&mut state);
                }
            }
            State::Open { until } if *until <= Instant::now() => {
                if answered {
                    tracing::info!(network.name = self.name, "the network answers again; charging goes on");
                    gauge!(NETWORK_PAUSED, "network" => self.name.clone()).set(0);
                    *state = State::Closed(VecDeque::new());
                } else {
                    self.pause(&mut state);
                }
            }
            State::Open { .. } => {}
        }
    }

    fn pause(&self, state: &mut State) {
        let pause = Duration::from_secs(self.breaker.pause_seconds.into());
        tracing::error!(
            alarm = alarms::daily("network_paused", &self.name, Clock::system_now()),
            network.name = self.name,
            network.pause_seconds = self.breaker.pause_seconds,
            "the network does not answer; charging pauses"
        );
        gauge!(NETWORK_PAUSED, "network" => self.name.clone()).set(1);
        *state = State::Open { until: Instant::now() + pause };
    }
}

/// Counts a call in flight until it is dropped.
pub(crate) struct CallGuard(Arc<Throttle>);

impl Drop for CallGuard {
    fn drop(&mut self) {
        self.0.calls_in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn throttle(text: &str) -> Arc<Throttle> {
        let family = include_str!("../../../../deploy/brands.toml");
        let brands = family.replacen("\n[[brand]]", &format!("\n[network.n]\nshape = 'pull'\n{text}\n\n[[brand]]"), 1);
        let network = brands::Brands::parse(&brands, "brands.toml").unwrap().network("n").unwrap();
        Arc::new(Throttle::new("n", &network))
    }

    #[test]
    fn admission_opens_after_failures_and_half_opens_after_the_pause() {
        let throttle = throttle("[network.n.breaker]\ncalls = 4\npause_seconds = 1");
        for answered in [true, false, true] {
            throttle.record(answered);
        }
        assert_eq!(throttle.admission(), Admission::Any);
        throttle.record(false);
        assert!(matches!(throttle.admission(), Admission::None(_)));
        throttle.record(true);
        assert!(matches!(throttle.admission(), Admission::None(_)), "a call from before the pause ends no pause");
        std::thread::sleep(Duration::from_millis(1050));
        assert_eq!(throttle.admission(), Admission::One);
        let call = throttle.begin();
        assert!(matches!(throttle.admission(), Admission::None(_)), "one is enough");
        throttle.record(false);
        drop(call);
        assert!(matches!(throttle.admission(), Admission::None(_)));
        std::thread::sleep(Duration::from_millis(1050));
        throttle.record(true);
        assert_eq!(throttle.admission(), Admission::Any);
    }
}

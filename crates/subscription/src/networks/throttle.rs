//! How much one network is asked: so many charges at once and in a second, few questions, and none while it does not answer.
//!
//! The breaker is our own because the published ones let any number of calls through after a pause: 64 charges would hang at once
//! where one is enough to see that the network is still away.

use std::{
    collections::VecDeque,
    num::NonZeroU32,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use brands::{Breaker, Network, Pace};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use metrics::gauge;
use telemetry::names::NETWORK_PAUSED;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The limits of one network in this process.
pub(crate) struct Throttle {
    name: String,
    pace: Pace,
    breaker: Breaker,
    slots: Arc<Semaphore>,
    charges: DefaultDirectRateLimiter,
    status_queries: DefaultDirectRateLimiter,
    state: Mutex<State>,
    /// Calls that try a network after its pause.
    calls_in_flight: AtomicUsize,
}

enum State {
    /// The last calls, newest last: whether each failed.
    Closed(VecDeque<bool>),
    Open {
        until: Instant,
    },
}

/// How many calls may begin now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    /// As many as there are slots.
    Any,
    /// One, to see whether the network answers again.
    One,
    /// None, for so long.
    None(Duration),
}

impl Throttle {
    /// By the settings of a network.
    pub fn new(name: &str, network: &Network) -> Self {
        let per_second =
            |calls: u32| RateLimiter::direct(Quota::per_second(NonZeroU32::new(calls).unwrap_or(NonZeroU32::MIN)));
        let Network { pace, breaker, .. } = *network;
        gauge!(NETWORK_PAUSED, "network" => name.to_owned()).set(0);
        Self {
            name: name.to_owned(),
            pace,
            breaker,
            slots: Arc::new(Semaphore::new(usize::try_from(pace.charges_at_once).unwrap_or(1))),
            charges: per_second(pace.charges_per_second),
            status_queries: per_second(pace.questions_per_second),
            state: Mutex::new(State::Closed(VecDeque::new())),
            calls_in_flight: AtomicUsize::new(0),
        }
    }

    /// Whether it follows these settings.
    pub fn has_settings_of(&self, network: &Network) -> bool {
        self.pace == network.pace && self.breaker == network.breaker
    }

    /// The most charges to claim at once: what can be begun within a second.
    pub fn max_batch(&self) -> usize {
        usize::try_from(self.pace.charges_at_once.min(self.pace.charges_per_second)).unwrap_or(1)
    }

    /// Waits for at least `least` free slots, then takes as many more as are free, up to `most`. A slot is free again when its
    /// permit is dropped.
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

    /// Waits until one more charge may begin by the charges of a second.
    pub async fn wait_for_charge_rate(&self) {
        self.charges.until_ready().await;
    }

    /// Takes one question out of the second's budget, where it has one left.
    pub fn try_status_query(&self) -> bool {
        self.status_queries.check().is_ok()
    }

    /// How many questions a second holds at most.
    pub fn status_queries(&self) -> u32 {
        self.pace.questions_per_second
    }

    /// How many calls may begin.
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

    /// A call begins. Dropping what it answers ends the call.
    pub fn begin(self: &Arc<Self>) -> CallGuard {
        self.calls_in_flight.fetch_add(1, Ordering::Relaxed);
        CallGuard(self.clone())
    }

    /// A call has ended: whether the network answered it.
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
            alarm = "network_paused",
            network.name = self.name,
            network.pause_seconds = self.breaker.pause_seconds,
            "the network does not answer; charging pauses"
        );
        gauge!(NETWORK_PAUSED, "network" => self.name.clone()).set(1);
        *state = State::Open { until: Instant::now() + pause };
    }
}

/// A call under way.
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
    fn a_network_that_does_not_answer_is_paused_and_then_tried_by_one_call() {
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

//! The pace of charges that a network takes: halved where it says "too many", and then raised slowly.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

/// How long a charge waits where the network says "later" and not when.
const SHORT_WAIT: Duration = Duration::from_secs(1);

/// The longest wait that a network may ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// For how long a network may take no charge at all until its charges fail for the pass.
const PATIENCE: Duration = Duration::from_secs(120);

/// The pace changes once in this time: the replies of one second are about one pace.
const INTERVAL: Duration = Duration::from_secs(1);

/// How much faster charges become with each interval in which the network takes them.
const GROWTH: f64 = 1.1;

/// The pace of one network.
pub(super) struct AdaptivePace {
    /// Charges per second of the settings.
    most: f64,
    state: Mutex<State>,
}

struct State {
    /// Charges per second; those of the settings until the network says "too many".
    per_second: f64,
    /// When it last changed.
    changed_at: Instant,
    /// When the next charge may start.
    next: Instant,
    /// Since when the network has taken no charge.
    refused_since: Option<Instant>,
    /// The second in which charges are counted, how many started in it, and in the one before.
    counted: (Instant, u32, u32),
}

impl AdaptivePace {
    pub fn new(charges_per_second: u32) -> Self {
        let (most, now) = (f64::from(charges_per_second.max(1)), Instant::now());
        let state = State { per_second: most, changed_at: now, next: now, refused_since: None, counted: (now, 0, 0) };
        Self { most, state: Mutex::new(state) }
    }

    /// How many charges may start within the next second.
    pub fn of_a_second(&self) -> usize {
        let per_second = self.with(|state| state.per_second);
        // A count of charges, far below the numbers that a float cannot have.
        format!("{:.0}", per_second.ceil()).parse().unwrap_or(1)
    }

    /// How long the network wants to get nothing.
    pub fn rest(&self) -> Duration {
        self.with(|state| state.next.saturating_duration_since(Instant::now()))
    }

    /// Takes the turn of one charge; returns how long it waits for it.
    pub fn turn(&self) -> Duration {
        self.with(|state| {
            let now = Instant::now();
            let (second, started, _) = state.counted;
            state.counted = match now.saturating_duration_since(second) {
                age if age < INTERVAL => (second, started + 1, state.counted.2),
                _ => (now, 1, started),
            };
            if state.per_second >= self.most && state.next <= now {
                return Duration::ZERO;
            }
            let turn = state.next.max(now);
            state.next = turn + Duration::from_secs_f64(1.0 / state.per_second);
            turn - now
        })
    }

    /// The network took a charge, or said a clear no.
    pub fn accepted(&self) {
        self.with(|state| {
            state.refused_since = None;
            if state.per_second < self.most && state.changed_at.elapsed() >= INTERVAL {
                state.per_second = (state.per_second * GROWTH).min(self.most);
                state.changed_at = Instant::now();
            }
        });
    }

    /// The network said "later", perhaps after a time. Whether the charge may be sent again in its pass.
    pub fn refused(&self, after: Option<Duration>) -> bool {
        self.with(|state| {
            let now = Instant::now();
            let since = *state.refused_since.get_or_insert(now);
            state.next = state.next.max(now + after.unwrap_or(SHORT_WAIT).min(LONGEST_WAIT));
            if state.changed_at.elapsed() >= INTERVAL {
                let (_, started, before) = state.counted;
                let found = f64::from(started.max(before).max(1));
                state.per_second = (state.per_second.min(found) / 2.0).max(1.0);
                state.changed_at = now;
            }
            now.saturating_duration_since(since) < PATIENCE
        })
    }

    fn with<T>(&self, act: impl FnOnce(&mut State) -> T) -> T {
        act(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pace_halves_when_the_network_says_later_and_grows_slowly() {
        let pace = AdaptivePace::new(10_000);
        std::thread::sleep(INTERVAL);
        for _ in 0..40 {
            assert_eq!(pace.turn(), Duration::ZERO);
        }
        assert!(pace.refused(Some(Duration::from_millis(100))) && pace.refused(None));
        assert_eq!(pace.of_a_second(), 20, "the replies of one second halve it once");
        assert!(pace.rest() > Duration::from_millis(900));
        let (first, second) = (pace.turn(), pace.turn());
        assert!(second > first && second - first <= Duration::from_millis(55), "{first:?} {second:?}");
        pace.accepted();
        assert_eq!(pace.of_a_second(), 20);
        std::thread::sleep(INTERVAL);
        pace.accepted();
        assert_eq!(pace.of_a_second(), 22);
    }
}

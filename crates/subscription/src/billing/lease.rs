//! The lease: how long a process may send what it has claimed. One that was silent for too long may have been taken for dead.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::NaiveDateTime;

use super::runners::{FENCE, LONGEST_FLIGHT};
use crate::tries::unguessable;

/// Since when this process may send what it claimed: its heartbeats, without a gap.
pub(super) struct Lease(Mutex<Held>);

struct Held {
    /// Names this process in claims, as long as the lease lasts.
    token: Arc<str>,
    last: Option<NaiveDateTime>,
}

impl Held {
    fn new() -> Self {
        Self { token: unguessable().into(), last: None }
    }
}

/// A claim's place in a lease.
#[derive(Clone)]
pub(super) struct Term {
    token: Arc<str>,
    began: NaiveDateTime,
}

impl Lease {
    pub fn new() -> Self {
        Self(Mutex::new(Held::new()))
    }

    fn held<T>(&self, look: impl FnOnce(&mut Held) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What this process is called in a claim or a heartbeat that begins at `at`. After a gap it is another lease, and what was
    /// claimed before is void.
    pub fn token(&self, at: NaiveDateTime) -> Arc<str> {
        self.held(|held| {
            if held.last.is_some_and(|last| at - last > FENCE) {
                *held = Held::new();
            }
            held.token.clone()
        })
    }

    /// A claim or a heartbeat under this name, begun at `at`, is written.
    pub fn renew(&self, token: Arc<str>, at: NaiveDateTime) -> Term {
        self.held(|held| {
            if held.token == token {
                held.last = held.last.max(Some(at));
            }
        });
        Term { token, began: at }
    }

    /// Nobody knows whether a claim under this name was written. From now on this process has another name, and whatever was claimed
    /// under the old one is taken over like a dead one's.
    pub fn give_up(&self, token: &str) {
        self.held(|held| {
            if *held.token == *token {
                *held = Held::new();
            }
        });
    }

    /// Whether what was claimed then may still be sent.
    pub fn covers(&self, term: &Term, now: NaiveDateTime) -> bool {
        self.held(|held| {
            let fresh = held.last.is_some_and(|last| now - last < FENCE);
            fresh && held.token == term.token && now - term.began < LONGEST_FLIGHT / 2
        })
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    fn after(seconds: i64) -> NaiveDateTime {
        NaiveDateTime::default() + TimeDelta::seconds(seconds)
    }

    fn beat(lease: &Lease, seconds: i64) -> Term {
        lease.renew(lease.token(after(seconds)), after(seconds))
    }

    #[test]
    fn a_gap_voids_what_was_claimed_before_it() {
        let lease = Lease::new();
        let first = beat(&lease, 0);
        assert!(lease.covers(&first, after(19)));
        assert!(!lease.covers(&first, after(20)), "silent for too long");
        beat(&lease, 20);
        assert!(lease.covers(&first, after(30)), "heard of in time");
        let second = beat(&lease, 50);
        assert!(
            !lease.covers(&first, after(51)) && lease.covers(&second, after(51)),
            "after a gap it is another lease"
        );
        for seconds in (60..400).step_by(10) {
            beat(&lease, seconds);
        }
        assert!(!lease.covers(&second, after(391)), "nothing waits for ever");
    }

    #[test]
    fn a_claim_that_may_have_been_written_is_left_to_those_who_take_over() {
        let lease = Lease::new();
        let first = beat(&lease, 0);
        let lost = lease.token(after(1));
        lease.give_up(&lost);
        assert!(!lease.covers(&first, after(1)), "what was claimed under that name is another's to settle");
        let second = beat(&lease, 2);
        assert_ne!(lost, lease.token(after(2)), "nobody says any more that it lives");
        // Of two that failed side by side, the later must not end what has begun since.
        lease.give_up(&lost);
        lease.renew(lost, after(10));
        assert!(lease.covers(&second, after(3)) && !lease.covers(&second, after(22)));
    }
}

//! The lease: how long a process may send what it has claimed. One that was silent for too long may have been taken for dead.

use std::sync::{Mutex, PoisonError};

use chrono::NaiveDateTime;

use super::runners::{FENCE, LONGEST_FLIGHT};

/// Since when this process may send what it claimed: its heartbeats, without a gap.
#[derive(Default)]
pub(super) struct Lease(Mutex<(Option<NaiveDateTime>, u64)>);

/// A claim's place in a lease.
#[derive(Clone, Copy)]
pub(super) struct Term {
    unbroken: u64,
    began: NaiveDateTime,
}

impl Lease {
    /// A heartbeat that was begun at `at` is written. After a gap it is a new lease, and what was claimed before is void.
    pub fn renew(&self, at: NaiveDateTime) -> Term {
        let mut lease = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lease.0.is_none_or(|last| at - last > FENCE) {
            lease.1 += 1;
        }
        lease.0 = lease.0.max(Some(at));
        Term { unbroken: lease.1, began: at }
    }

    /// Whether what was claimed then may still be sent.
    pub fn covers(&self, term: Term, now: NaiveDateTime) -> bool {
        let lease = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = lease.0.is_some_and(|last| now - last < FENCE);
        fresh && lease.1 == term.unbroken && now - term.began < LONGEST_FLIGHT / 2
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    #[test]
    fn a_gap_voids_what_was_claimed_before_it() {
        let start = NaiveDateTime::default();
        let after = |seconds: i64| start + TimeDelta::seconds(seconds);
        let lease = Lease::default();
        let first = lease.renew(start);
        assert!(lease.covers(first, after(19)));
        assert!(!lease.covers(first, after(20)), "silent for too long");
        lease.renew(after(20));
        assert!(lease.covers(first, after(30)), "heard of in time");
        let second = lease.renew(after(50));
        assert!(!lease.covers(first, after(51)) && lease.covers(second, after(51)), "after a gap it is another lease");
        for beat in (60..400).step_by(10) {
            lease.renew(after(beat));
        }
        assert!(!lease.covers(second, after(391)), "nothing waits for ever");
    }
}

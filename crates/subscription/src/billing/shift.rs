//! A shift: one stretch of sending charges to one network, how it goes, and when to give up.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering},
    },
    time::Instant,
};

use chrono::NaiveDate;
use tokio::sync::Mutex;

use super::settle::Outcome;

/// A network that was away so often in a row is left alone for a while.
const AWAY_IN_A_ROW: u32 = 100;

/// One stretch of work at one network.
pub(super) struct Shift {
    pub day: NaiveDate,
    away_in_a_row: AtomicU32,
    done: AtomicU64,
    charged: AtomicU64,
    /// Which claimed charges are for subscriptions that have ended since, and when we looked.
    pub ended: Mutex<(Instant, BTreeSet<i64>)>,
    began: Instant,
}

impl Shift {
    /// One that begins.
    pub fn new(day: NaiveDate) -> Self {
        Self {
            day,
            away_in_a_row: AtomicU32::new(0),
            done: AtomicU64::new(0),
            charged: AtomicU64::new(0),
            ended: Mutex::new((Instant::now(), BTreeSet::new())),
            began: Instant::now(),
        }
    }

    /// Whether the network is to be left alone for a while.
    pub fn is_away(&self) -> bool {
        self.away_in_a_row.load(Ordering::Relaxed) >= AWAY_IN_A_ROW
    }

    /// One more charge was sent.
    pub fn count(&self, outcome: &Outcome) {
        self.done.fetch_add(1, Ordering::Relaxed);
        match outcome {
            Outcome::Failed { counts: false, .. } => {
                self.away_in_a_row.fetch_add(1, Ordering::Relaxed);
            }
            other => {
                self.away_in_a_row.store(0, Ordering::Relaxed);
                let charged = u64::from(matches!(other, Outcome::Charged { .. }));
                self.charged.fetch_add(charged, Ordering::Relaxed);
            }
        }
    }

    /// Tells how far it is.
    pub fn tell(&self, network: &str) {
        let (done, charged) = (self.done.load(Ordering::Relaxed), self.charged.load(Ordering::Relaxed));
        let seconds = self.began.elapsed().as_secs().max(1);
        tracing::info!(
            network.name = network,
            charges.sent = done,
            charges.charged = charged,
            charges.per_second = done / seconds,
            "billing: {done} charges sent, {charged} charged"
        );
    }
}

/// Counts a stretch of work as long as it lasts.
pub(super) struct Busy(Arc<AtomicUsize>);

impl Busy {
    /// From now on.
    pub fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count.clone())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

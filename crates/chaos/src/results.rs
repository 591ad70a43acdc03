//! Results of a run: replies by the second, the faults, and every check that was violated.

use std::{cell::RefCell, time::Duration};

use tokio::time::Instant;

use crate::plan::Fault;

/// How long after a kill replies may break off.
const BREAKS_OFF: Duration = Duration::from_secs(5);

/// One second of the load.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Second {
    /// Replies other than 5xx.
    pub answered: u32,
    /// 503 with Retry-After.
    pub unavailable: u32,
    /// Requests without a reply, or with one that broke off.
    pub failed: u32,
    /// The slowest reply, in seconds.
    pub slowest: f64,
}

/// One fault with its times.
#[derive(Clone, Debug)]
pub(crate) struct FaultRecord {
    /// The fault.
    pub fault: Fault,
    /// When it began, since the start of the run.
    pub began: Duration,
    /// When it ended.
    pub ended: Option<Duration>,
    /// Time from its end until a home page, a list and a like of every brand worked; `None` where they did not in time.
    pub recovered: Option<Duration>,
}

/// One violation of a check.
#[derive(Clone, Debug)]
pub(crate) struct Violation {
    /// The check's name.
    pub check: &'static str,
    /// When, since the start of the run.
    pub at: Duration,
    /// What violated it.
    pub example: String,
}

/// All results.
pub(crate) struct Results {
    started: Instant,
    recorded: RefCell<Recorded>,
}

#[derive(Default)]
struct Recorded {
    seconds: Vec<Second>,
    faults: Vec<FaultRecord>,
    violations: Vec<Violation>,
}

/// How a request ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RequestEnd {
    /// With a reply other than a 5xx.
    Answered,
    /// With a 503 that says when to retry.
    Unavailable,
    /// With no reply, one that broke off, or another 5xx.
    Failed,
}

impl Results {
    /// No results yet.
    pub fn new() -> Self {
        Self { started: Instant::now(), recorded: RefCell::default() }
    }

    /// Time since the start of the run.
    pub fn now(&self) -> Duration {
        self.started.elapsed()
    }

    /// Counts a request.
    pub fn count(&self, end: RequestEnd, took: Duration) {
        let index = usize::try_from(self.now().as_secs()).unwrap_or_default();
        let mut recorded = self.recorded.borrow_mut();
        if recorded.seconds.len() <= index {
            recorded.seconds.resize(index + 1, Second::default());
        }
        let Some(second) = recorded.seconds.get_mut(index) else { return };
        match end {
            RequestEnd::Answered => second.answered += 1,
            RequestEnd::Unavailable => second.unavailable += 1,
            RequestEnd::Failed => second.failed += 1,
        }
        second.slowest = second.slowest.max(took.as_secs_f64());
    }

    /// Records and prints a violation.
    pub fn violate(&self, check: &'static str, example: impl Into<String>) {
        let violation = Violation { check, at: self.now(), example: example.into() };
        print_line(&format!("{:7.1} s  VIOLATED: {check}: {}", violation.at.as_secs_f64(), violation.example));
        self.recorded.borrow_mut().violations.push(violation);
    }

    /// Records that a fault began; returns its number.
    pub fn fault_began(&self, fault: Fault) -> usize {
        let began = self.now();
        let mut recorded = self.recorded.borrow_mut();
        recorded.faults.push(FaultRecord { fault, began, ended: None, recovered: None });
        recorded.faults.len() - 1
    }

    /// Records that a fault ended.
    pub fn fault_ended(&self, number: usize) {
        let now = self.now();
        if let Some(record) = self.recorded.borrow_mut().faults.get_mut(number) {
            record.ended = Some(now);
        }
    }

    /// Records how long after the fault's end everything worked.
    pub fn fault_recovered(&self, number: usize, after: Duration) {
        if let Some(record) = self.recorded.borrow_mut().faults.get_mut(number) {
            record.recovered = Some(after);
        }
    }

    /// Whether the reply to a request of this age may have broken off, as a process was killed that may have been writing it.
    pub fn allows_broken_reply(&self, took: Duration) -> bool {
        let sent = self.now().saturating_sub(took);
        let recorded = self.recorded.borrow();
        let mut kills = recorded.faults.iter().filter(|record| record.fault.breaks_replies());
        kills.any(|record| record.ended.is_none_or(|ended| sent <= ended + BREAKS_OFF))
    }

    /// All violations.
    pub fn violations(&self) -> Vec<Violation> {
        self.recorded.borrow().violations.clone()
    }

    /// The load by the second.
    pub fn seconds(&self) -> Vec<Second> {
        self.recorded.borrow().seconds.clone()
    }

    /// The faults in their order.
    pub fn faults(&self) -> Vec<FaultRecord> {
        self.recorded.borrow().faults.clone()
    }
}

/// Prints a line to standard output.
#[expect(clippy::print_stdout, reason = "a command-line tool speaks to a person")]
pub(crate) fn print_line(line: &str) {
    println!("{line}");
}

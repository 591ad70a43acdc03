//! What happened when: answers, refusals and breaks by the second, the faults, and every check that did not hold.

use std::{cell::RefCell, time::Duration};

use tokio::time::Instant;

use crate::plan::Fault;

/// How long after a fault its traces may still be met.
pub(crate) const RECOVERY: Duration = Duration::from_secs(5);

/// One second of the load.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Second {
    /// Answers that were as they should be.
    pub answered: u32,
    /// 503 with Retry-After.
    pub later: u32,
    /// Replies that never came, or broke off.
    pub broken: u32,
    /// The slowest answer, in seconds.
    pub slowest: f64,
}

/// One fault as it went.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// What it was.
    pub fault: Fault,
    /// When it began, since the start of chaos.
    pub began: Duration,
    /// When it was taken away again.
    pub ended: Option<Duration>,
    /// From then until a home page, a list and a like of every brand worked; `None` where they did not in time.
    pub recovered: Option<Duration>,
}

/// A check that did not hold, once.
#[derive(Clone, Debug)]
pub(crate) struct Violation {
    /// Which.
    pub check: &'static str,
    /// When, since the start of chaos.
    pub at: Duration,
    /// By what.
    pub example: String,
}

/// Everything that was seen.
pub(crate) struct Tally {
    born: Instant,
    seen: RefCell<Seen>,
}

#[derive(Default)]
struct Seen {
    seconds: Vec<Second>,
    records: Vec<Record>,
    violations: Vec<Violation>,
}

/// How a request ended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// As it should.
    Answered,
    /// Politely not now.
    Later,
    /// Not at all.
    Broken,
}

impl Tally {
    /// Nothing yet.
    pub fn new() -> Self {
        Self { born: Instant::now(), seen: RefCell::default() }
    }

    /// Since the start of chaos.
    pub fn now(&self) -> Duration {
        self.born.elapsed()
    }

    /// One more request.
    pub fn count(&self, end: End, took: Duration) {
        let place = usize::try_from(self.now().as_secs()).unwrap_or_default();
        let mut seen = self.seen.borrow_mut();
        if seen.seconds.len() <= place {
            seen.seconds.resize(place + 1, Second::default());
        }
        let Some(second) = seen.seconds.get_mut(place) else { return };
        match end {
            End::Answered => second.answered += 1,
            End::Later => second.later += 1,
            End::Broken => second.broken += 1,
        }
        second.slowest = second.slowest.max(took.as_secs_f64());
    }

    /// A check does not hold.
    pub fn violate(&self, check: &'static str, example: impl Into<String>) {
        let violation = Violation { check, at: self.now(), example: example.into() };
        tell(&format!("{:7.1} s  VIOLATED: {check}: {}", violation.at.as_secs_f64(), violation.example));
        self.seen.borrow_mut().violations.push(violation);
    }

    /// A fault begins; the number it is known by.
    pub fn begin(&self, fault: Fault) -> usize {
        let began = self.now();
        let mut seen = self.seen.borrow_mut();
        seen.records.push(Record { fault, began, ended: None, recovered: None });
        seen.records.len() - 1
    }

    /// It is taken away.
    pub fn end(&self, number: usize) {
        let now = self.now();
        if let Some(record) = self.seen.borrow_mut().records.get_mut(number) {
            record.ended = Some(now);
        }
    }

    /// All works again.
    pub fn recovered(&self, number: usize, after: Duration) {
        if let Some(record) = self.seen.borrow_mut().records.get_mut(number) {
            record.recovered = Some(after);
        }
    }

    /// Whether a reply that was asked for so long ago may have broken off: a process that died was about to give it.
    pub fn excuses_break(&self, took: Duration) -> bool {
        let asked = self.now().saturating_sub(took);
        let seen = self.seen.borrow();
        let mut deadly = seen.records.iter().filter(|record| record.fault.cuts_replies());
        deadly.any(|record| record.ended.is_none_or(|ended| asked <= ended + RECOVERY))
    }

    /// Every check that did not hold, each time that it did not.
    pub fn violations(&self) -> Vec<Violation> {
        self.seen.borrow().violations.clone()
    }

    /// The load, second by second.
    pub fn seconds(&self) -> Vec<Second> {
        self.seen.borrow().seconds.clone()
    }

    /// The faults, in their order.
    pub fn records(&self) -> Vec<Record> {
        self.seen.borrow().records.clone()
    }
}

/// Says one line to whoever runs this.
#[expect(clippy::print_stdout, reason = "a command-line tool speaks to a person")]
pub(crate) fn tell(line: &str) {
    println!("{line}");
}

//! Alarms about what goes on for hours: one line about a network on each day, by each process.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use chrono::{NaiveDate, NaiveDateTime};

/// The days on which this process has raised each alarm about each network last.
#[derive(Default)]
pub(crate) struct DailyAlarms(Mutex<BTreeMap<(&'static str, String), NaiveDate>>);

impl DailyAlarms {
    /// Whether the alarm is to be raised about a network: not on this day before.
    pub fn is_first(&self, alarm: &'static str, network: &str, now: NaiveDateTime) -> bool {
        let mut raised = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        raised.insert((alarm, network.to_owned()), now.date()) != Some(now.date())
    }
}

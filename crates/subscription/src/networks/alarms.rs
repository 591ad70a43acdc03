//! Alarms about what a network does again and again: one line about a network on each day, by each process.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use chrono::{NaiveDate, NaiveDateTime};

/// The days on which this process has raised each alarm about each network last.
static RAISED: Mutex<BTreeMap<(&'static str, String), NaiveDate>> = Mutex::new(BTreeMap::new());

/// The alarm as a log line has it: its name on the first line about a network on a day, and nothing on the lines after it.
pub(crate) fn daily(alarm: &'static str, network: &str, now: NaiveDateTime) -> Option<&'static str> {
    let mut raised = RAISED.lock().unwrap_or_else(PoisonError::into_inner);
    let before = raised.insert((alarm, network.to_owned()), now.date());
    (before != Some(now.date())).then_some(alarm)
}

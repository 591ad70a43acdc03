//! A calendar month.

use std::fmt;

use chrono::{Datelike, Months, NaiveDate};

use crate::error::Error;

/// A calendar month in Johannesburg.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Month(NaiveDate);

impl Month {
    pub(super) fn of(day: NaiveDate) -> Self {
        Self(day.with_day(1).unwrap_or(day))
    }

    /// Of `YYYY-MM`.
    pub(super) fn parse(text: &str) -> Result<Self, Error> {
        let day = (text.len() == 7).then(|| format!("{text}-01").parse().ok()).flatten();
        day.map(Self).ok_or(Error::NotFound)
    }

    pub(super) fn next(self) -> Self {
        self.after(1)
    }

    pub(super) fn after(self, months: u32) -> Self {
        Self(self.0.checked_add_months(Months::new(months)).unwrap_or(self.0))
    }

    pub(super) fn before(self, months: u32) -> Self {
        Self(self.0.checked_sub_months(Months::new(months)).unwrap_or(NaiveDate::MIN))
    }

    pub(super) fn first_day(self) -> NaiveDate {
        self.0
    }

    pub(super) fn last_day(self) -> NaiveDate {
        self.next().0.pred_opt().unwrap_or(self.0)
    }

    pub(super) fn has(self, day: NaiveDate) -> bool {
        Self::of(day) == self
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.format("%Y-%m").fmt(f)
    }
}

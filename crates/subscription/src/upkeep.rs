//! What is due by time alone: every task of the `schedule`, the `gauges` of the tables' contents, rows that have `expired`. `clock` is the call that
//! moves a test's clock, `restored` the command after a restore.

pub(crate) mod clock;
pub(crate) mod expired;
pub(crate) mod gauges;
pub(crate) mod restored;
pub(crate) mod schedule;

//! What is due by time alone: every task of the `schedule`, the `gauges` of the tables' contents, rows that have `expired`. `clock` is the call that
//! moves a test's clock, `restored` the command after a restore, and `conformance` that which tries a network's test bed.

pub(crate) mod clock;
pub mod conformance;
pub(crate) mod expired;
pub(crate) mod gauges;
pub(crate) mod restored;
pub(crate) mod schedule;

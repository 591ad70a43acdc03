//! What is due by time alone: every task of the `schedule`, the `gauges` of the tables' contents, subscriptions that are `long_ended`. `clock` is the call that
//! moves a test's clock, `restored` the command after a restore.

pub(crate) mod clock;
pub(crate) mod gauges;
pub(crate) mod long_ended;
pub(crate) mod restored;
pub(crate) mod schedule;

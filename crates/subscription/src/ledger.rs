//! The ledger: one row for each charge and refund, and what is read from it.
//!
//! `rows` are its rows, `status` their words, `settle` records the outcomes of charges, `refunds` those of refunds, `billing_events` the
//! results that push networks report. `newest` are the newest charges of subscriptions, `periods` has the days that a week's or a month's charge pays for; a charge is sent within `bounds` and
//! its number's `month_limit`; `passes` are the day's passes, and after a restore (`restores`) nothing is charged. `partitions` are its months,
//! `totals` and `daily_subscribers` the counts of its days, `books` and `export` what finance reads.

pub(crate) mod billing_events;
pub(crate) mod books;
pub(crate) mod bounds;
pub(crate) mod daily_subscribers;
pub(crate) mod export;
pub(crate) mod month_limit;
pub(crate) mod newest;
pub(crate) mod partitions;
pub(crate) mod passes;
pub(crate) mod pauses;
pub(crate) mod periods;
pub(crate) mod refunds;
pub(crate) mod restores;
pub(crate) mod rows;
pub(crate) mod settle;
pub(crate) mod status;
pub(crate) mod totals;

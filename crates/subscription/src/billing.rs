//! Billing: charges each active subscription once per Johannesburg day, also after crashes, repeated requests and lost replies.
//!
//! A charge is a row of the `ledger` before anything is sent. The `scheduler` starts a pass, which inserts the day's rows (`due`); a
//! `sender` for each network claims as many as it can send (`lease`, within `bounds` and the `month_limit`), sends them and settles the outcomes
//! (`ledger::settle`). `periods` has the days that a week's or a month's charge pays for. `status_queries` request the status of charges whose outcome is unknown; `state_sync` changes subscriptions'
//! states as the ledger requires, and `unknown_subscriptions` ends those that their network does not have. `push` records the charges
//! that push networks report; `refund` refunds; `reconcile` compares each day with the network's own list; `export` is the ledger as CSV.
//! After a restore of the database (`restores`) all of it waits for `catch_up`.
//! README.md lists every crash case.

pub(crate) mod bounds;
pub(crate) mod calendar;
pub(crate) mod catch_up;
pub(crate) mod context;
pub(crate) mod due;
pub(crate) mod export;
pub(crate) mod lease;
pub(crate) mod ledger;
pub(crate) mod month_limit;
pub(crate) mod passes;
pub(crate) mod periods;
pub(crate) mod push;
pub(crate) mod reconcile;
pub(crate) mod refund;
pub(crate) mod restores;
pub(crate) mod scheduler;
pub(crate) mod sender;
pub(crate) mod state_sync;
pub(crate) mod status_queries;
pub(crate) mod unknown_subscriptions;

pub use calendar::BillingTimes;

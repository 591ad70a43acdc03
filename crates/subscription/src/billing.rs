//! Billing: each active subscription is charged once per Johannesburg day, whatever crashes, repeats or gets lost.
//!
//! A charge is a row of the `ledger` before anything is sent. The `scheduler` begins a pass, which enters the day's rows (`due`); a
//! `sender` for each network claims what it has room for (`lease`, within `bounds`), sends it and settles the outcomes
//! (`ledger::settle`). `questions` ask the network about charges whose outcome is unknown; `follow` moves subscriptions as the
//! ledger says, and `gone` ends those that their network does not know. `push` enters what push networks say they charged; `refund`
//! gives back; `reconcile` compares each day with the network's own list; `export` is the ledger as CSV. README.md names every crash
//! case.

pub(crate) mod bounds;
pub(crate) mod calendar;
pub(crate) mod context;
pub(crate) mod due;
pub(crate) mod export;
pub(crate) mod lease;
pub(crate) mod ledger;
pub(crate) mod passes;
pub(crate) mod push;
pub(crate) mod reconcile;
pub(crate) mod refund;
pub(crate) mod scheduler;
pub(crate) mod sender;
pub(crate) mod state_sync;
pub(crate) mod status_queries;
pub(crate) mod unknown_subscriptions;

pub use calendar::BillingTimes;

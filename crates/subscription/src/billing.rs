//! Billing: each active subscription is charged once per Johannesburg day, whatever crashes, repeats or gets lost.
//!
//! A charge is a row of the `ledger` before anything is sent. A `pass` makes the day's rows (`due`) and has them sent by `run`:
//! claimed in batches (`claim`, within `bounds`, by `runners` that hold a `lease`), sent one by one under their keys (`charge`),
//! written down many at a time (`settle`). `unknown` asks the network about charges whose outcome got lost; `follow` moves
//! subscriptions as the ledger says. `desk` begins passes by the clock and on request (`order`); `push` keeps what push networks
//! say they charged. `refund`, `reconcile` and `export` are the operators' calls.

pub(crate) mod bounds;
pub(crate) mod calendar;
mod charge;
pub(crate) mod claim;
pub(crate) mod desk;
pub(crate) mod due;
pub(crate) mod export;
pub(crate) mod follow;
mod lease;
pub(crate) mod ledger;
pub(crate) mod order;
mod pass;
pub(crate) mod passes;
pub(crate) mod push;
pub(crate) mod reconcile;
pub(crate) mod refund;
pub(crate) mod run;
pub(crate) mod runners;
pub(crate) mod settle;
mod shift;
pub(crate) mod unknown;

pub use calendar::BillingTimes;

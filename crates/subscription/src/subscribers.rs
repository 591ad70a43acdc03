//! Subscribers: who they are, what they agreed to, and the state of their subscriptions. Knows no other room.
//!
//! `lifecycle` is the transition table, `subscriptions` the only file that changes a state; `attempts` are the redirects to a network's page, and
//! `network_subscriptions` what runs at networks, `in_use` what running subscriptions need of `brands.toml`. `agreement` is what a subscriber agrees to beside the price, `offers` chooses a number's
//! network, `blocks` are numbers that cannot join. `policy` has the brands and the charge keys, `calendar` the day of Johannesburg, `limits` the
//! rate limits of requests, `metrics` the counters, `crash` the points at which a test ends the process.

pub(crate) mod agreement;
pub(crate) mod attempts;
pub(crate) mod blocks;
pub(crate) mod calendar;
pub(crate) mod crash;
pub(crate) mod enrichment;
pub(crate) mod ids;
pub(crate) mod in_use;
pub(crate) mod learned_numbers;
pub mod lifecycle;
pub(crate) mod limits;
pub(crate) mod metrics;
pub(crate) mod network_subscriptions;
pub(crate) mod offers;
pub(crate) mod policy;
pub(crate) mod subscriptions;
pub(crate) mod text;

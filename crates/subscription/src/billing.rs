//! Billing: charges each active subscription once per Johannesburg day, also after crashes, repeated requests and lost replies.
//!
//! A charge is a row of the `ledger` before anything is sent. The `scheduler` starts a pass, which inserts the day's rows (`due`) and
//! announces charges after days without one (`announcements`); a
//! `sender` for each network claims as many as it can send (`lease`), sends them and settles the outcomes. `status_queries` request the status
//! of charges whose outcome is unknown; `suspend` changes subscriptions' states as the ledger requires, and `unknown_subscriptions` ends those
//! that their network does not have. `push` records the charges that push networks report; `refund` refunds, by a rule where a subscriber complains (`complaints`); `reconcile` compares each day with
//! the network's own list.
//! README.md lists every crash case.

pub(crate) mod announcements;
pub(crate) mod complaints;
pub(crate) mod context;
pub(crate) mod due;
pub(crate) mod lease;
pub(crate) mod pause;
pub(crate) mod push;
pub(crate) mod reconcile;
pub(crate) mod refund;
pub(crate) mod scheduler;
pub(crate) mod sender;
pub(crate) mod status_queries;
pub(crate) mod suspend;
pub(crate) mod unknown_subscriptions;

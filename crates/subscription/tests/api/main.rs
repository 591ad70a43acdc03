//! The subscription service over HTTP, with the real operator sandbox behind it, on both engines.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on must say so and fail"
)]

mod billing;
mod books;
mod check_sub;
mod clock;
mod complaints;
mod conformance;
mod consent;
mod conversations;
mod human_check;
mod inbound_sms;
mod internal;
mod join;
mod join_by_sms;
mod leave;
mod ledger;
mod limits;
mod logs;
mod make_months;
mod me;
mod messages;
mod metrics;
mod months;
mod notify;
mod offers;
mod opt_in_link;
mod overview;
mod parlay_x;
mod periods;
mod phones;
mod pruning;
mod saving_key;
mod services;
mod source_rules;
mod start;
mod support;
mod terms;
mod test_number;
mod tokens;
mod verify;
mod verify_number;

//! Black-box tests: the real binary against a misbehaving mobile network that shares no code with the service, by the contract
//! (sections 3, 5 and 6), on both engines.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on must say so and fail"
)]

mod alarms;
mod browser;
mod charging;
mod consents_and_refunds;
mod joining;
mod leaving;
#[path = "../api/make_months.rs"]
mod make_months;
mod messages;
mod network;
mod outages;
mod protection;
mod push;
mod reconciliation;
mod records;
mod restores;
mod service;
mod stops;
mod strange_configuration;
mod strange_consents;
mod strange_events;
mod strange_fields;
mod strange_money;
mod strange_numbers;
mod strange_stops;

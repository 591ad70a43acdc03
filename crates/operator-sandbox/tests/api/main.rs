//! The operator sandbox over HTTP, with a listener in the place of the subscription service, on both engines.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on must say so and fail"
)]

mod charges;
mod clock;
mod faults;
mod house;
mod inbox;
mod network;
mod notifications;
mod opt_ins;
mod pages;
mod push;
mod refunds;

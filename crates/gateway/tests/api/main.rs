//! The gateway entered by HTTP, with tiny real servers in the services' place. One file per module.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on must say so and fail"
)]

mod brands;
mod cache;
mod connections;
mod frontend;
mod guard;
mod head_requests;
mod helpers;
mod hostile;
mod http2;
mod images;
mod malformed;
mod media;
mod media_origin;
mod metrics;
mod openapi;
mod own_calls;
mod peer;
mod protection;
mod proxy;
mod screens;
mod sending;
mod site;
mod start;
mod upstreams;
mod views;
mod without_scripts;

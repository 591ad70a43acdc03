//! API tests of the gateway, with small real servers in place of the services. One file per module.

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
mod languages;
mod malformed;
mod media;
mod media_origin;
mod metrics;
mod openapi;
mod own_calls;
mod page_views;
mod peer;
mod previews;
mod protection;
mod proxy;
mod sending;
mod site;
mod ssr;
mod start;
mod upstreams;
mod without_scripts;

//! How every process of the family serves HTTP: settings, start and stop, request ids, problems, paging.
//!
//! Read `server` first (what `main.rs` calls), then `problem` (every error a client sees) and `openapi` (how a service lists its calls). `lane` is
//! for listeners where the server itself costs too much.

mod admin;
mod answer;
mod cidrs;
mod clock;
mod direct;
mod hangup;
mod lane;
mod lines;
mod listening;
pub mod manifest;
mod observe;
pub mod openapi;
pub mod pack;
mod paging;
mod params;
mod plain;
mod problem;
mod route;
pub mod schema;
mod server;
mod settings;
mod sockets;
pub mod timestamp;

/// Most of what a service allocates for a reply is freed by another thread than allocated it: the C library's allocator pays for
/// that with time, and mimalloc with memory that comes and goes by half of what a process holds.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

pub use admin::{Admin, AdminToken};
pub use answer::{Answer, Body, Sends};
pub use cidrs::Cidrs;
pub use clock::{Clock, ClockReply, ClockRequest};
pub use direct::{Direct, Guest};
pub use hangup::hangups;
pub use lane::{Lane, Taken};
pub use lines::{Line, Lines};
pub use listening::Listening;
pub use observe::{REQUEST_ID_HEADER, Relayed, RequestIdsFrom, current_request_id};
pub use paging::{MAX_PAGE, Page, PageQuery};
pub use params::{Id, body_config};
pub use plain::Plain;
pub use problem::Problem;
pub use route::Route;
pub use server::{
    Readiness, Running, ServeConfig, StartError, health, listen, metrics, run, run_all, run_once, serve, serve_routes,
    serve_with, stop_signal,
};
pub use settings::{Settings, parse_settings};

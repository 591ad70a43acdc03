//! How every process of the family serves HTTP: settings, start and stop, request ids, problems, paging.
//!
//! Read `server` first (what `main.rs` calls), then `problem` (every error a client sees) and `openapi` (how a service lists its calls).

mod admin;
mod cidrs;
pub mod manifest;
mod observe;
pub mod openapi;
mod paging;
mod params;
mod problem;
pub mod schema;
mod server;
mod settings;
pub mod timestamp;

/// Most of what a service allocates for a reply is freed by another thread than allocated it; the C library's allocator pays for
/// that with time and, over days, with memory it never gives back.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

pub use admin::{Admin, AdminToken};
pub use cidrs::Cidrs;
pub use observe::{REQUEST_ID_HEADER, Relayed, RequestIdsFrom, current_request_id};
pub use paging::{MAX_PAGE, Page, PageQuery};
pub use params::{Id, body_config, query_config};
pub use problem::Problem;
pub use server::{Readiness, Running, ServeConfig, StartError, listen, run, run_all, serve, serve_routes, stop_signal};
pub use settings::{Settings, parse_settings};

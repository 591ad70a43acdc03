//! How every process of the workspace serves HTTP: settings, start and stop, request ids, problems, paging.
//!
//! Read `server` first (what `main.rs` calls), then `problem` (every error a client sees) and `openapi` (how a service lists its calls).

mod admin;
mod calls;
mod cidrs;
mod clock;
pub mod compression;
mod csv_rows;
mod encryption;
mod hangup;
pub mod machine;
mod observe;
pub mod openapi;
mod paging;
mod params;
mod preview;
mod problem;
mod production;
mod route;
pub mod schema;
mod server;
mod settings;
mod signing;
pub mod timestamp;

/// Most of a reply's memory is freed on another thread than allocated it. The C library's allocator is slow at that, and mimalloc's
/// memory use varies by half of a process's total.
#[cfg(feature = "allocator")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

pub use admin::{Admin, AdminToken, EditorCaller, FinanceCaller, OverviewCaller, Scope, SupportCaller, staff_token};
pub use calls::client_for;
pub use cidrs::{Cidrs, address, forwarded_pair};
pub use clock::{Clock, ClockReply, ClockRequest};
pub use csv_rows::csv_rows;
pub use encryption::EncryptionKeys;
pub use hangup::hangups;
pub use languages::{Language, Message, StaffText};
pub use observe::{
    Forwarded, REQUEST_ID_HEADER, current_request_id, describe_span, language, request_id, request_span,
    staff_language, write_line,
};
pub use paging::{MAX_PAGE, Page, PageQuery};
pub use params::{Id, body_config};
pub use preview::{PREVIEW_HEADER, Preview};
pub use problem::{Detail, Problem};
pub use production::{
    Production, refuse_plain_http, refuse_published, refuse_sandbox, refuse_weak_admin_token, refuse_weak_secret,
};
pub use route::{RequestCounters, Route, method_word};
pub use server::{
    DRAIN, REVISION, Readiness, Running, ServeConfig, StartError, VERSION, count_build, health, listen, metrics, run,
    run_all, run_once, serve, serve_routes, stop_signal,
};
pub use settings::{Settings, parse_settings};
pub use signing::{InvalidKey, SigningKey, VerifyingKeys};

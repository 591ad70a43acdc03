//! The editors' tool: imports a manifest of artists, videos, memes, categories and banners into running services, and takes single
//! records down.
//!
//! A manifest is a CSV, JSON Lines or one JSON document; `catalogue::manifest` lists what its records have. `manifest` checks it,
//! `import` sends it, `list` shows and exports what there is, and `take_down` is for what must go at once; `transcode` makes the files
//! that videos are, and `publish` brings them to where they are served from;
//! `doctor` checks that all of it can be served. Nothing here touches a service's database: everything goes through the
//! services' own client for editors, so that their caches drop what changed. How it is used stands in this crate's README.

pub mod doctor;
mod import;
mod list;
mod manifest;
pub mod memes;
pub mod pictures;
mod problem;
pub mod publish;
mod schema;
mod services;
mod take_down;
pub mod transcode;

pub use import::{Error, Options, Summary, import};
pub use list::{export, list};
pub use manifest::{MAX_DOCUMENT_BYTES, MAX_RECORD_BYTES, Manifest, Part, Record, columns as csv_columns};
pub use problem::{MAX_PROBLEMS, Problem, Problems};
pub use schema::schema;
pub use services::{CallError, Services, query_of};
pub use take_down::{Order, TakeDown, take_down, take_downs};

//! The editors' tool: takes a manifest of artists, videos, memes and banners into running services.
//!
//! A manifest is one JSON document: `{"services": {"<service name>": { … that service's part … }}}`; each service checks its
//! own part and takes all of it or nothing. `deploy/demo/manifest.json` is one to learn from.

mod import;
mod manifest;

pub use import::{Error, Services, Summary, import};
pub use manifest::{Manifest, ManifestError};

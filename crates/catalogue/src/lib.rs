//! What catalogue services share: comedy, diski, meme and tt, each with a database of its own.
//!
//! Read `app` for how such a service starts and what its handlers use. `manifest` defines the records that editors send, `import` applies
//! them (staged in batches, compared, applied in one transaction), `files` reads and writes manifests as files, and `take_downs` hides a single record. `records` is what editors see:
//! lists in every state, and a record with its history, of which `changes` keeps the earlier versions. `search` is the search of
//! visitors, and `texts` writes what they read in their language; `missing` counts the translations that editors have not written. `media_address` is the address of a film, `order` is the order that editors give to a list, and `previews` shows drafts on the pages of a brand to browsers with a signed link. `artists` is a whole catalogue of artists, which comedy and diski both publish.

mod app;
pub mod artists;
mod changes;
mod config;
mod error;
pub mod files;
pub mod import;
pub mod kinds;
pub mod manifest;
mod media_address;
pub mod missing;
mod order;
mod personal_data;
pub mod previews;
pub mod record_forms;
pub mod records;
pub mod search;
mod state;
mod take_downs;
mod texts;

pub use app::{App, Publication, session_verifier, start};
pub use brands::Kind;
pub use config::Config;
pub use error::Error;
pub use media_address::media_address;
pub use order::Last;
pub use state::State;
pub use take_downs::{TakeDown, TakeDownOrder};
pub use texts::{Text, Translated, translated};

//! What the services that publish a catalogue share: comedy, diski, meme and tt, each over a database of its own.
//!
//! Read `app` for how such a service starts and what its handlers work with. `manifest` says what editors send, `import` takes it in
//! (staged in batches, compared, applied in one transaction), and `take_downs` takes a single record off the lists. `search` finds what visitors look for. `artists` is the
//! whole of a catalogue of artists, which comedy and diski both publish.

mod app;
pub mod artists;
mod config;
mod error;
pub mod import;
pub mod manifest;
pub mod search;
mod state;
mod take_downs;

pub use app::{App, Publication, session_verifier, start};
pub use brands::Kind;
pub use config::Config;
pub use error::Error;
pub use state::State;
pub use take_downs::{TakeDown, TakeDownOrder};

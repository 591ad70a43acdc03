//! The catalogue of artists and their videos that comedy and diski both publish.
//!
//! Read `routes` for the paths, then `artist`, `videos` and `search`.

mod artist;
mod routes;
mod schema;
mod search;
mod videos;

use store::Migrations;

use crate::{Kind, Publication};

pub use artist::Artist;
pub use videos::Video;

/// The tables of one catalogue, for both engines.
pub const MIGRATIONS: Migrations =
    store::migrations!("../../migrations/artists/sqlite", "../../migrations/artists/postgres");

/// A service that publishes artists.
pub const fn publication(name: &'static str, kind: Kind, about: &'static str, prefix: &'static str) -> Publication {
    Publication {
        name,
        kind,
        about,
        prefix,
        visitors: routes::VISITORS,
        migrations: MIGRATIONS,
        // Visitors of artists leave nothing.
        personal_tables: &[],
    }
}

//! Artists and their videos: the catalogue that comedy and diski both publish, each over a database of its own.
//!
//! Read `routes` for the addresses, then `artists` and `videos`; `import` is how editors' work comes in.

mod app;
mod artists;
mod config;
mod error;
mod import;
mod routes;
mod schema;
mod videos;

use std::net::SocketAddr;

use service::{Running, StartError};
use store::Migrations;

pub use app::App;
pub use artists::Artist;
pub use brands::Kind;
pub use config::CatalogueConfig;
pub use routes::openapi;
pub use store::MIGRATE_HELP;
pub use videos::Video;

/// The tables of one catalogue, for both engines.
pub const MIGRATIONS: Migrations =
    store::migrations!("../../migrations/artists/sqlite", "../../migrations/artists/postgres");

/// One service that publishes artists.
#[derive(Clone, Copy, Debug)]
pub struct Publication {
    /// The service's name; it owns the database of the same name.
    pub name: &'static str,
    /// Which brands are its own.
    pub kind: Kind,
    /// What it publishes, in a sentence.
    pub about: &'static str,
    /// Where its calls are mounted, `/api/madfunny`.
    pub prefix: &'static str,
}

/// The whole of a publishing service's `main`.
pub fn run<C, F, Fut>(publication: Publication, start: F) -> std::process::ExitCode
where
    C: service::Settings,
    F: FnOnce(C) -> Fut,
    Fut: Future<Output = Result<Running, StartError>>,
{
    store::run(publication.name, MIGRATIONS, start)
}

/// Starts `publication` on `bind` and answers once its tables are up to date.
pub async fn start(publication: Publication, bind: SocketAddr, config: CatalogueConfig) -> Result<Running, StartError> {
    let listener = service::listen(publication.name, bind)?;
    let app = App::open(publication, &config).await?;
    let db = app.db.clone();
    service::serve(
        publication.name,
        listener,
        &config.serve,
        std::sync::Arc::new(move || {
            let db = db.clone();
            Box::pin(async move { db.answers().await })
        }),
        move |routes| routes::configure(routes, &app),
    )
}

//! Video on demand: categories, videos, banners, likes and the watchlist, for every brand of the kind.
//!
//! Read `routes` for the addresses, then `videos`, `categories`, `likes` and `watchlist`; `import` is how editors' work comes in.

mod app;
mod banners;
mod categories;
mod config;
mod error;
mod home_rows;
mod import;
mod likes;
mod routes;
mod schema;
mod videos;
mod watchlist;

use std::sync::Arc;

use service::{Running, StartError};
use store::Migrations;

pub use config::Config;
pub use routes::openapi;

/// The service's tables, for both engines.
pub const MIGRATIONS: Migrations = store::migrations!("../../migrations/tt/sqlite", "../../migrations/tt/postgres");

/// Starts the service and answers once it is ready.
pub async fn start(config: Config) -> Result<Running, StartError> {
    let listener = service::listen("tt", config.bind)?;
    let app = app::App::open(&config).await?;
    let db = app.db.clone();
    service::serve(
        "tt",
        listener,
        &config.serve,
        Arc::new(move || {
            let db = db.clone();
            Box::pin(async move { db.answers().await })
        }),
        move |routes| routes::configure(routes, &app),
    )
}

//! Memes: categories, random draws, likes.
//!
//! Read `routes` for the addresses, then `memes`, `categories` and `likes`; `import` is how editors' work comes in.

mod app;
mod categories;
mod config;
mod draw;
mod error;
mod import;
mod likes;
mod memes;
mod routes;
mod schema;

use std::sync::Arc;

use service::{Running, StartError};
use store::Migrations;

pub use config::Config;
pub use routes::openapi;

/// The service's tables, for both engines.
pub const MIGRATIONS: Migrations = store::migrations!("../../migrations/meme/sqlite", "../../migrations/meme/postgres");

/// Starts the service and answers once it is ready.
pub async fn start(config: Config) -> Result<Running, StartError> {
    let listener = service::listen("meme", config.bind)?;
    let app = app::App::open(&config).await?;
    let db = app.db.clone();
    service::serve(
        "meme",
        listener,
        &config.serve,
        Arc::new(move || {
            let db = db.clone();
            Box::pin(async move { db.answers().await })
        }),
        move |routes| routes::configure(routes, &app),
    )
}

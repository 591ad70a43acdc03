//! Subscriptions: joining, proving it, the life of a subscription, leaving.
//!
//! Read `routes` for the addresses. `life` is the table of legal moves and `subscriptions` the one place that makes them;
//! `network_word` is what a network's yes, no or stop does, whether it told us (`notifications`) or we asked (`check_sub`).
//! `opt_in` sends people to the network's page; `outbox` is what a network must still be told.

mod app;
mod billing_events;
mod check_sub;
mod clock;
mod config;
mod error;
mod holds;
mod internal;
mod join;
mod leave;
pub mod life;
mod limits;
mod me;
mod network;
mod network_word;
mod notifications;
mod opt_in;
mod outbox;
mod routes;
mod schema;
mod sms;
mod subscriptions;
mod test_session;
mod tries;
mod verify;
mod visitor;

use std::sync::Arc;

use identity::{InvalidKey, SessionMinter};
use store::Migrations;
use web::{Running, StartError};

pub use app::App;
pub use config::Config;

/// The service's name; it owns the database of the same name.
pub const NAME: &str = "subscription";

/// The tables, for both engines.
pub const MIGRATIONS: Migrations =
    store::migrations!("../../migrations/subscription/sqlite", "../../migrations/subscription/postgres");

/// Starts the service and answers once its tables are up to date.
pub async fn start(config: Config) -> Result<Running, StartError> {
    let listener = web::listen(NAME, config.bind)?;
    let app = App::open(&config).await?;
    outbox::Courier::start(&app);
    let db = app.db.clone();
    web::serve(
        NAME,
        listener,
        &config.serve,
        Arc::new(move || {
            let db = db.clone();
            Box::pin(async move { db.answers().await })
        }),
        move |routes| routes::configure(routes, &app),
    )
}

/// A fresh pair of session keys, as two lines of settings.
pub fn new_session_key() -> Result<String, InvalidKey> {
    let secret = SessionMinter::generate()?;
    let public = SessionMinter::parse(&secret)?.public_key();
    Ok(format!("SESSION_SECRET_KEY={secret}\nSESSION_PUBLIC_KEYS={public}"))
}

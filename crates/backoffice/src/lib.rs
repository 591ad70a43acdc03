//! The back office: staff, their sessions and roles, content, what support does for subscribers, the books, and the audit log of all of it.
//!
//! `routes` lists the calls, each with who may make it. `guard` finds the session of a request, and refuses foreign origins and sensitive calls without a recent second factor; `sign_in`
//! opens sessions, by a password or by `single_sign_on`, and `open_sign_ins` wait for a second factor: a code (`second_factor`), or one of
//! `passkeys`. `invitations` and `staff` are how people come, change and go, `grants` the roles that two
//! administrators give; `audit` is the log, chained by hashes. `support` is
//! the work on one number, through the calls of `subscription`, and `approvals` its refunds that wait for a second person. `finance` keeps the
//! books, and `publishers` are the advertisements that bring visitors. `content` is the work of editors and publishers, through the calls of `catalogues`, and `uploads` are their films. `private_drafts` are forms that are not sent yet. `document` makes pages to print, `texts` has them in the language of the call, and `pages` serves the front end. README.md has the rules.

mod app;
mod approvals;
mod audit;
mod calls;
mod catalogues;
mod config;
mod content;
mod document;
mod error;
mod finance;
mod grants;
mod guard;
mod invitations;
mod members;
mod open_sign_ins;
mod overview;
mod pages;
mod passkeys;
mod password;
pub mod personal_data;
mod private_drafts;
mod provider;
mod publishers;
mod routes;
mod schema;
mod second_factor;
mod sessions;
mod sign_in;
mod single_sign_on;
mod staff;
mod subscription;
mod support;
mod texts;
mod token;
mod uploads;
mod word;

use std::sync::Arc;

use service::{EncryptionKeys, InvalidKey, Running, SigningKey, StartError};
use store::Migrations;

pub use config::{Config, Grant};
pub use grants::grant;
pub use members::Role;
pub use provider::{SecondFactorOf, SingleSignOnConfig};
pub use routes::openapi;
pub use uploads::UploadsConfig;

use crate::{app::App, pages::Pages};

/// The service's name, and that of its database.
pub const NAME: &str = "backoffice";

/// The tables, for both engines.
pub const MIGRATIONS: Migrations =
    store::migrations!("../../migrations/backoffice/sqlite", "../../migrations/backoffice/postgres");

/// Starts the service; returns once its tables are migrated, with the first administrator's link while there is no administrator.
pub async fn start(config: Config) -> Result<(Running, Option<String>), StartError> {
    let listener = service::listen(NAME, config.bind)?;
    let operators = config.ops_bind.map(|bind| service::listen(NAME, bind)).transpose()?;
    let pages = Pages::load(&config.backoffice_dir)?;
    let app = App::open(&config).await?;
    let link = invitations::invite_first_administrator(&app, &config.first_administrator)
        .await
        .map_err(|error| StartError::other(NAME, error))?;
    audit::log::start(&app);
    support::erasures::start(&app);
    uploads::start(&app);
    let db = app.db.clone();
    let health = service::health(Arc::new(move || {
        let db = db.clone();
        Box::pin(async move { db.is_reachable().await })
    }));
    let running = service::serve_routes(NAME, listener, &config.serve, move |routes| {
        routes.configure(health.clone());
        routes::configure(routes, &app, &pages);
    })?;
    Ok(match operators {
        // Not on the port that staff reach.
        Some(operators) => {
            (running.with(service::serve_routes(NAME, operators, &config.serve, service::metrics)?), link)
        }
        None => (running, link),
    })
}

/// A new pair of keys for the tokens of staff, as two lines of settings.
pub fn new_token_key() -> Result<String, InvalidKey> {
    let secret = SigningKey::generate()?;
    let public = SigningKey::parse(&secret)?.public_key();
    Ok(format!("STAFF_TOKEN_SECRET_KEY={secret}\nSTAFF_TOKEN_PUBLIC_KEYS={public}"))
}

/// A new key for the secrets of second factors, as a line of settings.
pub fn new_second_factor_key() -> Result<String, InvalidKey> {
    Ok(format!("SECOND_FACTOR_KEYS={}", EncryptionKeys::generate()?))
}

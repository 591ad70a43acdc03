//! A mobile network, imitated over HTTP: opt-in and confirm pages, its own subscriptions and charges, an SMS inbox, and
//! signed notifications that are sent until they are answered with success.
//!
//! Read `routes` for the addresses: `opt_ins`, `charges` and `refunds` are what the other side calls, `opt_in_pages` what a
//! person sees. What a number does is read from its last digits (`behaviour`). `tokens` is what networks call subscribers whose numbers they do
//! not reveal. `soap` is the same network with a SOAP API, `camara` with that of CAMARA. `charge_batcher` makes the charges asked
//! for, `push` those a network makes by itself (`run_day`). `notification_sender` delivers what `notifications` holds; `clock`,
//! `faults` and `misbehaviour` are for tests. README.md lists the calls.

mod app;
mod behaviour;
mod called_network;
mod camara;
mod charge_batcher;
mod charge_rows;
mod charges;
mod clock;
mod config;
mod error;
mod failures;
mod faults;
mod inbox;
mod misbehaviour;
mod moved_numbers;
mod notification_sender;
mod notifications;
mod opt_in_pages;
mod opt_ins;
mod page;
mod push;
mod refunds;
mod routes;
mod run_day;
mod schema;
mod soap;
mod stops;
mod subscription_list;
mod subscriptions;
mod tokens;

use std::sync::Arc;

use service::{Running, StartError};
use store::Migrations;

pub use app::App;
pub use config::Config;
pub use tokens::token_of;

/// The service's name in logs.
pub const NAME: &str = "operator-sandbox";

/// The schema or file that its tables are in.
pub const OWNER: &str = "operator_sandbox";

/// The tables, for both engines.
pub const MIGRATIONS: Migrations =
    store::migrations!("../../migrations/operator_sandbox/sqlite", "../../migrations/operator_sandbox/postgres");

/// Starts the sandbox and answers once its tables are up to date.
pub async fn start(config: Config) -> Result<Running, StartError> {
    let listener = service::listen(NAME, config.bind)?;
    let app = App::open(&config).await?;
    notification_sender::NotificationSender::start(&app, &config)?;
    let (db, stopping) = (app.db.clone(), app.stopping.clone());
    let server = service::serve(
        NAME,
        listener,
        &config.serve,
        Arc::new(move || {
            let db = db.clone();
            Box::pin(async move { db.is_reachable().await })
        }),
        move |routes| routes::configure(routes, &app),
    )?;
    Ok(Running::new(NAME, server.addr, move || async move {
        stopping.send_replace(true);
        server.stop().await;
    }))
}

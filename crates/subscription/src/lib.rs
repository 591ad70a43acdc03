//! The subscription service: joins, proof of ownership, the subscription lifecycle, billing, leaves.
//!
//! `routes` lists the endpoints. The rooms, each of which imports only those before it: `subscribers`, `ledger`, `messages`, `publishers`,
//! `billing`, `joins`, `inbound`, `support`, `upkeep`; `networks` has the clients of the networks, and imports none.
//! README.md describes the lifecycle and every crash case.

mod app;
mod billing;
mod config;
mod error;
mod inbound;
mod joins;
mod ledger;
mod messages;
mod networks;
mod publishers;
mod routes;
mod schema;
mod subscribers;
mod support;
mod upkeep;

use std::sync::Arc;

use identity::{InvalidKey, SessionMinter};
use service::{Running, StartError};
use store::Migrations;

pub use app::App;
pub use config::Config;
pub use inbound::keywords;
pub use ledger::partitions::make_ahead;
pub use networks::{NoReply, Reply, Transport};
pub use publishers::counts::{FraudLimits, JoinSignals};
pub use routes::{configure, openapi};
pub use subscribers::{calendar::BillingTimes, crash::CrashPoints, lifecycle};
pub use support::personal_data;
pub use upkeep::{conformance, restored::run_if_requested as mark_restored_if_requested};

/// The service's name, and that of its database.
pub const NAME: &str = "subscription";

/// The tables, for both engines.
pub const MIGRATIONS: Migrations =
    store::migrations!("../../migrations/subscription/sqlite", "../../migrations/subscription/postgres");

/// Starts the service; returns once its tables are migrated.
pub async fn start(config: Config) -> Result<Running, StartError> {
    let listener = service::listen(NAME, config.bind)?;
    let app = start_tasks(&config, None).await?;
    let db = app.db.clone();
    service::serve(
        NAME,
        listener,
        &config.serve,
        Arc::new(move || {
            let db = db.clone();
            Box::pin(async move { db.is_reachable().await })
        }),
        move |routes| configure(routes, &app),
    )
}

/// Starts what runs without a request, as local tasks. `transport`: in the place of HTTP to the networks.
pub async fn start_tasks(config: &Config, transport: Option<Arc<dyn Transport>>) -> Result<App, StartError> {
    let app = App::open(config, transport).await?;
    if let Some(points) = config.crash_points.clone() {
        points.enable();
    }
    subscribers::metrics::register(&app.policy);
    upkeep::schedule::prepare(&app).await;
    upkeep::schedule::start(&app);
    Ok(app)
}

/// A new pair of session keys, as two lines of settings.
pub fn new_session_key() -> Result<String, InvalidKey> {
    let secret = SessionMinter::generate()?;
    let public = SessionMinter::parse(&secret)?.public_key();
    Ok(format!("SESSION_SECRET_KEY={secret}\nSESSION_PUBLIC_KEYS={public}"))
}

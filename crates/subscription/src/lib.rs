//! The subscription service: joins, proof of ownership, the subscription lifecycle, billing, leaves.
//!
//! `routes` lists the endpoints. `lifecycle` is the transition table and `subscriptions` the only module that changes a state;
//! `network_events` applies what a network reports, by notification (`notifications`) or in reply to our request (`check_sub`).
//! `inbound_sms` acts on the SMSes that a network passes on, which `keywords` reads.
//! `human_check` holds joins that do not look like a person's, and `publishers` counts them by campaign, as `publisher_list` and `publisher_evidence` show them. `offers` chooses a number's network (`number_lookup`), `number_verification` has the network tell the SIM's number, and `sim_swap` whether the SIM is new; `opt_in` redirects browsers to the network's page; `outbox` holds the requests that a network has still to receive. `billing` charges
//! once a day and keeps the ledger; `daily_totals` and `daily_subscribers` count its days; `metrics` and `gauges` are its Prometheus metrics; `maintenance` does what is due by time alone.
//! README.md describes the lifecycle and every crash case.

mod app;
mod billing;
mod billing_events;
mod blocks;
mod books;
mod check_sub;
mod clock;
mod config;
mod consent;
mod continue_to;
mod crash;
mod daily_subscribers;
mod daily_totals;
mod enrichment;
mod error;
mod gauges;
mod human_check;
mod in_use;
mod inbound_sms;
mod internal;
mod join;
pub mod keywords;
mod language;
mod leave;
pub mod lifecycle;
mod limits;
mod long_ended;
mod maintenance;
mod me;
mod messages;
mod metrics;
#[cfg(test)]
mod model;
mod months;
mod network_clocks;
mod network_events;
mod network_subscriptions;
mod networks;
mod notifications;
mod number_lookup;
mod number_verification;
mod offers;
mod opt_in;
mod opt_in_attempts;
mod opt_in_link;
mod outbox;
mod overview;
pub mod personal_data;
mod policy;
mod publisher_evidence;
mod publisher_list;
mod publishers;
mod reminders;
mod restored;
mod return_message;
mod routes;
mod schema;
mod sim_swap;
mod subscriptions;
mod terms;
mod test_session;
mod verify;
mod visitor;

use std::sync::Arc;

use identity::{InvalidKey, SessionMinter};
use service::{Running, StartError};
use store::Migrations;

pub use app::App;
pub use billing::BillingTimes;
pub use config::Config;
pub use crash::CrashPoints;
pub use publishers::{FraudLimits, JoinSignals};
pub use restored::run_if_requested as mark_restored_if_requested;
pub use routes::openapi;

/// The service's name, and that of its database.
pub const NAME: &str = "subscription";

/// The tables, for both engines.
pub const MIGRATIONS: Migrations =
    store::migrations!("../../migrations/subscription/sqlite", "../../migrations/subscription/postgres");

/// Starts the service; returns once its tables are migrated.
pub async fn start(config: Config) -> Result<Running, StartError> {
    let listener = service::listen(NAME, config.bind)?;
    let app = App::open(&config).await?;
    if let Some(points) = config.crash_points.clone() {
        points.enable();
    }
    metrics::register(&app.policy);
    maintenance::prepare(&app).await;
    gauges::start(&app);
    outbox::start(&app);
    maintenance::start(&app);
    app.scheduler.start();
    let db = app.db.clone();
    service::serve(
        NAME,
        listener,
        &config.serve,
        Arc::new(move || {
            let db = db.clone();
            Box::pin(async move { db.is_reachable().await })
        }),
        move |routes| routes::configure(routes, &app),
    )
}

/// A new pair of session keys, as two lines of settings.
pub fn new_session_key() -> Result<String, InvalidKey> {
    let secret = SessionMinter::generate()?;
    let public = SessionMinter::parse(&secret)?.public_key();
    Ok(format!("SESSION_SECRET_KEY={secret}\nSESSION_PUBLIC_KEYS={public}"))
}

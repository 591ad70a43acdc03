//! What a process tells of itself: log lines, readable for people or JSON for machines, and metrics.

mod metrics;
pub mod names;

use std::io::IsTerminal;

use tracing_subscriber::{EnvFilter, layer::SubscriberExt, util::SubscriberInitExt};

pub use self::metrics::{collect as collect_metrics, metrics};

/// How log lines are written (`LOG_FORMAT`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// One readable line per event.
    #[default]
    Text,
    /// One JSON object per event, fields flattened beside `message`.
    Json,
}

/// Sends this process's events to standard error, filtered by `RUST_LOG` (default `info`), and collects its metrics.
///
/// A second call is ignored, so that every service may ask for it when several share a process.
pub fn init(format: LogFormat) {
    // A library that is chatty about normal client behaviour would drown our own lines.
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new("info,actix_server=warn,actix_http=warn,h2=warn"));
    collect_metrics();
    let registry = tracing_subscriber::registry().with(filter).with(metrics::Alarms);
    let outcome = match format {
        LogFormat::Text => registry
            .with(
                tracing_subscriber::fmt::layer()
                    .with_ansi(std::io::stderr().is_terminal())
                    .with_writer(std::io::stderr)
                    .with_target(false),
            )
            .try_init(),
        LogFormat::Json => registry
            .with(tracing_subscriber::fmt::layer().json().flatten_event(true).with_writer(std::io::stderr))
            .try_init(),
    };
    if outcome.is_err() {
        tracing::debug!("logging was already set up by another part of this process");
    }
}

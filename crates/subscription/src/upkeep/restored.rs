//! `subscription --restored`: marks its database as restored from a backup, so that nothing is billed until it has caught up.

use std::process::ExitCode;

use service::{Clock, Settings};
use store::{Db, StoreConfig};

use crate::{MIGRATIONS, NAME, ledger::restores};

/// The flag.
const RESTORED: &str = "--restored";

/// The settings of `--restored`.
#[derive(clap::Parser)]
struct Restored {
    /// Marks the database as restored and ends.
    #[arg(long)]
    restored: bool,
    /// The database.
    #[command(flatten)]
    store: StoreConfig,
    /// How log lines are written.
    #[arg(long, env = "LOG_FORMAT", value_enum, default_value_t)]
    log_format: telemetry::LogFormat,
}

impl Settings for Restored {
    fn log_format(&self) -> telemetry::LogFormat {
        self.log_format
    }
}

/// Marks the database if the command line has `--restored`.
pub fn run_if_requested() -> Option<ExitCode> {
    if !std::env::args().skip(1).any(|arg| arg == RESTORED) {
        return None;
    }
    Some(service::run_once(|config: Restored| async move {
        debug_assert!(config.restored, "--restored was on the command line");
        let db = Db::open(&config.store, NAME, MIGRATIONS).await?;
        let now = Clock::system_now();
        let marked = db.write(move |conn| restores::mark(conn, now)).await;
        let since = marked.map_err(|error| service::StartError::other(NAME, error))?;
        tracing::info!(restore.since = %since, "marked as restored: nothing is billed until POST /internal/catch-up");
        Ok(())
    }))
}

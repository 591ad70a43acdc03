//! The `main` of a service with tables: serves, or with `--migrate` applies pending migrations and exits.

use std::process::ExitCode;

use service::{Running, Settings, StartError};

use crate::{Db, Migrations, StoreConfig};

/// The flag that applies migrations only.
const MIGRATE: &str = "--migrate";

/// The lines about `--migrate` in a service's `--help`.
pub const MIGRATE_HELP: &str = "--migrate\n  brings the tables up to date and ends; of all settings it takes only those of its database, and LOG_FORMAT";

/// The settings of `--migrate`.
#[derive(clap::Parser)]
struct Migrate {
    /// Brings the tables up to date and ends.
    #[arg(long)]
    migrate: bool,
    /// The database.
    #[command(flatten)]
    store: StoreConfig,
    /// The format of log lines.
    #[arg(long, env = "LOG_FORMAT", value_enum, default_value_t)]
    log_format: telemetry::LogFormat,
}

impl Settings for Migrate {
    fn log_format(&self) -> telemetry::LogFormat {
        self.log_format
    }
}

/// Runs the service of `start`, or applies the migrations of `owner` if the command line has `--migrate`: for a deployment step that
/// runs before the rollout, without the service's secrets.
pub fn run<C, F, Fut>(owner: &'static str, migrations: Migrations, start: F) -> ExitCode
where
    C: Settings,
    F: FnOnce(C) -> Fut,
    Fut: Future<Output = Result<Running, StartError>>,
{
    if !std::env::args().skip(1).any(|arg| arg == MIGRATE) {
        return service::run(start);
    }
    service::run_once(|config: Migrate| async move {
        debug_assert!(config.migrate, "--migrate was on the command line");
        Db::open(&config.store, owner, migrations).await?;
        tracing::info!(migrations.owner = owner, "the tables of {owner} are up to date");
        Ok(())
    })
}

//! The `main` of a service with tables: it serves, or with `--migrate` brings the tables up to date and ends.

use std::process::ExitCode;

use service::{Running, Settings, StartError};

use crate::{Db, Migrations, StoreConfig};

/// Asks for the tables alone.
const MIGRATE: &str = "--migrate";

/// What a service's `--help` says of it.
pub const MIGRATE_HELP: &str = "--migrate\n  brings the tables up to date and ends; of all settings it takes only DATABASE_URL or DATA_DIR, and LOG_FORMAT";

/// Bringing the tables up to date, and nothing else.
#[derive(clap::Parser)]
struct Migrate {
    /// Brings the tables up to date and ends.
    #[arg(long)]
    migrate: bool,
    /// The database.
    #[command(flatten)]
    store: StoreConfig,
    /// How log lines are written.
    #[arg(long, env = "LOG_FORMAT", value_enum, default_value_t)]
    log_format: telemetry::LogFormat,
}

impl Settings for Migrate {
    fn log_format(&self) -> telemetry::LogFormat {
        self.log_format
    }
}

/// Runs the service of `start`, or brings the tables of `owner` up to date where the command line says `--migrate`: before a rollout, say,
/// with none of the secrets that serving takes.
pub fn run<C, F, Fut>(owner: &'static str, migrations: Migrations, start: F) -> ExitCode
where
    C: Settings,
    F: FnOnce(C) -> Fut,
    Fut: Future<Output = Result<Running, StartError>>,
{
    if !std::env::args().skip(1).any(|word| word == MIGRATE) {
        return service::run(start);
    }
    service::run_once(|config: Migrate| async move {
        debug_assert!(config.migrate, "the word was on the command line");
        Db::open(&config.store, owner, migrations).await?;
        tracing::info!(migrations.owner = owner, "the tables of {owner} are up to date");
        Ok(())
    })
}

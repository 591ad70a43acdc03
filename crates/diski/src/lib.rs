//! Footballers: a catalogue of artists, mounted under `/api/diski` over a database of its own.

use std::net::SocketAddr;

use catalogue::{Kind, Publication, artists};
use service::{Running, Settings, StartError};

/// The catalogue that this service publishes.
pub const PUBLICATION: Publication =
    artists::publication("diski", Kind::Diski, "Football artists and their videos.", "/api/diski");

/// The settings of the diski service, each with its environment variable.
#[derive(clap::Parser, Clone, Debug)]
#[command(name = "diski", version, about, after_help = store::MIGRATE_HELP)]
pub struct Config {
    /// Address to listen on.
    #[arg(long, env = "BIND", default_value = "127.0.0.1:8082")]
    pub bind: SocketAddr,
    /// The settings of every catalogue.
    #[command(flatten)]
    pub catalogue: catalogue::Config,
}

impl Settings for Config {
    fn log_format(&self) -> telemetry::LogFormat {
        self.catalogue.serve.log_format
    }

    fn collector(&self) -> Option<&str> {
        self.catalogue.serve.collector()
    }
}

/// Starts the service; returns once it is ready.
pub async fn start(config: Config) -> Result<Running, StartError> {
    catalogue::start(PUBLICATION, config.bind, config.catalogue, |_| {}).await
}

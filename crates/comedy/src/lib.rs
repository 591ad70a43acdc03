//! Comedians: a catalogue of artists, mounted under `/api/madfunny` over a database of its own.

use std::net::SocketAddr;

use catalogue::{Kind, Publication, artists};
use service::{Running, Settings, StartError};

/// The catalogue that this service publishes.
pub const PUBLICATION: Publication =
    artists::publication("comedy", Kind::Comedy, "Comedians and their videos.", "/api/madfunny");

/// The settings of the comedy service, each with its environment variable.
#[derive(clap::Parser, Clone, Debug)]
#[command(name = "comedy", version, about, after_help = store::MIGRATE_HELP)]
pub struct Config {
    /// Address to listen on.
    #[arg(long, env = "BIND", default_value = "127.0.0.1:8081")]
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

//! The settings of the operator sandbox.

use std::{net::SocketAddr, path::PathBuf};

use store::StoreConfig;
use web::{ServeConfig, Settings};

/// The settings of the operator sandbox, each from the environment variable named beside it.
///
/// Holds a secret, so it does not print itself.
#[derive(clap::Parser, Clone)]
#[command(name = "operator-sandbox", version, about = "A mobile network, imitated over HTTP.")]
pub struct Config {
    /// Address to listen on.
    #[arg(long, env = "BIND", default_value = "127.0.0.1:8090")]
    pub bind: SocketAddr,
    /// How browsers reach this process.
    #[arg(long, env = "PUBLIC_URL", default_value = "http://localhost:8090")]
    pub public_url: String,
    /// Base URL that notifications go to: the gateway.
    #[arg(long, env = "NOTIFY_URL", default_value = "http://127.0.0.1:8080")]
    pub notify_url: String,
    /// The key notifications are signed with, `whsec_` and base64.
    #[arg(long, env = "NOTIFY_SECRET", hide_env_values = true)]
    pub notify_secret: String,
    /// The brands of the family: which network bills whom, and where people go who joined at the network itself.
    #[arg(long, env = "BRANDS_FILE", default_value = "deploy/brands.toml")]
    pub brands_file: PathBuf,
    /// The gateway's port, for those addresses.
    #[arg(long, env = "PUBLIC_PORT", default_value_t = 8080)]
    pub public_port: u16,
    /// The database.
    #[command(flatten)]
    pub store: StoreConfig,
    /// Threads and log.
    #[command(flatten)]
    pub serve: ServeConfig,
}

impl Settings for Config {
    fn log_format(&self) -> telemetry::LogFormat {
        self.serve.log_format
    }
}

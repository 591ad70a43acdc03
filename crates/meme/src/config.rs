//! The meme service's settings.

use std::{net::SocketAddr, path::PathBuf};

use service::{Production, ServeConfig, Settings};
use store::StoreConfig;

/// The settings of the meme service, each from the environment variable named beside it.
#[derive(clap::Parser, Clone, Debug)]
#[command(name = "meme", version, about, after_help = store::MIGRATE_HELP)]
pub struct Config {
    /// Address to listen on.
    #[arg(long, env = "BIND", default_value = "127.0.0.1:8083")]
    pub bind: SocketAddr,
    /// The brands of the family.
    #[arg(long, env = "BRANDS_FILE", default_value = "deploy/brands.toml")]
    pub brands_file: PathBuf,
    /// Keys that sessions are verified with: PASERK `k4.public.…`, separated by commas.
    #[arg(long, env = "SESSION_PUBLIC_KEYS")]
    pub session_public_keys: String,
    /// Opens `/internal`; unset keeps it shut.
    #[arg(long, env = "ADMIN_TOKEN", hide_env_values = true)]
    pub admin_token: Option<String>,
    /// Whether it serves real customers.
    #[command(flatten)]
    pub production: Production,
    /// Database and Redis.
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

    fn collector(&self) -> Option<&str> {
        self.serve.collector()
    }
}

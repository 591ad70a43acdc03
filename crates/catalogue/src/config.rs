//! The settings that every catalogue's service has.

use std::path::PathBuf;

use service::{Production, ServeConfig};
use store::StoreConfig;

/// Everything but the address, which differs by service.
#[derive(clap::Args, Clone, Debug)]
// The services flatten it into a `Config` of their own, and clap wants each name once.
#[group(skip)]
pub struct Config {
    /// The brands of the family.
    #[arg(long, env = "BRANDS_FILE", default_value = "deploy/brands.toml")]
    pub brands_file: PathBuf,
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

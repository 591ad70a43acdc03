//! Settings that all catalogue services share.

use std::path::PathBuf;

use service::{Production, ServeConfig};
use store::StoreConfig;

/// All settings but the address, whose default differs by service.
#[derive(clap::Args, Clone, Debug)]
// The services flatten it into a `Config` of their own, since clap needs each name to be unique.
#[group(skip)]
pub struct Config {
    /// The file with the brands and networks.
    #[arg(long, env = "BRANDS_FILE", default_value = "deploy/brands.toml")]
    pub brands_file: PathBuf,
    /// The gateway's port, for the addresses in `brands.toml` with `{port}`: links to previews.
    #[arg(long, env = "PUBLIC_PORT", default_value_t = 8080)]
    pub public_port: u16,
    /// The token of `/internal` calls; unset disables them.
    #[arg(long, env = "ADMIN_TOKEN", hide_env_values = true)]
    pub admin_token: Option<String>,
    /// The public keys, `k4.public.…`, separated by commas, of the back office's STAFF_TOKEN_SECRET_KEY: with its tokens, staff
    /// make the `/internal` calls of their scope, and its links show previews. Unset: only ADMIN_TOKEN opens `/internal`.
    #[arg(long, env = "STAFF_TOKEN_PUBLIC_KEYS")]
    pub staff_token_public_keys: Option<String>,
    /// Months for which the history of records is kept, at least 1: what imports changed, by whom, and the records as they were before.
    #[arg(long, env = "CHANGES_MONTHS", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=1200))]
    pub changes_months: u32,
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

//! The settings of the operator sandbox.

use std::{net::SocketAddr, path::PathBuf};

use clap::{ArgAction, builder::BoolishValueParser};
use service::{Production, ServeConfig, Settings};
use store::StoreConfig;

/// The settings of the operator sandbox, each from the environment variable named beside it.
///
/// Holds secrets, so it does not print itself.
#[derive(clap::Parser, Clone)]
#[command(
    name = "operator-sandbox",
    version,
    about = "A mobile network, imitated over HTTP.",
    after_help = "--migrate\n  brings the tables up to date and ends; of all settings it takes only those of its database, and LOG_FORMAT\nWhat a number does is read from its last four digits:\n  0002  its opt-in is declined\n  0003  its charges find no funds\n  0004  its charges are not made, and never answered\n  0005  its charges are made, and the first reply is lost\n  0006  its charges answer 503 twice, then succeed\n  0007  push events about it come twice, out of order, numbers as strings\n  0008  a push network charges it twice a day\n  0009  a pull network refuses its charges from the second day on\n  0010  each confirmed opt-in gives it a new id\n  0011  its refunds are refused\n  0012  SMSes to it are refused\n  0015  its SIM was swapped a day ago\nany other: all succeeds. README.md beside the source lists the calls."
)]
pub struct Config {
    /// Address to listen on.
    #[arg(long, env = "BIND", default_value = "127.0.0.1:8090")]
    pub bind: SocketAddr,
    /// The public base URL of this process.
    #[arg(long, env = "PUBLIC_URL", default_value = "http://localhost:8090")]
    pub public_url: String,
    /// The base URL to which notifications are sent: the gateway.
    #[arg(long, env = "NOTIFY_URL", default_value = "http://127.0.0.1:8080")]
    pub notify_url: String,
    /// The key with which notifications are signed, `whsec_` and base64; of two, separated by a comma, the first is
    /// used.
    #[arg(long, env = "NOTIFY_SECRET", hide_env_values = true)]
    pub notify_secret: String,
    /// The name and password that calls of a SOAP or CAMARA network must prove, with a colon between them; a network may name another
    /// variable in brands.toml.
    #[arg(long, env = "NETWORK_CREDENTIALS", hide_env_values = true)]
    pub network_credentials: Option<String>,
    /// The file with the brands and networks: which network bills which brand, and the brands' addresses.
    #[arg(long, env = "BRANDS_FILE", default_value = "deploy/brands.toml")]
    pub brands_file: PathBuf,
    /// The gateway's port, for the addresses in `brands.toml` with `{port}`.
    #[arg(long, env = "PUBLIC_PORT", default_value_t = 8080)]
    pub public_port: u16,
    /// The token of `/internal` calls; unset disables them.
    #[arg(long, env = "ADMIN_TOKEN", hide_env_values = true)]
    pub admin_token: Option<String>,
    /// Lets `POST /internal/clock` move the network's clock forward (1 or 0).
    #[arg(long, env = "TEST_CLOCK", default_value = "0", value_parser = BoolishValueParser::new(), action = ArgAction::Set)]
    pub test_clock: bool,
    /// Whether it would serve real customers, which it refuses.
    #[command(flatten)]
    pub production: Production,
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

    fn collector(&self) -> Option<&str> {
        self.serve.collector()
    }
}

//! The settings of the subscription service.

use std::{net::SocketAddr, path::PathBuf};

use clap::{ArgAction, builder::BoolishValueParser};
use identity::Enrichment;
use service::{Production, ServeConfig, Settings};
use store::StoreConfig;

use crate::{
    publishers::counts::FraudLimits,
    subscribers::{calendar::BillingTimes, crash::CrashPoints},
};

/// The settings of the subscription service, each with its environment variable.
///
/// Holds secrets, so it does not implement Debug.
#[derive(clap::Parser, Clone)]
#[command(
    name = "subscription",
    version,
    about = "The subscription service: joins, verification, billing, leaving.",
    after_help = "--migrate\n  brings the tables up to date and ends; of all settings it takes only those of its database, and LOG_FORMAT\n--restored\n  marks the database as restored from a backup and ends, with the same settings: nothing is billed until POST /internal/catch-up\nsubscription --new-session-key\n  prints a fresh SESSION_SECRET_KEY= (for this service alone) and the SESSION_PUBLIC_KEYS= that goes with it\n  (for every service), and ends. To rotate: put the new public key before the old one everywhere, then change the secret."
)]
pub struct Config {
    /// Address to listen on.
    #[arg(long, env = "BIND", default_value = "127.0.0.1:8085")]
    pub bind: SocketAddr,
    /// The file with the brands and networks.
    #[arg(long, env = "BRANDS_FILE", default_value = "deploy/brands.toml")]
    pub brands_file: PathBuf,
    /// The key that signs sessions, `k4.secret.…`; --new-session-key creates one.
    #[arg(long, env = "SESSION_SECRET_KEY", hide_env_values = true)]
    pub session_secret_key: String,
    /// The public keys of earlier secret keys, `k4.public.…`, separated by commas; the current one may be omitted.
    #[arg(long, env = "SESSION_PUBLIC_KEYS")]
    pub session_public_keys: Option<String>,
    /// The base URL of networks without a `url` in brands.toml: the operator sandbox. `{network}` in it is replaced by the network's name.
    #[arg(long, env = "OPERATOR_URL", default_value = "http://127.0.0.1:8090")]
    pub operator_url: String,
    /// The key with which networks sign their notifications, `whsec_` and base64; two, separated by a comma, during a
    /// rotation. A network may name another variable in brands.toml.
    #[arg(long, env = "NOTIFY_SECRET", hide_env_values = true)]
    pub notify_secret: String,
    /// The name and password by which networks know us whose API needs them, with a colon between them. A network may name
    /// another variable in brands.toml.
    #[arg(long, env = "NETWORK_CREDENTIALS", hide_env_values = true)]
    pub network_credentials: Option<String>,
    /// The secret behind the charges' keys and the keys of saved films, which makes them unguessable. It must never change. Unset: the first
    /// NOTIFY_SECRET (refused in production).
    #[arg(long, env = "CHARGE_KEY_SECRET", hide_env_values = true)]
    pub charge_key_secret: Option<String>,
    /// The gateway's port, for the addresses that browsers are redirected to.
    #[arg(long, env = "PUBLIC_PORT", default_value_t = 8080)]
    pub public_port: u16,
    /// A number that is active everywhere and never billed; unset: none.
    #[arg(long, env = "TEST_MSISDN")]
    pub test_msisdn: Option<String>,
    /// Whether it serves real customers.
    #[command(flatten)]
    pub production: Production,
    /// The token of `/internal` calls; unset disables them.
    #[arg(long, env = "ADMIN_TOKEN", hide_env_values = true)]
    pub admin_token: Option<String>,
    /// The public keys, `k4.public.…`, separated by commas, of the back office's STAFF_TOKEN_SECRET_KEY: with its tokens, staff
    /// make the `/internal` calls of their scope. Unset: only ADMIN_TOKEN opens `/internal`.
    #[arg(long, env = "STAFF_TOKEN_PUBLIC_KEYS")]
    pub staff_token_public_keys: Option<String>,
    /// Lets `POST /internal/clock` move the service's clock forward (1 or 0).
    #[arg(long, env = "TEST_CLOCK", default_value = "0", value_parser = BoolishValueParser::new(), action = ArgAction::Set)]
    pub test_clock: bool,
    /// The times of the daily billing passes, in Johannesburg; empty: only on request.
    #[arg(long, env = "BILLING_TIMES", default_value = "06:00,13:00,18:00")]
    pub billing_times: BillingTimes,
    /// Milliseconds in which a network must reply to a charge; after that the outcome is unknown and is queried by
    /// key.
    #[arg(long, env = "CHARGE_TIMEOUT_MS", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    pub charge_timeout_ms: u64,
    /// The most charges of one number on one day, over all services; further ones are parked and raise an alarm.
    #[arg(long, env = "MAX_CHARGES_PER_NUMBER", default_value_t = 5)]
    pub max_charges_per_number: u32,
    /// The most charges at one network in one hour; further ones are parked and raise an alarm.
    #[arg(long, env = "MAX_CHARGES_PER_HOUR", default_value_t = 1_000_000)]
    pub max_charges_per_hour: u32,
    /// Months for which a month of the ledger is kept, at least 84: companies keep their accounts for seven years, and tax records for five
    /// after the return.
    #[arg(long, env = "LEDGER_MONTHS", default_value_t = 84, value_parser = clap::value_parser!(u32).range(84..=1200))]
    pub ledger_months: u32,
    /// Months for which state changes are kept after the end of their subscription, at least 36: they are evidence of consent.
    #[arg(long, env = "EVENTS_MONTHS", default_value_t = 36, value_parser = clap::value_parser!(u32).range(36..=1200))]
    pub events_months: u32,
    /// Which clients' enrichment header is trusted.
    #[command(flatten)]
    pub enrichment: Enrichment,
    /// Where the network of a number is looked up, for brands that are sold on several networks: a GET with the number in the header
    /// `X-MSISDN`, answered by 200 `{"network": "NAME"}` or 404. Unset, and where it fails: the number ranges of brands.toml.
    #[arg(long, env = "NUMBER_LOOKUP_URL", hide_env_values = true)]
    pub number_lookup_url: Option<String>,
    /// What is held against fraud.
    #[command(flatten)]
    pub fraud: FraudLimits,
    /// For crash tests: the probability that a crash point ends the process, `0.01` or `name=0.5,…`.
    #[arg(long, env = "CRASH_POINTS")]
    pub crash_points: Option<CrashPoints>,
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

//! The settings of the back office.

use std::{net::SocketAddr, path::PathBuf};

use clap::{ArgAction, builder::BoolishValueParser};
use service::{Cidrs, Production, ServeConfig, Settings};
use store::StoreConfig;

use crate::{members::Role, provider::SingleSignOnConfig, uploads::UploadsConfig};

/// `backoffice grant`: gives roles to an account, on the machine.
#[derive(clap::Parser, Clone)]
#[command(name = "backoffice")]
pub struct Grant {
    /// The word by which the command line says so.
    #[arg(value_parser = ["grant"])]
    pub command: String,
    /// The account's email address.
    pub email: String,
    /// The roles that it gets.
    #[arg(required = true)]
    pub roles: Vec<Role>,
    /// The database.
    #[command(flatten)]
    pub store: StoreConfig,
    /// The format of log lines.
    #[arg(long, env = "LOG_FORMAT", value_enum, default_value_t)]
    pub log_format: telemetry::LogFormat,
}

impl Settings for Grant {
    fn log_format(&self) -> telemetry::LogFormat {
        self.log_format
    }
}

/// The settings of the back office, each with its environment variable.
///
/// Holds a secret, so it does not implement Debug.
#[derive(clap::Parser, Clone)]
#[command(
    name = "backoffice",
    version,
    about = "The back office: staff, roles, sessions, content, support, finance and the audit log.",
    after_help = "--migrate\n  brings the tables up to date and ends; of all settings it takes only those of its database, and LOG_FORMAT\nbackoffice grant EMAIL ROLE…\n  gives an account roles that one administrator cannot give (support, finance, administrator), and ends; the audit log has it.\n  It takes the same settings as --migrate\nbackoffice --new-token-key\n  prints a fresh STAFF_TOKEN_SECRET_KEY= (for the back office alone) and the STAFF_TOKEN_PUBLIC_KEYS= that goes with it\n  (for the services that staff work on), and ends. To rotate: put the new public key before the old one there, then change the secret.\nbackoffice --new-second-factor-key\n  prints a fresh SECOND_FACTOR_KEYS=, and ends. To rotate: put the new key before the old one; a member's secret is encrypted\n  by it at the next sign-in."
)]
pub struct Config {
    /// Address to listen on.
    #[arg(long, env = "BIND", default_value = "127.0.0.1:8086")]
    pub bind: SocketAddr,
    /// Address to listen on for monitoring: `/metrics`. Keep it private. Empty: there is none.
    #[arg(long, env = "OPS_BIND")]
    pub ops_bind: Option<SocketAddr>,
    /// The base URL at which staff open the back office: the start of invitations' links, and the origin of passkeys. With https, cookies are Secure.
    #[arg(long, env = "BACKOFFICE_URL", default_value = "http://localhost:8086")]
    pub backoffice_url: String,
    /// The back office's built front end.
    #[arg(long, env = "BACKOFFICE_DIR", default_value = "frontend/dist/backoffice")]
    pub backoffice_dir: PathBuf,
    /// The email address of the first administrator, who is invited while there is no other.
    #[arg(long, env = "FIRST_ADMINISTRATOR", default_value = "administrator@spaza.example")]
    pub first_administrator: String,
    /// The subscription service's base URL: support and finance work on it.
    #[arg(long, env = "SUBSCRIPTION_URL", default_value = "http://127.0.0.1:8085")]
    pub subscription_url: String,
    /// The comedy service's base URL: editors work on it.
    #[arg(long, env = "COMEDY_URL", default_value = "http://127.0.0.1:8081")]
    pub comedy_url: String,
    /// The diski service's base URL: editors work on it.
    #[arg(long, env = "DISKI_URL", default_value = "http://127.0.0.1:8082")]
    pub diski_url: String,
    /// The meme service's base URL: editors work on it.
    #[arg(long, env = "MEME_URL", default_value = "http://127.0.0.1:8083")]
    pub meme_url: String,
    /// The tt service's base URL: editors work on it.
    #[arg(long, env = "TT_URL", default_value = "http://127.0.0.1:8084")]
    pub tt_url: String,
    /// The key that signs the tokens under which staff call other services, `k4.secret.…`; --new-token-key creates one.
    #[arg(long, env = "STAFF_TOKEN_SECRET_KEY", hide_env_values = true)]
    pub staff_token_secret_key: String,
    /// The keys, `k4.local.…`, separated by commas, that encrypt the secrets of second factors in the database: the first encrypts, the others
    /// still decrypt; --new-second-factor-key creates one.
    #[arg(long, env = "SECOND_FACTOR_KEYS", hide_env_values = true)]
    pub second_factor_keys: String,
    /// Single sign-on.
    #[command(flatten)]
    pub single_sign_on: SingleSignOnConfig,
    /// The proxies in front, as CIDRs separated by commas: a session's address, and limits by address, are those of the client that they name
    /// in `X-Forwarded-For`.
    #[arg(long, env = "TRUSTED_PROXIES", default_value = "")]
    pub trusted_proxies: Cidrs,
    /// Films that editors upload.
    #[command(flatten)]
    pub uploads: UploadsConfig,
    /// Opens `POST /internal/clock`. Empty: closed.
    #[arg(long, env = "ADMIN_TOKEN", hide_env_values = true)]
    pub admin_token: Option<String>,
    /// Whether `POST /internal/clock` may move the clock forward. Not for production.
    #[arg(long, env = "TEST_CLOCK", default_value = "0", value_parser = BoolishValueParser::new(), action = ArgAction::Set)]
    pub test_clock: bool,
    /// Whether it serves real customers.
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

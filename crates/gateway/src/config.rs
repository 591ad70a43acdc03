//! The gateway's settings.

use std::{net::SocketAddr, path::PathBuf};

use brands::Brands;
use clap::builder::BoolishValueParser;
use identity::Enrichment;
use service::{Cidrs, ServeConfig, Settings, StartError};

use crate::{
    images::{ImageConfig, ImageOrigins},
    media::MediaOrigin,
    protection::Protection,
    upstream::Replicas,
};

/// The gateway's settings, each with its environment variable.
#[derive(clap::Parser, Clone, Debug)]
#[command(name = "gateway", about = "The public door: hosts to brands, calls to services, media, images and pages.")]
pub struct Config {
    /// The public address to listen on.
    #[arg(long, env = "BIND", default_value = "127.0.0.1:8080")]
    pub bind: SocketAddr,
    /// The address of the operators' listener: `/readyz` with details, and `/metrics`. Keep it private.
    #[arg(long, env = "OPS_BIND", default_value = "127.0.0.1:8089")]
    pub ops_bind: SocketAddr,
    /// The public port, for the addresses in `brands.toml` with `{port}`.
    #[arg(long, env = "PUBLIC_PORT", default_value_t = 8080)]
    pub public_port: u16,
    /// Base URLs of the comedy service, separated by commas.
    #[arg(long, env = "COMEDY_URL", default_value = "http://127.0.0.1:8081")]
    pub comedy_url: Replicas,
    /// Base URLs of the diski service.
    #[arg(long, env = "DISKI_URL", default_value = "http://127.0.0.1:8082")]
    pub diski_url: Replicas,
    /// Base URLs of the meme service.
    #[arg(long, env = "MEME_URL", default_value = "http://127.0.0.1:8083")]
    pub meme_url: Replicas,
    /// Base URLs of the tt service.
    #[arg(long, env = "TT_URL", default_value = "http://127.0.0.1:8084")]
    pub tt_url: Replicas,
    /// Base URLs of the subscription service.
    #[arg(long, env = "SUBSCRIPTION_URL", default_value = "http://127.0.0.1:8085")]
    pub subscription_url: Replicas,
    /// The built front end: the folder with `index.html`.
    #[arg(long, env = "FRONTEND_DIR", default_value = "frontend/dist")]
    pub frontend_dir: PathBuf,
    /// The folder behind `/media/`.
    #[arg(long, env = "MEDIA_DIR", default_value = "deploy/demo/media")]
    pub media_dir: PathBuf,
    /// A second such folder, for files that are not in MEDIA_DIR. Unset: there is none.
    #[arg(long, env = "UPLOADED_MEDIA_DIR")]
    pub uploaded_media_dir: Option<PathBuf>,
    /// An origin in its place.
    #[command(flatten)]
    pub media_origin: MediaOrigin,
    /// The image origins that are resized, and the folder of each: `https://origin=folder`, separated by commas. An origin
    /// that is named twice has both folders.
    #[arg(long, env = "IMAGE_ORIGINS", default_value = "https://images.spaza.example=deploy/demo/images")]
    pub image_origins: ImageOrigins,
    /// Where finished images stay, and who makes them.
    #[command(flatten)]
    pub images: ImageConfig,
    /// The file with the brands and networks.
    #[arg(long, env = "BRANDS_FILE", default_value = "deploy/brands.toml")]
    pub brands_file: PathBuf,
    /// The keys that verify sessions, `k4.public.…`, separated by commas; the current one first.
    #[arg(long, env = "SESSION_PUBLIC_KEYS")]
    pub session_public_keys: String,
    /// The public keys, `k4.public.…`, separated by commas, of the back office's STAFF_TOKEN_SECRET_KEY: its links show previews of
    /// drafts. Unset: there are no previews.
    #[arg(long, env = "STAFF_TOKEN_PUBLIC_KEYS")]
    pub staff_token_public_keys: Option<String>,
    /// The test number, for pages; unset or empty: none, and its sessions are not valid.
    #[arg(long, env = "TEST_MSISDN")]
    pub test_msisdn: Option<String>,
    /// Refuses settings that are unsafe in production (1 or 0).
    #[arg(long, env = "PRODUCTION", default_value = "0", value_parser = BoolishValueParser::new(), action = clap::ArgAction::Set)]
    pub production: bool,
    /// The public base URL of the network's pages.
    #[arg(long, env = "OPERATOR_PUBLIC_URL", default_value = "http://localhost:8090")]
    pub operator_public_url: String,
    /// Networks (CIDR, separated by commas) whose `X-Forwarded-*` and `X-Request-Id` are trusted; empty: none.
    #[arg(long, env = "TRUSTED_PROXIES", default_value = "")]
    pub trusted_proxies: Cidrs,
    /// Which clients' enrichment header is trusted.
    #[command(flatten)]
    pub enrichment: Enrichment,
    /// The limits of one visitor's requests and connections.
    #[command(flatten)]
    pub protection: Protection,
    /// Threads and log.
    #[command(flatten)]
    pub serve: ServeConfig,
}

impl Config {
    /// An error for settings that must not be used with real customers: the sandbox's pages, plain http, a published key.
    pub(crate) fn check_production(&self, brands: &Brands) -> Result<(), StartError> {
        if self.production {
            brands.check_production()?;
            service::refuse_plain_http("OPERATOR_PUBLIC_URL", &self.operator_public_url)?;
            service::refuse_sandbox("OPERATOR_PUBLIC_URL", &self.operator_public_url)?;
            service::refuse_published("SESSION_PUBLIC_KEYS", self.session_public_keys.as_bytes())?;
        }
        Ok(())
    }
}

impl Settings for Config {
    fn log_format(&self) -> telemetry::LogFormat {
        self.serve.log_format
    }

    fn collector(&self) -> Option<&str> {
        self.serve.collector()
    }
}

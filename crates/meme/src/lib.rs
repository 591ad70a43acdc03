//! The meme service: categories, random memes, likes.
//!
//! Read `routes` for the paths, then `memes`, `categories`, `search` and `likes`; the manifest is in `catalogue::manifest`.

mod categories;
mod likes;
mod memes;
mod personal_data;
mod random;
mod routes;
mod schema;
mod search;

use std::net::SocketAddr;

use actix_web::web::Data;
use catalogue::{Kind, Publication};
use service::{Running, Settings, StartError};

/// The catalogue that this service publishes.
pub const PUBLICATION: Publication = Publication {
    name: "meme",
    kind: Kind::Meme,
    about: "Memes: categories, random draws, likes.",
    prefix: "/api/meme",
    visitors: routes::VISITORS,
    migrations: store::migrations!("../../migrations/meme/sqlite", "../../migrations/meme/postgres"),
    personal_tables: personal_data::TABLES,
};

/// The settings of the meme service, each with its environment variable.
#[derive(clap::Parser, Clone, Debug)]
#[command(name = "meme", version, about, after_help = store::MIGRATE_HELP)]
pub struct Config {
    /// Address to listen on.
    #[arg(long, env = "BIND", default_value = "127.0.0.1:8083")]
    pub bind: SocketAddr,
    /// The keys that verify sessions: PASERK `k4.public.…`, separated by commas.
    #[arg(long, env = "SESSION_PUBLIC_KEYS")]
    pub session_public_keys: String,
    /// What every catalogue needs.
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
    let verifier = catalogue::session_verifier(&config.session_public_keys, &config.catalogue.production)?;
    let verifier = Data::new(verifier);
    let random_memes = Data::new(random::RandomMemes::default());
    catalogue::start(PUBLICATION, config.bind, config.catalogue, move |routes| {
        routes.app_data(verifier.clone()).app_data(random_memes.clone());
    })
    .await
}

//! The video-on-demand service: categories, videos, banners, likes and the watchlist of every brand of the kind.
//!
//! Read `routes` for the paths, then `videos`, `categories`, `search`, `likes` and `watchlist`; the manifest is in `catalogue::manifest`.

mod banners;
mod categories;
mod home_rows;
mod likes;
mod marks;
mod personal_data;
mod routes;
mod schema;
mod search;
mod videos;
mod watchlist;

use std::net::SocketAddr;

use actix_web::web::Data;
use catalogue::{Kind, Publication};
use service::{Running, Settings, StartError};

/// The catalogue that this service publishes.
pub const PUBLICATION: Publication = Publication {
    name: "tt",
    kind: Kind::Tt,
    about: "Video on demand: categories, videos, banners, likes, the watchlist.",
    prefix: "/api/tt",
    visitors: routes::VISITORS,
    migrations: store::migrations!("../../migrations/tt/sqlite", "../../migrations/tt/postgres"),
    personal_tables: personal_data::TABLES,
};

/// The settings of the video-on-demand service, each with its environment variable.
#[derive(clap::Parser, Clone, Debug)]
#[command(name = "tt", version, about, after_help = store::MIGRATE_HELP)]
pub struct Config {
    /// Address to listen on.
    #[arg(long, env = "BIND", default_value = "127.0.0.1:8084")]
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
    catalogue::start(PUBLICATION, config.bind, config.catalogue, move |routes| {
        routes.app_data(verifier.clone());
    })
    .await
}

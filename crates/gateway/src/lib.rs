//! The gateway: the only public server of the system. It has no database and no domain types.
//!
//! Reading order: `server` listens and parses requests, `routes` maps paths to handlers, `guard` checks every request, and
//! `request`/`response` are the handlers' types. Then the handlers: `proxy` (forwards to a service through `upstream`, or responds from
//! `cache`), `media` (files, for a `session` with access), `images` (thumbnails), `pages` (with their files in `assets`) and `vitals` (with how films play, `plays`). `app` builds them.

mod app;
mod assets;
mod brand;
mod cache;
mod client_addr;
mod conditions;
mod config;
mod connections;
mod error;
mod folders;
mod forward;
mod guard;
mod host_cookies;
mod images;
mod language;
mod media;
mod ops;
mod page_views;
mod pages;
pub mod paths;
mod plays;
mod previews;
mod protection;
mod proxy;
mod rates;
mod request;
mod response;
mod routes;
mod server;
mod services;
mod session;
mod tls;
mod upstream;
mod vitals;

use std::{net::TcpListener, sync::Arc, time::Duration};

use service::{Cidrs, Running, StartError, machine};

use app::App;
pub use client_addr::Client;
pub use config::Config;
use connections::Connections;
pub use guard::{is_acceptable, is_origin_of};
pub use images::{ImageAddress, ImageConfig, ImageOrigins, WIDTHS};
pub use media::{MediaOrigin, byte_range, file_response};
pub use pages::JoinForm;
pub use protection::Protection;
pub use request::Head;
pub use response::{Body, Response};
pub use routes::document as openapi;
use server::Listener;
pub use services::{Service, service_of};
use tls::Tls;
pub use upstream::Replicas;
pub use vitals::Vital;

/// The name in logs and start errors.
const NAME: &str = "gateway";

/// Starts the public listener, and the operators' listener as its companion.
pub async fn start(config: Config) -> Result<Running, StartError> {
    Bound::new(config)?.serve()
}

/// A gateway with bound listeners that does not accept yet: connections wait.
pub struct Bound {
    public: TcpListener,
    operators: TcpListener,
    app: App,
    tls: Option<Tls>,
    config: Config,
}

impl Bound {
    /// Binds both listeners and loads everything that the settings name, so that errors are known at once.
    pub fn new(config: Config) -> Result<Self, StartError> {
        let public = service::listen(NAME, config.bind)?;
        let operators = service::listen(NAME, config.ops_bind)?;
        let app = App::new(&config)?;
        let tls = Tls::new(&config.protection)?;
        Ok(Self { public, operators, app, tls, config })
    }

    /// Starts to accept.
    pub fn serve(self) -> Result<Running, StartError> {
        let Self { public, operators, app, tls, config } = self;
        let App { brands, pages, upstreams, rates, routes, ops } = app;
        telemetry::collect_metrics();
        service::count_build(NAME);
        let limits = &config.protection;
        let head_timeout = Duration::from_secs(limits.head_seconds);
        let server = Listener {
            handler: routes,
            proxies: config.trusted_proxies.clone(),
            connections: Connections::new(limits.max_connections_per_address, config.trusted_proxies.clone()),
            max_connections: limits.max_connections,
            head_timeout,
            tls: tls.as_ref().map(Tls::acceptor).transpose()?,
        };
        let running = server.serve(public, config.serve.workers())?;
        let beside = Listener {
            handler: ops,
            proxies: Cidrs::default(),
            connections: Connections::new(0, Cidrs::default()),
            max_connections: limits.max_connections,
            head_timeout,
            tls: None,
        };
        let beside = beside.serve(operators, 1)?;
        if let Some(tls) = tls {
            tokio::spawn(tls.watch());
        }
        tokio::spawn(upstream::watch(Arc::downgrade(&upstreams)));
        tokio::spawn(app::remove_idle_rates(Arc::downgrade(&rates)));
        let pages = Arc::downgrade(&pages);
        brands.watch_with(&config.brands_file, move |brands| {
            let pages = pages.clone();
            async move {
                let renew = move || pages.upgrade().map_or(Ok(()), |pages| pages.renew(&brands));
                let renewed = machine::blocking(renew).await.map_err(|error| error.to_string())?;
                renewed.map_err(|error| format!("FRONTEND_DIR: {error}"))
            }
        });
        Ok(running.with(beside))
    }
}

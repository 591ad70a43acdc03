//! The gateway: the only public door of the family. No database, no domain types, no knowledge of what an artist is.
//!
//! Reading order: `routes` is the outer map on one screen; `guard` is what every request must satisfy before it; `site` turns a
//! host into a brand; `asked` is a request as all of them see it. Then the four answers: `proxy` (a service's, over `upstreams`; what it shows to everybody, by `cache`; what a `session` writes), `media` (bytes, for a `session` that may
//! have them), `images` (thumbnails) and `pages` (with their files, `assets`, and what each shows first, `views`); `openapi` tells what all services offer. `lane` answers most
//! calls and films beside the server, by the same rules.

mod app;
mod asked;
mod assets;
mod cache;
mod config;
mod connections;
mod error;
mod guard;
mod images;
mod lane;
mod media;
mod openapi;
mod ops;
mod pages;
pub mod paths;
mod peer;
mod protection;
mod proxy;
mod rates;
mod routes;
mod session;
mod site;
mod tls;
mod upstreams;
mod views;
mod vitals;

use std::{
    net::{IpAddr, TcpListener},
    rc::Rc,
    sync::Arc,
};

use actix_web::{
    rt::net::TcpStream,
    web::{Data, ServiceConfig},
};
use web::{Listening, RequestIdsFrom, Running, StartError};

use app::App;
pub use asked::Asked;
pub use config::Config;
use connections::Connections;
pub use guard::is_origin_of;
pub use images::{ImageAddress, ImageConfig, ImageOrigins, WIDTHS, thumbnail};
use lane::Beside;
pub use media::{MediaOrigin, of_file, span};
pub use openapi::merge as merge_documents;
pub use pages::JoinForm;
pub use peer::Client;
pub use protection::Protection;
pub use routes::{document as openapi, service_of};
use tls::Tls;
pub use upstreams::{Replicas, Service};
pub use vitals::Vital;

/// The name in logs and start-up failures.
const NAME: &str = "gateway";

/// Starts the public listener and, as its companion, the operators' one.
pub async fn start(config: Config) -> Result<Running, StartError> {
    Door::hang(config)?.open()
}

/// A gateway that has its addresses and everything it needs, and does not answer yet: whoever knocks waits.
pub struct Door {
    public: TcpListener,
    operators: TcpListener,
    app: Data<App>,
    tls: Option<Tls>,
    config: Config,
}

impl Door {
    /// Takes both addresses and reads everything the settings name, so that what is wrong is known at once.
    pub fn hang(config: Config) -> Result<Self, StartError> {
        let public = web::listen(NAME, config.bind)?;
        let operators = web::listen(NAME, config.ops_bind)?;
        let app = Data::new(App::new(&config)?);
        let tls = Tls::new(&config.protection)?;
        Ok(Self { public, operators, app, tls, config })
    }

    /// Lets people in.
    pub fn open(self) -> Result<Running, StartError> {
        let Self { public, operators, app, tls, config } = self;
        let ready = {
            let app = app.clone();
            Arc::new(move || -> std::pin::Pin<Box<dyn Future<Output = bool>>> {
                let app = app.clone();
                Box::pin(async move { app.upstreams.ready() })
            })
        };
        let health = web::health(ready);
        let proxies = config.trusted_proxies.clone();
        let ids = RequestIdsFrom(Arc::new(move |peer| proxies.contain(peer)));
        let door = {
            let app = app.clone();
            move |service: &mut ServiceConfig| {
                service.app_data(app.clone()).app_data(ids.clone()).configure(health.clone()).configure(routes::routes);
            }
        };
        let connections =
            Connections::new(config.protection.max_connections_per_address, config.trusted_proxies.clone());
        let listening = Listening {
            tls: tls.as_ref().map(Tls::server).transpose()?,
            max_connections: Some(config.protection.max_connections),
            greet: Some(Arc::new(move |stream: &TcpStream| {
                // Who is gone already is nobody in particular.
                let peer = stream.peer_addr().map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.ip().to_canonical());
                Rc::new(connections.hold(peer))
            })),
            lane: Some({
                let app = app.clone();
                Arc::new(move || Rc::new(Beside(app.clone())))
            }),
        };
        let running = web::serve_with(NAME, public, &config.serve, listening, door)?;
        if let Some(tls) = tls {
            actix_web::rt::spawn(tls.follow());
        }
        let weak = Arc::downgrade(&app.clone().into_inner());
        actix_web::rt::spawn(upstreams::watch(weak.clone()));
        app.brands
            .follow_with(&config.brands_file, move |brands| weak.upgrade().map_or(Ok(()), |app| app.renew(brands)));

        let single = web::ServeConfig { workers: 1, ..config.serve.clone() };
        let beside = web::serve_routes(NAME, operators, &single, move |service: &mut ServiceConfig| {
            service.app_data(app.clone()).configure(ops::routes);
        })?;
        Ok(running.with(beside))
    }
}

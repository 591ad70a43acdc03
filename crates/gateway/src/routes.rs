//! The product's outer map: which address is answered by whom. What is not on this screen cannot be reached.

use actix_web::{
    HttpRequest,
    middleware::from_fn,
    web::{ServiceConfig, resource, scope, to},
};
use serde_json::Value;
use web::{Route, openapi::Endpoints};

use crate::{NAME, guard::guard, images, media, openapi, pages, proxy, upstreams::Service, vitals};

/// Addresses that a service answers: the prefix itself and everything below it, and nothing else of that service.
const SERVICES: [(&str, Service); 6] = [
    ("/api/madfunny", Service::Comedy),
    ("/api/diski", Service::Diski),
    ("/api/meme", Service::Meme),
    ("/api/tt", Service::Tt),
    ("/api/subscribe", Service::Subscription),
    ("/api/session", Service::Subscription),
];

/// What all media are counted under.
pub(crate) const MEDIA: &str = "/media/{file}";

/// Where every call is.
const API: &str = "/api";

/// Our own calls, beside what the services answer.
const OWN: Endpoints = web::endpoints! {
    public GET "/openapi.json" => openapi::get_document,
    public GET "/docs" => openapi::get_page,
    public POST "/vitals" => vitals::count,
};

/// The gateway's own OpenAPI document.
pub fn document() -> Value {
    web::openapi::document(
        NAME,
        "The public door: these documents themselves, and how fast pages were for their visitors.",
        &[(API, OWN)],
    )
}

/// Everything on the public listener beside `/healthz` and `/readyz`.
pub(crate) fn routes(config: &mut ServiceConfig) {
    // Prefixes, which cost less to look for than patterns do; and none within another.
    config
        .service(
            scope(API)
                .wrap(from_fn(guard))
                .app_data(Route::by(prefix_of))
                .configure(OWN.routes)
                .default_service(to(proxy::relay)),
        )
        .service(
            scope("")
                .wrap(from_fn(guard))
                .app_data(Route::by(page_or_file))
                .service(scope("/media").app_data(Route::by(|_| MEDIA)).default_service(to(media::serve)))
                .service(scope("/img").app_data(Route::by(|_| "/img/{picture}")).default_service(to(images::serve)))
                .service(resource("/join").app_data(Route::pattern()).to(pages::join))
                .default_service(to(pages::serve)),
        );
}

/// The service that answers a path, read as it was sent: an encoded letter in a prefix makes it another path.
pub fn service_of(path: &str) -> Option<Service> {
    listed(path).map(|(_, service)| service)
}

/// The prefix a path is below, and whose it is.
pub(crate) fn listed(path: &str) -> Option<(&'static str, Service)> {
    SERVICES
        .into_iter()
        .find(|(prefix, _)| path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// What a relayed call is counted under; its service counts it by its own pattern.
fn prefix_of(req: &HttpRequest) -> &'static str {
    listed(req.uri().path()).map_or("/api", |(prefix, _)| prefix)
}

/// What everything else is counted under.
fn page_or_file(req: &HttpRequest) -> &'static str {
    if req.path().starts_with("/assets/") { "/assets/{file}" } else { "(page)" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_whole_segments() {
        for (path, expected) in [
            ("/api/madfunny/fetchArtist", Some(Service::Comedy)),
            ("/api/diski/fetchArtist", Some(Service::Diski)),
            ("/api/meme/random", Some(Service::Meme)),
            ("/api/tt/getCategory/raceday", Some(Service::Tt)),
            ("/api/subscribe", Some(Service::Subscription)),
            ("/api/subscribe/me", Some(Service::Subscription)),
            ("/api/session/test", Some(Service::Subscription)),
            ("/api/memes", None),
            ("/api/internal/imports", None),
            ("/internal/imports", None),
            ("/api/%6deme/random", None),
            ("/api", None),
        ] {
            assert_eq!(service_of(path), expected, "{path}");
        }
    }
}

//! The product's outer map: which address is answered by whom. What is not on this screen cannot be reached.

use actix_web::{
    HttpRequest,
    http::Method,
    middleware::from_fn,
    web::{ServiceConfig, resource, scope, to},
};
use percent_encoding::percent_decode_str;
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

/// Reads that answer with what a session's own number has kept: the first segment below their service's prefix.
const OWN_READS: [(Service, &str); 3] =
    [(Service::Meme, "mine"), (Service::Tt, "mine"), (Service::Tt, "getTTWatchlist")];

/// Ends the session's own subscription.
pub(crate) const LEAVE: &str = "/api/subscribe/unsubscribe";

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

/// Whether a call is for its session's own number: every write to a service of content, and the own reads.
///
/// Services decode a path's escapes before they match it, so an own read is recognised by its decoded segment.
pub(crate) fn is_own(service: Service, method: &Method, path: &str) -> bool {
    if !method.is_safe() {
        return service.kind().is_some();
    }
    listed(path).and_then(|(prefix, _)| path.strip_prefix(prefix)?.strip_prefix('/')).is_some_and(|below| {
        let first = percent_decode_str(below.split('/').next().unwrap_or_default()).decode_utf8_lossy();
        OWN_READS.iter().any(|(of, name)| *of == service && first == *name)
    })
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

    #[test]
    fn a_sessions_own_calls_are_known_however_their_path_is_written() {
        for (method, path, expected) in [
            (Method::POST, "/api/meme/postlike", true),
            (Method::DELETE, "/api/meme/%75nlike", true),
            (Method::POST, "/api/tt/likevideo", true),
            (Method::DELETE, "/api/tt/ttremove", true),
            (Method::GET, "/api/meme/mine", true),
            (Method::HEAD, "/api/meme/%6Dine", true),
            (Method::GET, "/api/tt/mine/raceday", true),
            (Method::GET, "/api/tt/getTTWatchlist/raceday", true),
            (Method::GET, "/api/meme/random", false),
            (Method::GET, "/api/meme/mined", false),
            (Method::GET, "/api/meme/getTTWatchlist", false),
            (Method::GET, "/api/tt", false),
            (Method::GET, "/api/madfunny/mine", false),
            (Method::POST, "/api/subscribe", false),
            (Method::POST, LEAVE, false),
        ] {
            let service = service_of(path).unwrap();
            assert_eq!(is_own(service, &method, path), expected, "{method} {path}");
        }
    }
}

//! The services and their paths.

use brands::Kind;
use http::Method;
use percent_encoding::percent_decode_str;

/// A service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// Comedians.
    Comedy,
    /// Footballers.
    Diski,
    /// Memes.
    Meme,
    /// Video on demand.
    Tt,
    /// Joining, paying, leaving.
    Subscription,
}

impl Service {
    /// Every service.
    pub(crate) const ALL: [Self; 5] = [Self::Comedy, Self::Diski, Self::Meme, Self::Tt, Self::Subscription];

    /// Its name in logs, and its crate's.
    pub fn name(self) -> &'static str {
        match self {
            Self::Comedy => "comedy",
            Self::Diski => "diski",
            Self::Meme => "meme",
            Self::Tt => "tt",
            Self::Subscription => "subscription",
        }
    }

    /// The kind of brand that a service serves; `None` for subscription, which serves all.
    pub(crate) fn kind(self) -> Option<Kind> {
        match self {
            Self::Comedy => Some(Kind::Comedy),
            Self::Diski => Some(Kind::Diski),
            Self::Meme => Some(Kind::Meme),
            Self::Tt => Some(Kind::Tt),
            Self::Subscription => None,
        }
    }
}

/// Path prefixes of services; other paths of a service are not reachable.
const PREFIXES: [(&str, Service); 6] = [
    ("/api/madfunny", Service::Comedy),
    ("/api/diski", Service::Diski),
    ("/api/meme", Service::Meme),
    ("/api/tt", Service::Tt),
    ("/api/subscribe", Service::Subscription),
    ("/api/session", Service::Subscription),
];

/// Reads of a session's own data: the first segment below the service's prefix.
const OWN_READS: [(Service, &str); 4] =
    [(Service::Meme, "mine"), (Service::Meme, "liked"), (Service::Tt, "mine"), (Service::Tt, "getTTWatchlist")];

/// The path that ends the session's subscription.
pub(crate) const LEAVE: &str = "/api/subscribe/unsubscribe";

/// The service of a path as sent: a prefix with an encoded letter does not match.
pub fn service_of(path: &str) -> Option<Service> {
    prefix_of(path).map(|(_, service)| service)
}

/// The prefix of a path, and its service.
pub(crate) fn prefix_of(path: &str) -> Option<(&'static str, Service)> {
    PREFIXES
        .into_iter()
        .find(|(prefix, _)| path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// Whether a call is about the session's own number: writes to content services, and reads of own data.
///
/// Services decode a path's escapes before they match it, so an own read is recognised by its decoded segment.
pub(crate) fn is_own(service: Service, method: &Method, path: &str) -> bool {
    if !method.is_safe() {
        return service.kind().is_some();
    }
    prefix_of(path).and_then(|(prefix, _)| path.strip_prefix(prefix)?.strip_prefix('/')).is_some_and(|below| {
        let first = percent_decode_str(below.split('/').next().unwrap_or_default()).decode_utf8_lossy();
        OWN_READS.iter().any(|(of, name)| *of == service && first == *name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn service_of_matches_whole_segments() {
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
    fn is_own_decodes_the_path() {
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

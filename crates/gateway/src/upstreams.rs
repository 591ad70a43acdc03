//! The services behind us: who they are, and the way to each.

mod health;
mod replicas;
mod reply;
mod send;
mod wire;

use std::rc::Rc;

use actix_http::RequestHead;
use actix_web::http::{Method, header::HeaderMap, uri::PathAndQuery};
use brands::Kind;
use bytes::Bytes;
use serde::Serialize;

use crate::Config;

pub(crate) use health::watch;
pub use replicas::Replicas;
pub(crate) use reply::{Passing, Reply};
pub(crate) use send::Upstream;

/// A service of the family, as the gateway knows it: somebody who answers below a prefix.
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

    /// The kind of brand a service shows; subscription serves them all.
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

/// A call as it leaves for a service.
pub(crate) struct Call {
    head: Rc<RequestHead>,
    body: Bytes,
}

impl Call {
    /// A call for an address; its headers name a host.
    pub(crate) fn new(method: Method, address: PathAndQuery, headers: HeaderMap, body: Bytes) -> Self {
        let mut head = RequestHead::default();
        head.method = method;
        head.uri = address.into();
        head.headers = headers;
        Self { head: Rc::new(head), body }
    }

    /// A GET.
    pub(crate) fn get(address: PathAndQuery, headers: HeaderMap) -> Self {
        Self::new(Method::GET, address, headers, Bytes::new())
    }

    /// The path it is for.
    pub(crate) fn path(&self) -> &str {
        self.head.uri.path()
    }

    /// Whether doing it twice is doing it once. Not so for the check that opens a session: its first answer carries the
    /// cookie, a second one would not.
    fn idempotent(&self) -> bool {
        let opens_session = self.path().starts_with("/api/subscribe/check-sub");
        !opens_session
            && matches!(self.head.method, Method::GET | Method::HEAD | Method::OPTIONS | Method::PUT | Method::DELETE)
    }
}

/// What a service's replicas said when they were last asked.
#[derive(Serialize)]
pub(crate) struct PartState {
    part: &'static str,
    pub(crate) ready: bool,
    replicas: Vec<ReplicaState>,
}

#[derive(Serialize)]
struct ReplicaState {
    url: String,
    ready: bool,
}

/// Every service.
pub(crate) struct Upstreams([Upstream; 5]);

impl Upstreams {
    pub(crate) fn new(config: &Config) -> Self {
        Self(Service::ALL.map(|service| {
            let replicas = match service {
                Service::Comedy => &config.comedy_url,
                Service::Diski => &config.diski_url,
                Service::Meme => &config.meme_url,
                Service::Tt => &config.tt_url,
                Service::Subscription => &config.subscription_url,
            };
            Upstream::new(service, replicas)
        }))
    }

    pub(crate) fn of(&self, service: Service) -> &Upstream {
        let [comedy, diski, meme, tt, subscription] = &self.0;
        match service {
            Service::Comedy => comedy,
            Service::Diski => diski,
            Service::Meme => meme,
            Service::Tt => tt,
            Service::Subscription => subscription,
        }
    }

    /// What is known of every service; never more than a few seconds old.
    pub(crate) fn states(&self) -> Vec<PartState> {
        self.0.iter().map(Upstream::state).collect()
    }

    /// Whether each service has a replica that is ready.
    pub(crate) fn ready(&self) -> bool {
        self.0.iter().all(|upstream| upstream.state().ready)
    }
}

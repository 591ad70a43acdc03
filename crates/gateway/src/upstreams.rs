//! The services behind us: who they are, and the way to each.

mod call;
mod health;
mod message;
mod replicas;
mod reply;
mod send;
mod wire;

use brands::Kind;
use serde::Serialize;

use crate::Config;

pub(crate) use call::{Call, Headers};
pub(crate) use health::watch;
pub(crate) use message::{connection_options, is_hop_by_hop};
pub use replicas::Replicas;
pub(crate) use reply::{Passing, Reply, as_headers};
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

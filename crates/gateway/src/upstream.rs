//! The services behind the gateway: their replicas, and the connections to them.

mod balance;
mod call;
mod health;
mod pool;
mod replicas;
mod response;

use serde::Serialize;

use crate::{Config, services::Service};

pub(crate) use balance::Upstream;
pub(crate) use call::Call;
pub(crate) use health::watch;
pub use replicas::Replicas;
pub(crate) use response::{ServiceResponse, connection_options, is_hop_by_hop};

/// Whether a service's replicas were ready when they were last asked.
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
    /// Reads where the replicas are; connects to none yet.
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

    /// One service.
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

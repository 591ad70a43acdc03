//! The services under the soak test, behind the gateway and directly.

use std::net::SocketAddr;

use testkit::{Engine, TestStore};

use crate::{
    fixture::{Service, Size},
    process::Process,
    stage::{Setup, Stage},
};

/// The services and their addresses.
pub(super) struct Family {
    comedy: Vec<Process>,
    meme: Vec<Process>,
    tt: Vec<Process>,
    gateway: Process,
    /// Sends the visitors' and the editor's requests.
    pub client: reqwest::Client,
    _stores: Vec<TestStore>,
}

impl Family {
    /// Fills the databases and starts all services.
    pub async fn start(stage: &Stage, engine: Engine) -> anyhow::Result<Self> {
        let replicas = if engine == Engine::Postgres { 2 } else { 1 };
        let mut stores = Vec::new();
        let mut started = Vec::new();
        for (service, size) in [
            (Service::Comedy, Size { categories: 50, ..Size::of(10_000) }),
            (Service::Meme, Size { categories: 100, likes: 200_000, ..Size::of(100_000) }),
            (Service::Tt, Size { likes: 200_000, ..Size::of(20_000) }),
        ] {
            let mut store = stage.library(service, engine, size).await?;
            if engine == Engine::Postgres {
                store.config.redis_url = std::env::var("TEST_REDIS_URL").ok();
            }
            let mut processes = Vec::new();
            for replica in 0..replicas {
                let setup = Setup { engine, pinned: false };
                processes.push(stage.start(service, &store, setup, &format!("-{replica}")).await?);
            }
            started.push(processes);
            stores.push(store);
        }
        let (Some(tt), Some(meme), Some(comedy)) = (started.pop(), started.pop(), started.pop()) else {
            anyhow::bail!("a service is missing");
        };
        let gateway = [("COMEDY_URL", &comedy), ("MEME_URL", &meme), ("TT_URL", &tt)]
            .map(|(variable, replicas)| (variable, replicas.iter().collect()));
        // All visitors have one address, so that the limit per address would be what is measured.
        let gateway = stage.gateway(&gateway, &[("RATE_LIMIT", "0")], false).await?;
        Ok(Self { comedy, meme, tt, gateway, client: stage.client.clone(), _stores: stores })
    }

    /// All processes, for the memory watch.
    pub fn processes(&self) -> Vec<(String, u32)> {
        let services = [&self.comedy, &self.meme, &self.tt];
        services
            .into_iter()
            .flat_map(|replicas| replicas.iter().enumerate())
            .map(|(replica, process)| (format!("{} {replica}", process.name), process.id()))
            .chain([(self.gateway.name.clone(), self.gateway.id())])
            .collect()
    }

    /// A replica of a service, round robin by `turn`.
    pub fn replica(&self, service: Service, turn: usize) -> SocketAddr {
        let replicas = match service {
            Service::Meme => &self.meme,
            Service::Tt => &self.tt,
            Service::Comedy | Service::Diski => &self.comedy,
        };
        replicas.get(turn % replicas.len().max(1)).map_or(self.gateway.addr, |process| process.addr)
    }

    /// The gateway's address.
    pub fn gateway(&self) -> SocketAddr {
        self.gateway.addr
    }
}

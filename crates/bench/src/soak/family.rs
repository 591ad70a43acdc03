//! The services under the soak test, behind the gateway and directly.

use std::net::SocketAddr;

use testkit::{Engine, TestStore};

use crate::{
    fixture::{Service, Size, people},
    process::Process,
    stage::{NOTIFY_SECRET, Setup, Stage},
};

/// The services that visitors subscribe to: memeworld and ttmbhatv.
const SVC_IDS: &[i32] = &[150, 152];

/// The services and their addresses.
pub(super) struct Family {
    comedy: Vec<Process>,
    meme: Vec<Process>,
    tt: Vec<Process>,
    /// Tells the gateway which sessions are active.
    subscription: Process,
    gateway: Process,
    /// Sends the visitors' and the editor's requests.
    pub client: reqwest::Client,
    _stores: Vec<TestStore>,
}

impl Family {
    /// Fills the databases and starts all services.
    pub async fn start(stage: &Stage, engine: Engine, visitors: usize) -> anyhow::Result<Self> {
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
        let mut store = testkit::store(engine).await;
        store.config.redis_url = None;
        people::fill_visitors(&store.config, i64::try_from(visitors)?, SVC_IDS).await?;
        let key = identity::SessionMinter::generate()?;
        let settings = [("SESSION_SECRET_KEY", key.as_str()), ("NOTIFY_SECRET", NOTIFY_SECRET), ("BILLING_TIMES", "")];
        let subscription = stage.start_with("subscription", &store, &settings, "soak").await?;
        stores.push(store);
        let mut gateway: Vec<_> = [("COMEDY_URL", &comedy), ("MEME_URL", &meme), ("TT_URL", &tt)]
            .map(|(variable, replicas)| (variable, replicas.iter().collect()))
            .into();
        gateway.push(("SUBSCRIPTION_URL", vec![&subscription]));
        // All visitors have one address, so that the limit per address would be what is measured.
        let gateway = stage.gateway(&gateway, &[("RATE_LIMIT", "0")], false).await?;
        Ok(Self { comedy, meme, tt, subscription, gateway, client: stage.client.clone(), _stores: stores })
    }

    /// All processes, for the memory watch.
    pub fn processes(&self) -> Vec<(String, u32)> {
        let services = [&self.comedy, &self.meme, &self.tt];
        services
            .into_iter()
            .flat_map(|replicas| replicas.iter().enumerate())
            .map(|(replica, process)| (format!("{} {replica}", process.name), process.id()))
            .chain([&self.subscription, &self.gateway].map(|process| (process.name.clone(), process.id())))
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

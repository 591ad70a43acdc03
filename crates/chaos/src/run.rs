//! What all tasks of a run share: the family, the results, and whether the run is over. Subscribers hold a `Run` and not the other way
//! round, so that all processes end when the last subscriber is dropped.

use std::{cell::Cell, path::PathBuf, time::Duration};

use rand::{SeedableRng, rngs::StdRng};
use testkit::ADMIN_TOKEN;

use crate::{family::Family, results::Results};

/// How long a visitor waits for a reply: longer than the gateway waits for a service.
const TIMEOUT: Duration = Duration::from_secs(45);

/// One run.
pub(crate) struct Run {
    /// All processes.
    pub family: Family,
    /// What was measured.
    pub results: Results,
    /// Opens a new connection for each request, as many phones do.
    pub http: reqwest::Client,
    /// The time within which everything works after a fault's end.
    pub recovery: Duration,
    /// The folder behind `/media/`.
    pub media: PathBuf,
    seed: u64,
    over: Cell<bool>,
}

impl Run {
    /// A run without results.
    pub fn new(family: Family, seed: u64, recovery: Duration) -> anyhow::Result<Self> {
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .pool_max_idle_per_host(0)
            .timeout(TIMEOUT)
            .build()?;
        Ok(Self {
            family,
            results: Results::new(),
            http,
            recovery,
            media: PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/demo/media")),
            seed,
            over: Cell::new(false),
        })
    }

    /// A random number generator for one task, the same for the same seed.
    pub fn rng(&self, task: u64) -> StdRng {
        StdRng::seed_from_u64(self.seed.wrapping_add(task.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// Whether visitors stop.
    pub fn is_over(&self) -> bool {
        self.over.get()
    }

    /// Has visitors stop.
    pub fn end(&self) {
        self.over.set(true);
    }

    /// GET with the admin token; the body of a 200.
    pub async fn get_as_admin(&self, url: &str) -> anyhow::Result<String> {
        let reply = self.http.get(url).bearer_auth(ADMIN_TOKEN).send().await?;
        if reply.status() != 200 {
            anyhow::bail!("{url} answered {}", reply.status());
        }
        Ok(reply.text().await?)
    }

    /// POST with the admin token; whether it succeeded.
    pub async fn post_as_admin(&self, url: &str, body: &serde_json::Value) -> bool {
        let reply = self.http.post(url).bearer_auth(ADMIN_TOKEN).json(body).send().await;
        reply.is_ok_and(|reply| reply.status().is_success())
    }
}

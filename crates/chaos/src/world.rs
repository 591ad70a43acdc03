//! What everybody shares who takes part: the family, what was seen, and whether it is over. People hold it, so
//! it holds no people: it ends with the last of them, and everything that runs ends with it.

use std::{cell::Cell, path::PathBuf, time::Duration};

use rand::{SeedableRng, rngs::StdRng};
use testkit::ADMIN_TOKEN;

use crate::{family::Family, tally::Tally};

/// How long a visitor waits for an answer: longer than the gateway waits for a service.
const PATIENCE: Duration = Duration::from_secs(45);

/// The world of one run.
pub(crate) struct World {
    /// Everything that runs.
    pub family: Family,
    /// What was seen.
    pub tally: Tally,
    /// Speaks over a new connection each time, as many phones do.
    pub http: reqwest::Client,
    /// What is below `/media/`.
    pub media: PathBuf,
    seed: u64,
    over: Cell<bool>,
}

impl World {
    /// A world in which nothing has happened yet.
    pub fn new(family: Family, seed: u64) -> anyhow::Result<Self> {
        let http = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .pool_max_idle_per_host(0)
            .timeout(PATIENCE)
            .build()?;
        Ok(Self {
            family,
            tally: Tally::new(),
            http,
            media: PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/demo/media")),
            seed,
            over: Cell::new(false),
        })
    }

    /// Dice of somebody's own, the same for the same seed.
    pub fn dice(&self, whose: u64) -> StdRng {
        StdRng::seed_from_u64(self.seed.wrapping_add(whose.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// Whether visitors are to go home.
    pub fn is_over(&self) -> bool {
        self.over.get()
    }

    /// Sends visitors home.
    pub fn end(&self) {
        self.over.set(true);
    }

    /// Asks as an operator of the house; the body of a 200.
    pub async fn read(&self, url: &str) -> anyhow::Result<String> {
        let reply = self.http.get(url).bearer_auth(ADMIN_TOKEN).send().await?;
        if reply.status() != 200 {
            anyhow::bail!("{url} answered {}", reply.status());
        }
        Ok(reply.text().await?)
    }

    /// Orders something as an operator of the house; whether it was done.
    pub async fn order(&self, url: &str, body: &serde_json::Value) -> bool {
        let reply = self.http.post(url).bearer_auth(ADMIN_TOKEN).json(body).send().await;
        reply.is_ok_and(|reply| reply.status().is_success())
    }
}

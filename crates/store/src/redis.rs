//! Redis, where replicas share what need not survive: reached with a short timeout, and never needed to be right.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use redis::{
    Client, FromRedisValue, Pipeline,
    aio::{ConnectionManager, ConnectionManagerConfig},
};
use service::StartError;

/// How long a request waits for Redis before it goes on without.
const TIMEOUT: Duration = Duration::from_millis(100);

/// How long nobody asks a Redis that did not answer: an outage costs one request a second its timeout, not every request.
const REST: Duration = Duration::from_secs(1);

/// A connection that is made again by itself when it breaks.
#[derive(Clone)]
pub struct Redis {
    manager: ConnectionManager,
    patience: Duration,
    born: Instant,
    /// Milliseconds after `born` until which it is left alone.
    rests_until: Arc<AtomicU64>,
}

/// A value that replicas share, and what is known of it.
pub(crate) struct Shared {
    pub value: Vec<u8>,
    /// How long it is still kept.
    pub life: Duration,
}

impl Redis {
    /// Prepares the connection to `url`. A Redis that does not answer yet is no reason not to start; a malformed address is.
    pub async fn open(url: &str) -> Result<Self, StartError> {
        Self::patient(url, TIMEOUT).await
    }

    /// As `open`, for tests that must not depend on how quick a busy machine is.
    pub(crate) async fn patient(url: &str, patience: Duration) -> Result<Self, StartError> {
        let unusable = |cause: redis::RedisError| {
            StartError::Setting(format!("REDIS_URL: {}", cause.to_string().replace('\n', " ")))
        };
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(patience.max(Duration::from_secs(2))))
            .set_response_timeout(Some(patience))
            .set_number_of_retries(1);
        let client = Client::open(url).map_err(unusable)?;
        let manager = ConnectionManager::new_lazy_with_config(client, config).map_err(unusable)?;
        let redis = Self { manager, patience, born: Instant::now(), rests_until: Arc::default() };
        let _: Option<()> = redis.ask(redis::pipe().cmd("PING").ignore()).await;
        Ok(redis)
    }

    /// Counts one more under `key` and tells the count; the key is forgotten `window` after its first count.
    pub async fn count(&self, key: &str, window: Duration) -> Option<u64> {
        let mut pipe = redis::pipe();
        pipe.atomic().cmd("SET").arg(key).arg(0).arg("NX").arg("EX").arg(window.as_secs().max(1)).ignore().incr(key, 1);
        self.ask(&pipe).await.map(|(count,): (u64,)| count)
    }

    /// The value under `key`, if any, and the number under `counter`, in one round trip.
    pub(crate) async fn get_with_counter(&self, key: &str, counter: &str) -> Option<(Option<Shared>, u64)> {
        let mut pipe = redis::pipe();
        pipe.get(key).pttl(key).get(counter);
        let (value, life, count): (Option<Vec<u8>>, i64, Option<u64>) = self.ask(&pipe).await?;
        // A key without an end, or one that ended between the two questions, is not ours to trust.
        let life = u64::try_from(life).ok().filter(|life| *life > 0).map(Duration::from_millis);
        Some((value.zip(life).map(|(value, life)| Shared { value, life }), count.unwrap_or(0)))
    }

    /// Keeps `value` under `key` for `life`.
    pub(crate) async fn put(&self, key: &str, value: &[u8], life: Duration) {
        let life = u64::try_from(life.as_millis()).unwrap_or(u64::MAX).max(1);
        let mut pipe = redis::pipe();
        pipe.pset_ex(key, value, life).ignore();
        let _: Option<()> = self.ask(&pipe).await;
    }

    /// Counts one more under `key`, for good.
    pub(crate) async fn raise(&self, key: &str) {
        let mut pipe = redis::pipe();
        pipe.incr(key, 1).ignore();
        let _: Option<()> = self.ask(&pipe).await;
    }

    /// Asks; nothing where Redis does not answer in time.
    async fn ask<T: FromRedisValue>(&self, pipe: &Pipeline) -> Option<T> {
        let now = u64::try_from(self.born.elapsed().as_millis()).unwrap_or(u64::MAX);
        if now < self.rests_until.load(Ordering::Relaxed) {
            return None;
        }
        let mut manager = self.manager.clone();
        // Around the manager as well: it may be making its connection anew, and that takes longer than a visitor should wait.
        let cause = match tokio::time::timeout(self.patience, pipe.query_async(&mut manager)).await {
            Ok(Ok(reply)) => return Some(reply),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "no answer in time".to_owned(),
        };
        let rest = u64::try_from(REST.as_millis()).unwrap_or(u64::MAX);
        self.rests_until.store(now.saturating_add(rest), Ordering::Relaxed);
        tracing::warn!(error = cause, "Redis did not answer; going on without");
        None
    }
}

//! A Redis client with a short timeout, for data that replicas share and can lose: callers continue without it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use redis::{
    Client, FromRedisValue, IntoConnectionInfo, Pipeline, TlsCertificates,
    aio::{ConnectionManager, ConnectionManagerConfig},
};
use service::StartError;

use crate::StoreConfig;

/// How long a request waits for Redis.
const TIMEOUT: Duration = Duration::from_millis(100);

/// How long Redis is not called after a failure: an outage delays one request a second by the timeout, not every request.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// A connection that reconnects by itself.
#[derive(Clone)]
pub struct Redis {
    manager: ConnectionManager,
    timeout: Duration,
    created: Instant,
    /// Milliseconds after `created` until which no commands are sent.
    paused_until: Arc<AtomicU64>,
}

/// A value from Redis with its remaining time to live.
pub(crate) struct CachedValue {
    pub value: Vec<u8>,
    /// How long it is still valid.
    pub ttl: Duration,
}

impl Redis {
    /// Prepares the connection where one is configured. Redis may be down; a malformed URL is an error.
    pub async fn open(config: &StoreConfig) -> Result<Option<Self>, StartError> {
        Self::with_timeout(config, TIMEOUT).await
    }

    /// As `open`, with another timeout: for tests on a busy machine.
    pub(crate) async fn with_timeout(config: &StoreConfig, timeout: Duration) -> Result<Option<Self>, StartError> {
        let Some(url) = config.redis() else { return Ok(None) };
        let unusable = |cause: redis::RedisError| {
            StartError::Setting(format!("REDIS_URL: {}", cause.to_string().replace('\n', " ")))
        };
        let authorities = config.ca_file()?.and_then(|path| std::fs::read(path).ok());
        let client = client(url, authorities).map_err(unusable)?;
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(timeout.max(Duration::from_secs(2))))
            .set_response_timeout(Some(timeout))
            .set_number_of_retries(1);
        let manager = ConnectionManager::new_lazy_with_config(client, config).map_err(unusable)?;
        let redis = Self { manager, timeout, created: Instant::now(), paused_until: Arc::default() };
        let _: Option<()> = redis.query(redis::pipe().cmd("PING").ignore()).await;
        Ok(Some(redis))
    }

    /// Increments the counter `key` and returns it; the key expires `window` after its first increment.
    pub async fn count(&self, key: &str, window: Duration) -> Option<u64> {
        let mut pipe = redis::pipe();
        pipe.atomic().cmd("SET").arg(key).arg(0).arg("NX").arg("EX").arg(window.as_secs().max(1)).ignore().incr(key, 1);
        self.query(&pipe).await.map(|(count,): (u64,)| count)
    }

    /// The value under `key`, if any, and the counter `counter`, in one round trip.
    pub(crate) async fn get_with_counter(&self, key: &str, counter: &str) -> Option<(Option<CachedValue>, u64)> {
        let mut pipe = redis::pipe();
        pipe.get(key).pttl(key).get(counter);
        let (value, ttl, count): (Option<Vec<u8>>, i64, Option<u64>) = self.query(&pipe).await?;
        // A key without expiry, or one that expired between the two commands, is ignored.
        let ttl = u64::try_from(ttl).ok().filter(|ttl| *ttl > 0).map(Duration::from_millis);
        Some((value.zip(ttl).map(|(value, ttl)| CachedValue { value, ttl }), count.unwrap_or(0)))
    }

    /// Stores `value` under `key` for `ttl`.
    pub(crate) async fn put(&self, key: &str, value: &[u8], ttl: Duration) {
        let ttl = u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX).max(1);
        let mut pipe = redis::pipe();
        pipe.pset_ex(key, value, ttl).ignore();
        let _: Option<()> = self.query(&pipe).await;
    }

    /// Increments the counter `key`, which does not expire.
    pub(crate) async fn increment(&self, key: &str) {
        let mut pipe = redis::pipe();
        pipe.incr(key, 1).ignore();
        let _: Option<()> = self.query(&pipe).await;
    }

    /// Sends the commands; `None` where Redis does not reply in time.
    async fn query<T: FromRedisValue>(&self, pipe: &Pipeline) -> Option<T> {
        let now = u64::try_from(self.created.elapsed().as_millis()).unwrap_or(u64::MAX);
        if now < self.paused_until.load(Ordering::Relaxed) {
            return None;
        }
        let mut manager = self.manager.clone();
        // The timeout includes reconnecting, which the manager's own response timeout does not.
        let cause = match tokio::time::timeout(self.timeout, pipe.query_async(&mut manager)).await {
            Ok(Ok(reply)) => return Some(reply),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "no answer in time".to_owned(),
        };
        let delay = u64::try_from(RETRY_DELAY.as_millis()).unwrap_or(u64::MAX);
        self.paused_until.store(now.saturating_add(delay), Ordering::Relaxed);
        tracing::warn!(error = cause, "Redis did not answer; going on without");
        None
    }
}

/// A client of the server at `url`. A `rediss://` server must show a certificate of one of `authorities` (PEM), or else of the system's.
fn client(url: &str, authorities: Option<Vec<u8>>) -> Result<Client, redis::RedisError> {
    let info = url.into_connection_info()?;
    if !matches!(info.addr(), redis::ConnectionAddr::TcpTls { .. }) {
        return Client::open(info);
    }
    // Refused where the process has a provider already, which then does.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    Client::build_with_tls(info, TlsCertificates { client_tls: None, root_cert: authorities })
}

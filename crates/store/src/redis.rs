//! Redis, where replicas share what need not survive: reached with a short timeout, and never needed to be right.

use std::time::Duration;

use redis::{
    Client,
    aio::{ConnectionManager, ConnectionManagerConfig},
};
use web::StartError;

/// How long a request waits for Redis before it goes on without.
const TIMEOUT: Duration = Duration::from_millis(100);

/// A connection that is made again by itself when it breaks.
#[derive(Clone)]
pub struct Redis {
    manager: ConnectionManager,
}

impl Redis {
    /// Connects to `url`; a Redis that does not answer at start is a setting at fault.
    pub async fn open(url: &str) -> Result<Self, StartError> {
        let unusable = |cause: redis::RedisError| {
            StartError::Setting(format!("REDIS_URL: {}", cause.to_string().replace('\n', " ")))
        };
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(Duration::from_secs(2)))
            .set_response_timeout(Some(TIMEOUT))
            .set_number_of_retries(3);
        let client = Client::open(url).map_err(unusable)?;
        let manager = ConnectionManager::new_with_config(client, config).await.map_err(unusable)?;
        Ok(Self { manager })
    }

    /// Counts one more under `key` and tells the count; the key is forgotten `window` after its first count.
    pub async fn count(&self, key: &str, window: Duration) -> redis::RedisResult<u64> {
        let mut manager = self.manager.clone();
        let (count,): (u64,) = redis::pipe()
            .atomic()
            .cmd("SET")
            .arg(key)
            .arg(0)
            .arg("NX")
            .arg("EX")
            .arg(window.as_secs().max(1))
            .ignore()
            .incr(key, 1)
            .query_async(&mut manager)
            .await?;
        Ok(count)
    }
}

//! Replies shared between replicas through Redis, so that only one of them queries the database.
//!
//! A value is the catalogue's generation, the `Link` header and the body. An import increments the generation, which invalidates every
//! older value; and a value's TTL counts from when the reply was made, so that it expires everywhere at once.

use std::time::Duration;

use bytes::Bytes;

use crate::{Redis, redis};

/// The shared replies of one service and database.
#[derive(Clone)]
pub(super) struct RedisCache {
    redis: Redis,
    /// Separates this database's keys from those of other databases in the same Redis.
    namespace: String,
}

/// A reply from Redis.
pub(super) struct StoredReply {
    pub link: Option<String>,
    pub identity: Bytes,
    /// How long it is still valid.
    pub ttl: Duration,
}

/// The generation that a reply made now belongs to.
#[derive(Clone, Copy)]
pub(super) struct Generation(u64);

impl RedisCache {
    pub fn new(redis: Redis, namespace: String) -> Self {
        Self { redis, namespace }
    }

    /// The reply under `key`; else the generation for storing a new one, or `None` where Redis is unavailable.
    pub async fn get(&self, key: &str) -> Result<StoredReply, Option<Generation>> {
        let (found, generation) =
            self.redis.get_with_counter(&self.address(key), &self.generation()).await.ok_or(None)?;
        found.and_then(|value| read(value, generation)).ok_or(Some(Generation(generation)))
    }

    /// Stores a reply for `ttl`.
    pub async fn put(&self, key: &str, made_in: Generation, link: Option<&str>, identity: &[u8], ttl: Duration) {
        let mut value = format!("{}\n{}\n", made_in.0, link.unwrap_or_default()).into_bytes();
        value.extend_from_slice(identity);
        self.redis.put(&self.address(key), &value, ttl).await;
    }

    /// Invalidates every stored reply.
    pub async fn increment_generation(&self) {
        self.redis.increment(&self.generation()).await;
    }

    fn address(&self, key: &str) -> String {
        format!("spaza:replies:{}:{key}", self.namespace)
    }

    fn generation(&self) -> String {
        format!("spaza:generation:{}", self.namespace)
    }
}

fn read(cached: redis::CachedValue, generation: u64) -> Option<StoredReply> {
    let mut lines = cached.value.splitn(3, |byte| *byte == b'\n');
    let made_in = std::str::from_utf8(lines.next()?).ok()?.parse::<u64>().ok()?;
    let link = std::str::from_utf8(lines.next()?).ok()?;
    let identity = Bytes::copy_from_slice(lines.next()?);
    (made_in == generation).then(|| StoredReply {
        link: (!link.is_empty()).then(|| link.to_owned()),
        identity,
        ttl: cached.ttl,
    })
}

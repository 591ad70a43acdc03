//! Ready replies between replicas: what one has made, the others take from Redis instead of from the database.
//!
//! A value is the catalogue's generation, the next page's address and the body. An import raises the generation, so that no
//! replica takes anything made before it; and no value outlives the second it would have lived in its maker's memory.

use std::time::Duration;

use bytes::Bytes;

use crate::{Redis, redis};

/// The replies of one service over one database.
#[derive(Clone)]
pub(super) struct Shelf {
    redis: Redis,
    /// Tells this database's replies from those of any other that the same Redis serves.
    place: String,
}

/// A reply from the shelf.
pub(super) struct Taken {
    pub link: Option<String>,
    pub identity: Bytes,
    /// How long it is still good for.
    pub life: Duration,
}

/// Which generation a reply that is made now will belong to.
#[derive(Clone, Copy)]
pub(super) struct Generation(u64);

impl Shelf {
    pub fn new(redis: Redis, place: String) -> Self {
        Self { redis, place }
    }

    /// The reply under `key`, or the generation to put a new one under; neither where Redis is away.
    pub async fn take(&self, key: &str) -> Result<Taken, Option<Generation>> {
        let (found, generation) =
            self.redis.get_with_counter(&self.address(key), &self.generation()).await.ok_or(None)?;
        found.and_then(|shared| read(shared, generation)).ok_or(Some(Generation(generation)))
    }

    /// Puts a reply there for `life`.
    pub async fn put(&self, key: &str, made_in: Generation, link: Option<&str>, identity: &[u8], life: Duration) {
        let mut value = format!("{}\n{}\n", made_in.0, link.unwrap_or_default()).into_bytes();
        value.extend_from_slice(identity);
        self.redis.put(&self.address(key), &value, life).await;
    }

    /// From now on nothing that stands there counts.
    pub async fn clear(&self) {
        self.redis.raise(&self.generation()).await;
    }

    fn address(&self, key: &str) -> String {
        format!("spaza:replies:{}:{key}", self.place)
    }

    fn generation(&self) -> String {
        format!("spaza:generation:{}", self.place)
    }
}

fn read(shared: redis::Shared, generation: u64) -> Option<Taken> {
    let mut lines = shared.value.splitn(3, |byte| *byte == b'\n');
    let made_in = std::str::from_utf8(lines.next()?).ok()?.parse::<u64>().ok()?;
    let link = std::str::from_utf8(lines.next()?).ok()?;
    let identity = Bytes::copy_from_slice(lines.next()?);
    (made_in == generation).then(|| Taken {
        link: (!link.is_empty()).then(|| link.to_owned()),
        identity,
        life: shared.life,
    })
}

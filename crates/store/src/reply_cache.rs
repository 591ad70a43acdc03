//! A cache of serialised catalogue replies: body, br, gzip and ETag are made once per change and not once per request.

mod redis_cache;
mod reply;

use std::{
    cell::RefCell,
    sync::Arc,
    time::{Duration, Instant},
};

use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use moka::{Expiry, future::Cache};
use serde::Serialize;
use service::{Page, Problem, StartError};

use self::{
    redis_cache::{Generation, RedisCache},
    reply::Reply,
};
use crate::{Db, DbConnection, Error, Redis, StoreConfig};

/// How long a reply is served before the database is queried again. The gateway caches it for half of `Cache-Control: max-age=1`, and a
/// browser for all of it: so no visitor sees data older than two seconds on any replica, also when replicas do not share a cache.
const TTL: Duration = Duration::from_millis(500);

/// The most bytes of cached replies in one process.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

thread_local! {
    /// A buffer that bodies are written to before they are copied into an exact allocation.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The capacity of `SCRATCH` that a thread keeps.
const MAX_SCRATCH: usize = 256 * 1024;

/// What identifies a reply besides its path and its request's language. Only parameters that matter, in canonical form, so that a client can
/// neither fill the cache with variants nor put text into the `Link` header of other clients.
#[derive(Clone, Copy, Debug, Default)]
pub struct CacheKey<'a> {
    /// The query string without paging, as in the URL of the next page.
    pub query: &'a str,
    /// The service, where the request's host selects it.
    pub service: &'a str,
}

impl CacheKey<'_> {
    fn url(self, req: &HttpRequest) -> String {
        if self.query.is_empty() { req.path().to_owned() } else { format!("{}?{}", req.path(), self.query) }
    }
}

/// What one request sees besides the committed tables: writes that are made before its query, in a transaction that is rolled back after it.
pub type Overlay = Arc<dyn Fn(&mut DbConnection) -> Result<(), Problem> + Send + Sync>;

/// The overlay of a request, if it has one.
type FindOverlay = dyn Fn(&HttpRequest) -> Result<Option<Overlay>, Problem> + Send + Sync;

/// The cached replies of one service.
#[derive(Clone)]
pub struct ReplyCache {
    find_overlay: Option<Arc<FindOverlay>>,
    db: Db,
    cache: Cache<String, Arc<Reply>>,
    redis: Option<RedisCache>,
    ttl: Duration,
}

impl ReplyCache {
    /// The replies of `owner` from its database: shared between replicas if they have a Redis and a PostgreSQL in common.
    pub async fn open(db: &Db, config: &StoreConfig, owner: &'static str) -> Result<Self, StartError> {
        Self::with_ttl(TTL, db, config, owner).await
    }

    async fn with_ttl(ttl: Duration, db: &Db, config: &StoreConfig, owner: &'static str) -> Result<Self, StartError> {
        let redis = match config.shared_namespace(owner) {
            Some(namespace) => Redis::open(config).await?.map(|redis| RedisCache::new(redis, namespace)),
            None => None,
        };
        let cache = Cache::builder()
            .max_capacity(MAX_BYTES)
            .weigher(|key: &String, reply: &Arc<Reply>| u32::try_from(key.len() + reply.weight()).unwrap_or(u32::MAX))
            .expire_after(ReplyTtl)
            .build();
        Ok(Self { find_overlay: None, db: db.clone(), cache, redis, ttl })
    }

    /// The same, except that replies to requests with an overlay are neither read from a cache nor kept in one, here or on the way.
    #[must_use]
    pub fn with_overlays(
        mut self,
        find: impl Fn(&HttpRequest) -> Result<Option<Overlay>, Problem> + Send + Sync + 'static,
    ) -> Self {
        self.find_overlay = Some(Arc::new(find));
        self
    }
}

/// Expires an entry at its reply's own TTL: a reply from another replica has used up part of it.
struct ReplyTtl;

impl Expiry<String, Arc<Reply>> for ReplyTtl {
    fn expire_after_create(&self, _: &String, reply: &Arc<Reply>, _: Instant) -> Option<Duration> {
        Some(reply.ttl)
    }

    /// A reply that replaces an invalidated one has its own TTL.
    fn expire_after_update(&self, _: &String, reply: &Arc<Reply>, _: Instant, _: Option<Duration>) -> Option<Duration> {
        Some(reply.ttl)
    }
}

/// A body and its `Link` header.
type Body = (Bytes, Option<String>);

impl ReplyCache {
    /// Responds to `req` with a single value; see `page` for the rest.
    pub async fn whole<T, E, Q>(&self, req: &HttpRequest, of: CacheKey<'_>, query: Q) -> Result<HttpResponse, E>
    where
        T: Serialize,
        E: Clone + Send + Sync + From<Error> + From<Problem> + 'static,
        Q: FnOnce(&mut DbConnection) -> Result<T, E> + Send + 'static,
    {
        let key = format!("{} {}", of.url(req), of.service);
        self.cached_or_load(req, key, |conn| Ok((json(&query(conn)?)?, None))).await
    }

    /// Responds to `req` with one page of a list, for which `query` reads `page.fetch()` rows; `Link` names the next page by `id`.
    ///
    /// One load per key runs at a time. Errors are not cached. The body is serialised on the thread that read the rows, because
    /// freeing their many small allocations on another thread is slow.
    pub async fn page<T, E, Q>(
        &self,
        req: &HttpRequest,
        of: CacheKey<'_>,
        page: Page,
        id: fn(&T) -> i64,
        query: Q,
    ) -> Result<HttpResponse, E>
    where
        T: Serialize + 'static,
        E: Clone + Send + Sync + From<Error> + From<Problem> + 'static,
        Q: FnOnce(&mut DbConnection) -> Result<Vec<T>, E> + Send + 'static,
    {
        self.page_within(req, of, page, id, |conn| Ok((query(conn)?, ())), |items, ()| items).await
    }

    /// As `page`, for a list within a larger body: `wrap` makes the body from the page and the other data.
    pub async fn page_within<T, R, B, E, Q>(
        &self,
        req: &HttpRequest,
        of: CacheKey<'_>,
        page: Page,
        id: fn(&T) -> i64,
        query: Q,
        wrap: fn(Vec<T>, R) -> B,
    ) -> Result<HttpResponse, E>
    where
        T: 'static,
        R: 'static,
        B: Serialize + 'static,
        E: Clone + Send + Sync + From<Error> + From<Problem> + 'static,
        Q: FnOnce(&mut DbConnection) -> Result<(Vec<T>, R), E> + Send + 'static,
    {
        let url = of.url(req);
        let key = format!("{url} {} {} {}", of.service, page.limit, page.after);
        self.cached_or_load(req, key, move |conn| {
            let (mut items, rest) = query(conn)?;
            let link = page.cut(&mut items, id).map(|last| page.next_link(&url, last));
            Ok((json(&wrap(items, rest))?, link))
        })
        .await
    }

    /// As `page`, for rows of which `query` returns the id and the serialised JSON.
    pub async fn page_of_json<E, Q>(
        &self,
        req: &HttpRequest,
        of: CacheKey<'_>,
        page: Page,
        query: Q,
    ) -> Result<HttpResponse, E>
    where
        E: Clone + Send + Sync + From<Error> + From<Problem> + 'static,
        Q: FnOnce(&mut DbConnection) -> Result<Vec<(i64, String)>, E> + Send + 'static,
    {
        let url = of.url(req);
        let key = format!("{url} {} {} {}", of.service, page.limit, page.after);
        self.cached_or_load(req, key, move |conn| {
            let mut rows = query(conn)?;
            let link = page.cut(&mut rows, |(id, _)| *id).map(|last| page.next_link(&url, last));
            Ok((array(&rows), link))
        })
        .await
    }

    async fn cached_or_load<E, M>(&self, req: &HttpRequest, key: String, make: M) -> Result<HttpResponse, E>
    where
        E: Clone + Send + Sync + From<Error> + From<Problem> + 'static,
        M: FnOnce(&mut DbConnection) -> Result<Body, E> + Send + 'static,
    {
        let overlay = self.find_overlay.as_ref().map_or(Ok(None), |find| find(req))?;
        if let Some(overlay) = overlay {
            let query = move |conn: &mut DbConnection| {
                overlay(conn)?;
                make(conn)
            };
            let (identity, link) = self.db.write_and_undo(query).await?;
            return Ok(Reply::new(identity, link, Duration::ZERO).respond_to_one(req).await);
        }
        // Texts of records differ by it.
        let key = format!("{} {key}", service::language(req).code());
        let load = self.load(key.clone(), make);
        let reply = self.cache.try_get_with(key, load).await.map_err(|error| E::clone(&error))?;
        Ok(reply.respond(req).await)
    }

    async fn load<E, M>(&self, key: String, make: M) -> Result<Arc<Reply>, E>
    where
        E: Send + From<Error> + 'static,
        M: FnOnce(&mut DbConnection) -> Result<Body, E> + Send + 'static,
    {
        let made_in: Option<Generation> = match &self.redis {
            None => None,
            Some(redis) => match redis.get(&key).await {
                Ok(stored) => return Ok(Arc::new(Reply::new(stored.identity, stored.link, stored.ttl))),
                Err(generation) => generation,
            },
        };
        // The TTL counts from before the query: the reply may lack what is committed during it.
        let started = Instant::now();
        let (identity, link) = self.db.run(make).await?;
        let ttl = self.ttl.saturating_sub(started.elapsed()).max(Duration::from_millis(1));
        let reply = Arc::new(Reply::new(identity, link, ttl));
        if let (Some(redis), Some(made_in)) = (self.redis.clone(), made_in) {
            let reply = reply.clone();
            // In the background: the visitor's request does not wait for Redis.
            tokio::spawn(async move { redis.put(&key, made_in, reply.link(), reply.identity(), ttl).await });
        }
        Ok(reply)
    }

    /// Invalidates every reply, here and on other replicas, after the catalogue has changed.
    pub async fn invalidate(&self) {
        self.cache.invalidate_all();
        if let Some(redis) = &self.redis {
            redis.increment_generation().await;
        }
    }
}

fn json<T: Serialize>(body: &T) -> Result<Bytes, Problem> {
    SCRATCH.with_borrow_mut(|scratch| {
        scratch.clear();
        serde_json::to_writer(&mut *scratch, body).map_err(Problem::internal)?;
        let bytes = Bytes::copy_from_slice(scratch);
        scratch.shrink_to(MAX_SCRATCH);
        Ok(bytes)
    })
}

/// A JSON array of serialised elements.
fn array(rows: &[(i64, String)]) -> Bytes {
    let mut body = Vec::with_capacity(rows.iter().map(|(_, row)| row.len() + 1).sum::<usize>() + 2);
    body.push(b'[');
    for (_, row) in rows {
        if body.len() > 1 {
            body.push(b',');
        }
        body.extend_from_slice(row.as_bytes());
    }
    body.push(b']');
    body.into()
}

#[cfg(test)]
mod tests;

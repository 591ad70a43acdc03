//! Replicas of one service with a working, unreachable or unresponsive Redis.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use actix_web::{body::to_bytes, http::header, test::TestRequest};

use super::*;

/// Long enough that nothing expires during a test.
const LONG: Duration = Duration::from_secs(600);

/// Counts the loads from the database.
#[derive(Clone, Default)]
struct Loads(Arc<AtomicUsize>);

impl Loads {
    fn load(&self) -> Result<Vec<i64>, Problem> {
        self.0.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(20));
        Ok((1..=500).collect())
    }

    fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

/// The settings that replicas of one service share: a PostgreSQL URL that is never connected to, and this Redis.
fn config(redis_url: String) -> StoreConfig {
    let database_url = Some(format!("postgres://nowhere/{}", uuid::Uuid::new_v4()));
    StoreConfig { database_url, redis_url: Some(redis_url), ..StoreConfig::sqlite("unused") }
}

fn redis_url() -> String {
    std::env::var("TEST_REDIS_URL").expect("TEST_REDIS_URL: run below `with-servers`")
}

/// A replica with a SQLite database of its own.
struct Replica {
    reply_cache: ReplyCache,
    _folder: tempfile::TempDir,
}

impl std::ops::Deref for Replica {
    type Target = ReplyCache;

    fn deref(&self) -> &ReplyCache {
        &self.reply_cache
    }
}

async fn with_ttl(config: &StoreConfig) -> Replica {
    let folder = tempfile::tempdir().unwrap();
    let migrations = crate::migrations!("../../migrations/tt/sqlite", "../../migrations/tt/postgres");
    let db = Db::open(&StoreConfig::sqlite(folder.path()), "tt", migrations).await.unwrap();
    Replica { reply_cache: ReplyCache::with_ttl(LONG, &db, config, "tt").await.unwrap(), _folder: folder }
}

/// A replica that waits for Redis without a short timeout, for busy machines.
async fn replica(config: &StoreConfig) -> Replica {
    let redis = Redis::with_timeout(config, LONG).await.unwrap().unwrap();
    let mut replica = with_ttl(config).await;
    replica.reply_cache.redis = Some(RedisCache::new(redis, config.shared_namespace("tt").unwrap()));
    replica
}

/// Requests the second page of a list; returns its body and `Link`.
async fn get_page(reply_cache: &ReplyCache, loads: &Loads) -> (Vec<u8>, String) {
    let req = TestRequest::with_uri("/list").insert_header((header::ACCEPT_ENCODING, "br")).to_http_request();
    let page = Page { limit: 499, after: 0 };
    let loads = loads.clone();
    let reply = reply_cache.page(&req, CacheKey::default(), page, |id| *id, move |_| loads.load()).await.unwrap();
    assert_eq!(reply.headers().get(header::CONTENT_ENCODING).unwrap(), "br");
    let link = reply.headers().get(header::LINK).unwrap().to_str().unwrap().to_owned();
    (to_bytes(reply.into_body()).await.unwrap().to_vec(), link)
}

async fn wait_until_stored(reply_cache: &ReplyCache) {
    let redis = reply_cache.redis.as_ref().unwrap();
    for _ in 0..2000 {
        if redis.get("en /list  499 0").await.is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the reply was not stored in Redis");
}

#[actix_web::test]
async fn page_is_served_from_another_replicas_reply() {
    let (config, loads) = (config(redis_url()), Loads::default());
    let (first, second) = (replica(&config).await, replica(&config).await);
    let made = get_page(&first, &loads).await;
    wait_until_stored(&first).await;
    assert_eq!(get_page(&second, &loads).await, made);
    assert_eq!(loads.count(), 1);
}

#[actix_web::test]
async fn page_after_invalidate_is_loaded_again_on_every_replica() {
    let (config, loads) = (config(redis_url()), Loads::default());
    let first = replica(&config).await;
    get_page(&first, &loads).await;
    wait_until_stored(&first).await;
    first.invalidate().await;
    // Neither the replica that imported nor a new one serves the old reply.
    let new_replica = replica(&config).await;
    get_page(&new_replica, &loads).await;
    assert_eq!(loads.count(), 2);
    wait_until_stored(&first).await;
    get_page(&first, &loads).await;
    assert_eq!(loads.count(), 2);
}

#[test]
fn expire_after_update_returns_the_new_replys_ttl() {
    let ttl = Duration::from_millis(20);
    let reply = Arc::new(Reply::new(Bytes::from_static(b"[]"), None, ttl));
    let left = Some(Duration::from_millis(400));
    assert_eq!(ReplyTtl.expire_after_update(&"/list".to_owned(), &reply, Instant::now(), left), Some(ttl));
}

#[actix_web::test]
async fn replies_of_other_databases_are_not_shared() {
    let loads = Loads::default();
    for _ in 0..2 {
        let own = replica(&config(redis_url())).await;
        get_page(&own, &loads).await;
        wait_until_stored(&own).await;
    }
    assert_eq!(loads.count(), 2);
}

#[actix_web::test]
async fn page_is_served_without_a_working_redis() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = format!("redis://{}", silent.local_addr().unwrap());
    for url in ["redis://127.0.0.1:1".to_owned(), silent] {
        let loads = Loads::default();
        let replica = with_ttl(&config(url)).await;
        get_page(&replica, &loads).await;
        get_page(&replica, &loads).await;
        assert_eq!(loads.count(), 1);
        replica.invalidate().await;
        get_page(&replica, &loads).await;
        assert_eq!(loads.count(), 2);
    }
}

#[actix_web::test]
async fn concurrent_requests_cause_one_load() {
    let (config, loads) = (config(redis_url()), Loads::default());
    let reply_cache = replica(&config).await;
    let requests = (0..100).map(|_| get_page(&reply_cache, &loads));
    futures_util::future::join_all(requests).await;
    assert_eq!(loads.count(), 1);
}

#[actix_web::test]
async fn stored_reply_has_the_remaining_ttl() {
    let (config, loads) = (config(redis_url()), Loads::default());
    let first = replica(&config).await;
    get_page(&first, &loads).await;
    wait_until_stored(&first).await;
    let stored = first.redis.as_ref().unwrap().get("en /list  499 0").await.ok().unwrap();
    assert!(stored.ttl < LONG, "{:?}", stored.ttl);
}

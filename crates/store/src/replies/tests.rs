//! Replicas of one service, with a Redis that helps, is dead, or is silent.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use actix_web::{body::to_bytes, http::header, test::TestRequest};

use super::*;

/// Long enough that nothing ends by itself while a test runs.
const LONG: Duration = Duration::from_secs(600);

/// Counts how often the database was asked.
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

/// Where replicas of one service keep their state: a database nobody asks here, and this Redis.
fn place(redis_url: String) -> StoreConfig {
    let database_url = Some(format!("postgres://nowhere/{}", uuid::Uuid::new_v4()));
    StoreConfig { database_url, redis_url: Some(redis_url), ..StoreConfig::sqlite("unused") }
}

fn redis_url() -> String {
    std::env::var("TEST_REDIS_URL").expect("TEST_REDIS_URL: run below `with-servers`")
}

/// One replica, over a database of its own that nobody asks anything.
struct Replica {
    replies: Replies,
    _folder: tempfile::TempDir,
}

impl std::ops::Deref for Replica {
    type Target = Replies;

    fn deref(&self) -> &Replies {
        &self.replies
    }
}

async fn living(place: &StoreConfig) -> Replica {
    let folder = tempfile::tempdir().unwrap();
    let migrations = crate::migrations!("../../migrations/tt/sqlite", "../../migrations/tt/postgres");
    let db = Db::open(&StoreConfig::sqlite(folder.path()), "tt", migrations).await.unwrap();
    Replica { replies: Replies::living(LONG, &db, place, "tt").await.unwrap(), _folder: folder }
}

/// One that waits for Redis however busy the machine is.
async fn replica(place: &StoreConfig) -> Replica {
    let redis = Redis::patient(place.redis_url.as_deref().unwrap(), LONG).await.unwrap();
    let mut replica = living(place).await;
    replica.replies.shelf = Some(Shelf::new(redis, place.shared_place("tt").unwrap()));
    replica
}

/// Asks for the second page of a list; body and `Link`.
async fn ask(replies: &Replies, loads: &Loads) -> (Vec<u8>, String) {
    let req = TestRequest::with_uri("/list").insert_header((header::ACCEPT_ENCODING, "br")).to_http_request();
    let page = Page { limit: 499, after: 0 };
    let loads = loads.clone();
    let reply = replies.page(&req, Of::default(), page, |id| *id, move |_| loads.load()).await.unwrap();
    assert_eq!(reply.headers().get(header::CONTENT_ENCODING).unwrap(), "br");
    let link = reply.headers().get(header::LINK).unwrap().to_str().unwrap().to_owned();
    (to_bytes(reply.into_body()).await.unwrap().to_vec(), link)
}

async fn until_shared(replies: &Replies) {
    let shelf = replies.shelf.as_ref().unwrap();
    for _ in 0..2000 {
        if shelf.take("/list  499 0").await.is_ok() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the reply never came to Redis");
}

#[actix_web::test]
async fn what_one_replica_made_the_others_take() {
    let (place, loads) = (place(redis_url()), Loads::default());
    let (first, second) = (replica(&place).await, replica(&place).await);
    let made = ask(&first, &loads).await;
    until_shared(&first).await;
    assert_eq!(ask(&second, &loads).await, made);
    assert_eq!(loads.count(), 1);
}

#[actix_web::test]
async fn what_was_made_before_an_import_is_taken_by_none() {
    let (place, loads) = (place(redis_url()), Loads::default());
    let first = replica(&place).await;
    ask(&first, &loads).await;
    until_shared(&first).await;
    first.forget().await;
    // Neither the importer itself nor one that has not seen the catalogue yet.
    let newcomer = replica(&place).await;
    ask(&newcomer, &loads).await;
    assert_eq!(loads.count(), 2);
    until_shared(&first).await;
    ask(&first, &loads).await;
    assert_eq!(loads.count(), 2);
}

#[test]
fn a_reply_over_a_forgotten_one_has_its_own_time() {
    let life = Duration::from_millis(20);
    let reply = Arc::new(Reply::new(Bytes::from_static(b"[]"), None, life));
    let left = Some(Duration::from_millis(400));
    assert_eq!(UntilItsEnd.expire_after_update(&"/list".to_owned(), &reply, Instant::now(), left), Some(life));
}

#[actix_web::test]
async fn databases_do_not_mix() {
    let loads = Loads::default();
    for _ in 0..2 {
        let own = replica(&place(redis_url())).await;
        ask(&own, &loads).await;
        until_shared(&own).await;
    }
    assert_eq!(loads.count(), 2);
}

#[actix_web::test]
async fn a_dead_or_silent_redis_changes_nothing() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let silent = format!("redis://{}", silent.local_addr().unwrap());
    for url in ["redis://127.0.0.1:1".to_owned(), silent] {
        let loads = Loads::default();
        let alone = living(&place(url)).await;
        ask(&alone, &loads).await;
        ask(&alone, &loads).await;
        assert_eq!(loads.count(), 1);
        alone.forget().await;
        ask(&alone, &loads).await;
        assert_eq!(loads.count(), 2);
    }
}

#[actix_web::test]
async fn a_crowd_makes_one_load() {
    let (place, loads) = (place(redis_url()), Loads::default());
    let replies = replica(&place).await;
    let crowd = (0..100).map(|_| ask(&replies, &loads));
    futures_util::future::join_all(crowd).await;
    assert_eq!(loads.count(), 1);
}

#[actix_web::test]
async fn a_reply_from_elsewhere_lives_no_longer_than_at_its_maker() {
    let (place, loads) = (place(redis_url()), Loads::default());
    let first = replica(&place).await;
    ask(&first, &loads).await;
    until_shared(&first).await;
    let taken = first.shelf.as_ref().unwrap().take("/list  499 0").await.ok().unwrap();
    assert!(taken.life < LONG, "{:?}", taken.life);
}

//! The meme service as a process: killed in the middle of 10,000 likes, it has lost none that it answered.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must say so and fail")]

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fs::File,
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Stdio},
    rc::Rc,
    time::{Duration, Instant},
};

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{ADMIN_TOKEN, Client, TestStore, actix_web::rt};

const SVC_ID: i32 = 150;
const NUMBERS: usize = 200;
const MEMES: usize = 50;
/// So many numbers like at the same time.
const AT_ONCE: usize = 40;
/// How many likes are answered before the kill, where the machine is quick enough.
const ENOUGH: usize = 2_500;

/// The service's process; killed when dropped.
struct Meme {
    addr: SocketAddr,
    child: Child,
}

impl Meme {
    /// Starts on a port of the system's choice, and answers once the service says where it listens.
    async fn start(store: &TestStore, log: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_meme"));
        command
            .env("BIND", "127.0.0.1:0")
            .env("BRANDS_FILE", concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/brands.toml"))
            .env("SESSION_PUBLIC_KEYS", testkit::minter().public_key())
            .env("ADMIN_TOKEN", ADMIN_TOKEN)
            .env("DATA_DIR", &store.config.data_dir)
            .env("LOG_FORMAT", "json")
            .stdout(Stdio::null())
            .stderr(File::create(log).unwrap());
        for (variable, value) in [("DATABASE_URL", &store.config.database_url), ("REDIS_URL", &store.config.redis_url)]
        {
            command.env_remove(variable);
            if let Some(value) = value {
                command.env(variable, value);
            }
        }
        let child = command.env_remove("RUST_LOG").spawn().unwrap();
        let mut meme = Self { addr: "127.0.0.1:0".parse().unwrap(), child };
        let started = Instant::now();
        loop {
            let said = std::fs::read_to_string(log).unwrap();
            if let Some(addr) = said.lines().find_map(listens_on) {
                meme.addr = addr;
                return meme;
            }
            assert!(meme.child.try_wait().unwrap().is_none(), "the service ended: {said}");
            assert!(started.elapsed() < Duration::from_secs(180), "the service does not listen: {said}");
            rt::time::sleep(Duration::from_millis(20)).await;
        }
    }

    fn client(&self) -> Client {
        Client::new(self.addr, "memeworld")
    }

    fn of_number(&self, number: usize) -> Client {
        self.client().with_session(SVC_ID, &format!("2782555{number:04}"))
    }

    /// SIGKILL: nothing of the process runs after it.
    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Meme {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn listens_on(line: &str) -> Option<SocketAddr> {
    let line: Value = serde_json::from_str(line).ok()?;
    line["message"].as_str()?.strip_prefix("meme listens on ")?.parse().ok()
}

/// The memes of the only category, each with its counter.
async fn counters(client: &Client) -> BTreeMap<i64, i64> {
    let categories = client.get_ok("/api/meme/getMemeCategories").await;
    let category = client.get_ok(&format!("/api/meme/getMemeValue/{}", categories[0]["id"])).await;
    let memes = category["memeData"].as_array().unwrap().clone();
    memes.iter().map(|meme| (meme["id"].as_i64().unwrap(), meme["likes"].as_i64().unwrap())).collect()
}

async fn load(client: &Client) -> Vec<i64> {
    let meme = |number| {
        json!({
            "slug": format!("meme-{number}"),
            "title": format!("Meme {number}"),
            "image": format!("https://images.spaza.example/meme-{number}.webp"),
            "created_at": "2026-03-05 18:30:00"
        })
    };
    let memes: Vec<_> = (1..=MEMES).map(meme).collect();
    let manifest = json!({
        "service": "memeworld",
        "digest": "a",
        "categories": [{ "slug": "month-end", "name": "Month end", "memes": memes }]
    });
    client.import(&manifest).await.unwrap();
    counters(client).await.into_keys().collect()
}

/// Every pair of number and meme whose like was answered.
type Answered = Rc<RefCell<BTreeSet<(usize, i64)>>>;

/// Likes every meme by one number after the other, until all is liked or the service is gone.
async fn like_all(clients: Vec<(usize, Client)>, memes: Vec<i64>, answered: Answered) {
    for (number, client) in clients {
        for id in &memes {
            loop {
                let Ok(reply) =
                    client.request(Method::POST, "/api/meme/postlike").json(&json!({"id": id})).send().await
                else {
                    return;
                };
                // What counts is that the reply had been sent whole.
                let status = reply.status().as_u16();
                let Ok(state) = reply.json::<Value>().await else { return };
                // So many at once may be told on a slow machine to come again.
                if status != 503 {
                    assert_eq!((status, &state["liked"]), (200, &json!(true)), "{state}");
                    break;
                }
            }
            answered.borrow_mut().insert((number, *id));
        }
    }
}

testkit::on_each_engine! {
    async fn no_like_that_was_answered_is_lost_to_a_kill(engine) {
        let store = testkit::store(engine).await;
        let logs = tempfile::tempdir().unwrap();
        let mut meme = Meme::start(&store, &logs.path().join("first.log")).await;
        let memes = load(&meme.client()).await;
        assert_eq!(memes.len(), MEMES);

        let answered = Answered::default();
        let liking: Vec<_> = (0..AT_ONCE)
            .map(|first| {
                let clients = (first..NUMBERS).step_by(AT_ONCE).map(|number| (number, meme.of_number(number))).collect();
                rt::spawn(like_all(clients, memes.clone(), answered.clone()))
            })
            .collect();
        let started = Instant::now();
        loop {
            let count = answered.borrow().len();
            // A slow disk gets its kill after fewer likes; it is the middle of 10,000 all the same.
            if count >= ENOUGH || (count >= 100 && started.elapsed() > Duration::from_secs(6)) {
                break;
            }
            assert!(started.elapsed() < Duration::from_secs(180), "only {count} likes were answered in three minutes");
            rt::time::sleep(Duration::from_millis(2)).await;
        }
        meme.kill();
        for task in liking {
            task.await.unwrap();
        }
        let answered = answered.take();
        assert!(answered.len() < NUMBERS * MEMES, "the kill came after the last like");

        let meme = Meme::start(&store, &logs.path().join("second.log")).await;
        let mut counted: BTreeMap<i64, i64> = memes.iter().map(|id| (*id, 0)).collect();
        for number in 0..NUMBERS {
            let mine = meme.of_number(number).get_ok("/api/meme/mine").await;
            let mine: BTreeSet<i64> = mine["liked"].as_array().unwrap().iter().map(|id| id.as_i64().unwrap()).collect();
            for (_, id) in answered.range((number, i64::MIN)..=(number, i64::MAX)) {
                assert!(mine.contains(id), "number {number}: the like of meme {id} was answered and is lost");
            }
            for id in mine {
                *counted.get_mut(&id).unwrap() += 1;
            }
        }
        assert_eq!(counters(&meme.client()).await, counted, "each counter is the number of distinct likers");
    }
}

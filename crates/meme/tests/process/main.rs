//! The meme service's process, killed during 10,000 likes: no like that it confirmed is lost.

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
/// Numbers that like concurrently.
const CONCURRENT: usize = 40;
/// Likes confirmed before the kill, on a machine that is fast enough.
const LIKES_BEFORE_KILL: usize = 2_500;

/// The service's process; killed on drop.
struct MemeProcess {
    addr: SocketAddr,
    child: Child,
}

impl MemeProcess {
    /// Starts on a free port; returns once the service logs its address.
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
            let output = std::fs::read_to_string(log).unwrap();
            if let Some(addr) = output.lines().find_map(listens_on) {
                meme.addr = addr;
                return meme;
            }
            assert!(meme.child.try_wait().unwrap().is_none(), "the service ended: {output}");
            assert!(started.elapsed() < Duration::from_secs(180), "the service does not listen: {output}");
            rt::time::sleep(Duration::from_millis(20)).await;
        }
    }

    fn client(&self) -> Client {
        Client::new(self.addr, "memeworld")
    }

    fn of_number(&self, number: usize) -> Client {
        self.client().with_session(SVC_ID, &format!("2782555{number:04}"))
    }

    /// Sends SIGKILL.
    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for MemeProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn listens_on(line: &str) -> Option<SocketAddr> {
    let line: Value = serde_json::from_str(line).ok()?;
    line["message"].as_str()?.strip_prefix("meme listens on ")?.parse().ok()
}

/// The like counts of the only category's memes.
async fn like_counts(client: &Client) -> BTreeMap<i64, i64> {
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
    like_counts(client).await.into_keys().collect()
}

/// The pairs of number and meme whose like was confirmed.
type Confirmed = Rc<RefCell<BTreeSet<(usize, i64)>>>;

/// Likes every meme by one number after the other, until all are liked or the service stops.
async fn like_all(clients: Vec<(usize, Client)>, memes: Vec<i64>, confirmed: Confirmed) {
    for (number, client) in clients {
        for id in &memes {
            loop {
                let Ok(reply) =
                    client.request(Method::POST, "/api/meme/postlike").json(&json!({"id": id})).send().await
                else {
                    return;
                };
                // A like counts as confirmed once the whole reply has arrived.
                let status = reply.status().as_u16();
                let Ok(state) = reply.json::<Value>().await else { return };
                // On a slow machine some are told to retry.
                if status != 503 {
                    assert_eq!((status, &state["liked"]), (200, &json!(true)), "{state}");
                    break;
                }
            }
            confirmed.borrow_mut().insert((number, *id));
        }
    }
}

testkit::on_each_engine! {
    async fn killed_process_keeps_every_confirmed_like(engine) {
        let store = testkit::store(engine).await;
        let logs = tempfile::tempdir().unwrap();
        let mut meme = MemeProcess::start(&store, &logs.path().join("first.log")).await;
        let memes = load(&meme.client()).await;
        assert_eq!(memes.len(), MEMES);

        let confirmed = Confirmed::default();
        let liking: Vec<_> = (0..CONCURRENT)
            .map(|first| {
                let clients = (first..NUMBERS).step_by(CONCURRENT).map(|number| (number, meme.of_number(number))).collect();
                rt::spawn(like_all(clients, memes.clone(), confirmed.clone()))
            })
            .collect();
        let started = Instant::now();
        loop {
            let count = confirmed.borrow().len();
            // On a slow disk the kill comes after fewer likes, still before the last.
            if count >= LIKES_BEFORE_KILL || (count >= 100 && started.elapsed() > Duration::from_secs(6)) {
                break;
            }
            assert!(started.elapsed() < Duration::from_secs(180), "only {count} likes were confirmed in three minutes");
            rt::time::sleep(Duration::from_millis(2)).await;
        }
        meme.kill();
        for task in liking {
            task.await.unwrap();
        }
        let confirmed = confirmed.take();
        assert!(confirmed.len() < NUMBERS * MEMES, "the kill came after the last like");

        let meme = MemeProcess::start(&store, &logs.path().join("second.log")).await;
        let mut counted: BTreeMap<i64, i64> = memes.iter().map(|id| (*id, 0)).collect();
        for number in 0..NUMBERS {
            let liked = meme.of_number(number).get_ok("/api/meme/mine").await;
            let liked: BTreeSet<i64> = liked["liked"].as_array().unwrap().iter().map(|id| id.as_i64().unwrap()).collect();
            for (_, id) in confirmed.range((number, i64::MIN)..=(number, i64::MAX)) {
                assert!(liked.contains(id), "number {number}: the like of meme {id} was confirmed and is lost");
            }
            for id in liked {
                *counted.get_mut(&id).unwrap() += 1;
            }
        }
        assert_eq!(like_counts(&meme.client()).await, counted, "each counter is the number of distinct likers");
    }
}

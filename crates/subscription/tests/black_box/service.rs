//! The real service: its processes, clock, notifications, and the calls of operators.

use std::{
    cell::RefCell,
    collections::BTreeSet,
    process::Command,
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::{DateTime, Utc};
use futures_util::{StreamExt, stream};
use hmac::{Hmac, KeyInit, Mac};
use reqwest::{Method, header};
use serde_json::{Value, json};
use sha2::Sha256;
use store::StoreConfig;
use tempfile::TempDir;
use testkit::{ADMIN_TOKEN, Client, Engine, Process, Reply, StoreCopy, TestStore, actix_web::rt};

use crate::{
    browser::Browser,
    make_months::make_months,
    network::{Call, Network, Response, Shape},
};

pub const MEMEWORLD: i64 = 150;
pub const DISKI: i64 = 151;
pub const MCFUNNY: i64 = 148;
pub const TTMBHA: i64 = 152;

/// The day on which every test starts, at nine in the morning.
pub const DAY: &str = "2031-03-05";

/// How long `wait_for` waits.
const WAIT_LIMIT: Duration = Duration::from_secs(60);

/// The start of a brand in `brands.toml`.
const BRAND: &str = "\n[[brand]]\n";

const BINARY: &str = env!("CARGO_BIN_EXE_subscription");

static SESSION_KEY: LazyLock<String> = LazyLock::new(|| {
    let printed = Command::new(BINARY).arg("--new-session-key").output().unwrap();
    let text = String::from_utf8(printed.stdout).unwrap();
    text.lines().find_map(|line| line.strip_prefix("SESSION_SECRET_KEY=")).unwrap().to_owned()
});

/// The setup of a test.
pub struct Setup {
    engine: Engine,
    replicas: usize,
    settings: Vec<(&'static str, String)>,
    brands: fn(String) -> String,
    /// Services that the second pull network bills.
    at_other: Vec<i64>,
    /// The day on which it starts.
    day: &'static str,
}

/// A service of one or more processes, and its networks.
pub struct TestEnv {
    /// Bills mcfunny, memeworld and diski99.
    pub pull: Network,
    /// Bills ttmbhatv and racedaytv.
    pub push: Network,
    /// Bills nothing, except where the setup or a new `brands.toml` says so.
    pub other: Network,
    pub store: TestStore,
    pub replicas: Vec<Process>,
    /// The environment variables of each process.
    settings: Vec<(&'static str, String)>,
    folder: TempDir,
    key: [u8; 24],
    today: RefCell<String>,
}

/// One row of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub id: i64,
    pub msisdn: String,
    pub day: String,
    pub kind: String,
    pub cents: i64,
    pub status: String,
    pub key: String,
    pub network_ref: String,
}

/// A number; the same one for the same `n`.
pub fn number(n: usize) -> String {
    format!("2782{n:07}")
}

/// A time of a day in Johannesburg.
pub fn at(day: &str, time: &str) -> String {
    format!("{day}T{time}+02:00")
}

/// The day this many days later.
pub fn later(day: &str, days: i64) -> String {
    let day: chrono::NaiveDate = day.parse().unwrap();
    (day + chrono::TimeDelta::days(days)).to_string()
}

/// Waits until the condition holds; false after the limit.
pub async fn within(limit: Duration, mut so: impl AsyncFnMut() -> bool) -> bool {
    let began = Instant::now();
    while !so().await {
        if began.elapsed() > limit {
            return false;
        }
        rt::time::sleep(Duration::from_millis(25)).await;
    }
    true
}

/// Waits until the condition holds; fails after a minute.
pub async fn wait_for(what: &str, so: impl AsyncFnMut() -> bool) {
    assert!(within(WAIT_LIMIT, so).await, "{what}: not within {} seconds", WAIT_LIMIT.as_secs());
}

impl Setup {
    pub fn new(engine: Engine) -> Self {
        Self { engine, replicas: 1, settings: Vec::new(), brands: |text| text, at_other: Vec::new(), day: DAY }
    }

    /// The number of processes over one database; SQLite has one.
    pub fn replicas(self, replicas: usize) -> Self {
        Self { replicas: if self.engine == Engine::Postgres { replicas } else { 1 }, ..self }
    }

    /// Changes a setting of the service.
    pub fn setting(mut self, name: &'static str, value: &str) -> Self {
        self.settings.push((name, value.to_owned()));
        self
    }

    /// Bills these services at the second pull network.
    pub fn at_other(self, services: &[i64]) -> Self {
        Self { at_other: services.to_vec(), ..self }
    }

    /// Starts on another day.
    pub fn day(self, day: &'static str) -> Self {
        Self { day, ..self }
    }

    /// Changes `brands.toml`.
    pub fn brands(self, brands: fn(String) -> String) -> Self {
        Self { brands, ..self }
    }

    pub async fn start(self) -> TestEnv {
        let tables = [(subscription::NAME, subscription::MIGRATIONS)];
        let months = async |store: &StoreConfig| make_months(store, &at(DAY, "09:00:00")).await;
        let store = testkit::prepared_store(self.engine, &tables, months).await;
        let folder = tempfile::tempdir().unwrap();
        let key: [u8; 24] = rand::random();
        let text = |text: &str| text.to_owned();
        let mut settings = vec![
            ("BIND", text("127.0.0.1:0")),
            ("BRANDS_FILE", folder.path().join("brands.toml").display().to_string()),
            ("SESSION_SECRET_KEY", SESSION_KEY.clone()),
            ("ADMIN_TOKEN", text(ADMIN_TOKEN)),
            ("NOTIFY_SECRET", format!("whsec_{}", STANDARD.encode(key))),
            ("OPERATOR_URL", text("http://127.0.0.1:9")),
            ("TEST_CLOCK", text("1")),
            // These joins come without a page.
            ("JOIN_SIGNALS", text("observed")),
            ("BILLING_TIMES", String::new()),
            ("EVENTS_MONTHS", text("1200")),
            ("WORKERS", text("1")),
            ("DATABASE_CONNECTIONS", text("3")),
            ("DATA_DIR", store.config.data_dir.display().to_string()),
        ];
        settings.extend(store.config.database_url.clone().map(|url| ("DATABASE_URL", url)));
        settings.extend(store.config.redis_url.clone().map(|url| ("REDIS_URL", url)));
        settings.extend(self.settings);
        let mut env = TestEnv {
            pull: Network::start("sandbox-pull", Shape::Pull),
            push: Network::start("sandbox-push", Shape::Push),
            other: Network::start("other-pull", Shape::Pull),
            store,
            replicas: Vec::new(),
            settings,
            folder,
            key,
            today: RefCell::default(),
        };
        env.write_brands(&self.at_other, self.brands);
        for _ in 0..self.replicas {
            env.start_replica().await;
        }
        env.set_clock(self.day, "09:00:00").await;
        env
    }
}

impl TestEnv {
    pub async fn start(engine: Engine) -> Self {
        Setup::new(engine).start().await
    }

    /// Starts one more process.
    pub async fn start_replica(&mut self) {
        let log = self.folder.path().join(format!("{}.log", self.replicas.len()));
        let started = Process::start(Command::new(BINARY), "subscription", &self.settings, &log).await;
        let log_text = || std::fs::read_to_string(&log).unwrap_or_default();
        self.replicas.push(started.unwrap_or_else(|status| panic!("the service ended ({status}): {}", log_text())));
    }

    /// Kills the service, copies its database, and starts it again.
    pub async fn copy_store(&mut self, time: &str) -> StoreCopy {
        self.replicas.drain(..).for_each(Process::kill);
        let copy = self.store.copy().await;
        self.start_replica().await;
        self.set_clock(&self.today(), time).await;
        copy
    }

    /// Kills the service, puts a copy of its database back, marks it as restored, and starts the service again.
    pub async fn restore_store(&mut self, copy: &StoreCopy, time: &str) {
        self.replicas.drain(..).for_each(Process::kill);
        self.store.put_back(copy).await;
        let settings = self.settings.iter().filter(|(name, _)| ["DATABASE_URL", "DATA_DIR"].contains(name));
        let marked = Command::new(BINARY).arg("--restored").envs(settings.cloned()).output().unwrap();
        assert!(marked.status.success(), "{}", String::from_utf8_lossy(&marked.stderr));
        self.start_replica().await;
        self.set_clock(&self.today(), time).await;
    }

    /// Kills the service, puts a copy of its database back on a PostgreSQL server that was recovered to a time, and starts the service again.
    pub async fn recover_store(&mut self, copy: &StoreCopy, recovered_to: &str, time: &str) {
        self.replicas.drain(..).for_each(Process::kill);
        self.store.put_back(copy).await;
        self.store.set_on_server("spaza.restored_to", recovered_to).await;
        self.start_replica().await;
        self.set_clock(&self.today(), time).await;
    }

    /// Kills the service, and starts it again.
    pub async fn restart(&mut self, time: &str) {
        self.replicas.drain(..).for_each(Process::kill);
        self.start_replica().await;
        self.set_clock(&self.today(), time).await;
    }

    /// Kills the service, and starts it with a changed `brands.toml`, which it must refuse; returns its last line.
    pub async fn refused_start(&mut self, change: fn(String) -> String) -> String {
        self.replicas.drain(..).for_each(Process::kill);
        self.write_brands(&[], change);
        let log = self.folder.path().join("refused.log");
        let started = Process::start(Command::new(BINARY), "subscription", &self.settings, &log).await;
        assert!(started.is_err(), "it has started");
        let text = std::fs::read_to_string(&log).unwrap();
        text.lines().last().unwrap_or_default().to_owned()
    }

    /// Catches up with the networks after a restore.
    pub async fn catch_up(&self) -> Value {
        let reply = self.client(0, "localhost").post_as_admin("/internal/catch-up", &json!({})).await;
        assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.bytes));
        reply.json()
    }

    /// Writes `brands.toml`, with these services at the second pull network.
    pub fn write_brands(&self, at_other: &[i64], change: fn(String) -> String) {
        let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/brands.toml");
        let mut text = std::fs::read_to_string(ours).unwrap();
        for network in [&self.pull, &self.push] {
            let head = format!("[network.{}]", network.name);
            assert!(text.contains(&head));
            text = text.replace(&head, &format!("{head}\nurl = \"{}\"", network.url()));
        }
        if !at_other.is_empty() {
            let url = self.other.url();
            let other = format!("\n[network.other-pull]\nshape = \"pull\"\nurl = \"{url}\"\n{BRAND}");
            text = text.replacen(BRAND, &other, 1);
        }
        for svc_id in at_other {
            let of_service = |brand: &str| brand.lines().any(|line| line == format!("svc_id = {svc_id}"));
            let moved = text.split(BRAND).map(|brand| {
                if of_service(brand) { brand.replace("\"sandbox-pull\"", "\"other-pull\"") } else { brand.to_owned() }
            });
            text = moved.collect::<Vec<_>>().join(BRAND);
        }
        let file = self.folder.path().join("brands.toml");
        std::fs::write(file, change(text)).unwrap();
    }

    /// Replaces a piece of `brands.toml`, which the service follows.
    pub fn change_brands(&self, before: &str, after: &str) {
        let file = self.folder.path().join("brands.toml");
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.contains(before), "{before}");
        std::fs::write(file, text.replace(before, after)).unwrap();
    }

    /// The network that bills a service by the default `brands.toml`.
    pub fn network_of(&self, svc_id: i64) -> &Network {
        if svc_id >= TTMBHA { &self.push } else { &self.pull }
    }

    /// A client of one of the processes, with this Host.
    pub fn client(&self, replica: usize, host: &str) -> Client {
        Client::new(self.replicas[replica % self.replicas.len()].addr, host)
    }

    /// Johannesburg's day by the service's clock.
    pub fn today(&self) -> String {
        self.today.borrow().clone()
    }

    /// Sets every process's and every network's clock to a time in Johannesburg.
    pub async fn set_clock(&self, day: &str, time: &str) {
        let now = at(day, time);
        for replica in 0..self.replicas.len() {
            let reply = self.client(replica, "localhost").post_as_admin("/internal/clock", &json!({"now": now})).await;
            assert_eq!(reply.status, 200, "{now}: {}", String::from_utf8_lossy(&reply.bytes));
        }
        let moment: DateTime<Utc> = now.parse().unwrap();
        for network in [&self.pull, &self.push, &self.other] {
            network.set_clock(moment);
        }
        *self.today.borrow_mut() = day.to_owned();
    }

    /// Runs a billing pass of today.
    pub async fn pass(&self) -> Value {
        let reply =
            self.client(0, "localhost").post_as_admin("/internal/billing/run", &json!({"day": self.today()})).await;
        assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.bytes));
        reply.json()
    }

    /// Runs three failing passes; the next morning this number is suspended.
    pub async fn suspend(&self, msisdn: &str, svc_id: i64) {
        let network = self.network_of(svc_id);
        network.on(Call::Charge, |_| Response::Outcome("insufficient_funds"));
        let day = self.today();
        for time in ["13:00:00", "18:00:00", "19:00:00"] {
            self.set_clock(&day, time).await;
            self.pass().await;
        }
        self.set_clock(&later(&day, 1), "09:00:00").await;
        wait_for("a day that ends unpaid suspends", async || self.state(msisdn, svc_id).await == "suspended").await;
        network.behave(Call::Charge);
    }

    /// Compares a day with the networks' lists; fails after 15 seconds.
    pub async fn reconcile(&self, request: &Value) -> Value {
        let client = self.client(0, "localhost");
        let call = client.request(Method::POST, "/internal/reconcile").bearer_auth(ADMIN_TOKEN).json(request);
        let sent = rt::time::timeout(Duration::from_secs(15), client.send(call)).await;
        let reply = sent.expect("reconciling ends within 15 seconds");
        assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.bytes));
        reply.json()
    }

    /// Refunds a settled charge; returns the entry's id.
    pub async fn refund(&self, ledger_id: i64) -> i64 {
        let request = json!({"ledger_id": ledger_id, "reason": "asked for by telephone"});
        let reply = self.client(0, "localhost").post_as_admin("/internal/refund", &request).await;
        assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.bytes));
        reply.json()["id"].as_i64().unwrap()
    }

    pub async fn get_as_admin(&self, path: &str) -> Reply {
        let client = self.client(0, "localhost");
        client.send(client.request(Method::GET, path).bearer_auth(ADMIN_TOKEN)).await
    }

    /// The account of a number.
    pub async fn account(&self, msisdn: &str) -> Value {
        let reply = self.get_as_admin(&format!("/internal/subscriptions/{msisdn}")).await;
        assert_eq!(reply.status, 200);
        reply.json()
    }

    /// The state of a number's subscription to a service; `none` where it has none.
    pub async fn state(&self, msisdn: &str, svc_id: i64) -> String {
        let account = self.account(msisdn).await;
        let mut all = account["subscriptions"].as_array().unwrap().iter();
        let found = all.find(|one| one["svc_id"] == svc_id).and_then(|one| one["state"].as_str());
        found.unwrap_or("none").to_owned()
    }

    pub async fn month_spend(&self, msisdn: &str) -> i64 {
        self.account(msisdn).await["month_spend_cents"].as_i64().unwrap()
    }

    /// A day of the ledger.
    pub async fn ledger(&self, day: &str) -> Vec<Row> {
        let reply = self.get_as_admin(&format!("/internal/ledger?day={day}")).await;
        assert_eq!(reply.status, 200);
        let text = String::from_utf8(reply.bytes).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("id,subscription_id,msisdn,svc_id,day,kind,cents,status,key,network_ref,at"));
        let rows = lines.map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            Row {
                id: fields[0].parse().unwrap(),
                msisdn: fields[2].to_owned(),
                day: fields[4].to_owned(),
                kind: fields[5].to_owned(),
                cents: fields[6].parse().unwrap(),
                status: fields[7].to_owned(),
                key: fields[8].to_owned(),
                network_ref: fields[9].to_owned(),
            }
        });
        rows.collect()
    }

    /// The rows of one number and kind on a day.
    pub async fn rows(&self, day: &str, msisdn: &str, kind: &str) -> Vec<Row> {
        let rows = self.ledger(day).await;
        rows.into_iter().filter(|row| row.msisdn == msisdn && row.kind == kind).collect()
    }

    /// How many charges of a day are settled.
    pub async fn settled(&self, day: &str) -> usize {
        let rows = self.ledger(day).await;
        rows.iter().filter(|row| row.kind == "charge" && row.status == "settled").count()
    }

    /// The names of all logged alarms.
    pub fn alarms(&self) -> Vec<String> {
        let logs = (0..self.replicas.len()).map(|replica| self.folder.path().join(format!("{replica}.log")));
        let text: String = logs.map(|log| std::fs::read_to_string(log).unwrap()).collect();
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines.filter_map(|line| line["alarm"].as_str().map(str::to_owned)).collect()
    }

    /// Sends a notification under a new id; its reply must be 200.
    pub async fn notify(&self, network: &Network, body: &Value) {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = format!("msg-{}", NEXT.fetch_add(1, Ordering::Relaxed));
        self.notify_as(network, &id, body).await;
    }

    /// Sends a notification under this id; its reply must be 200.
    pub async fn notify_as(&self, network: &Network, id: &str, body: &Value) {
        let reply = self.send_notification(network.name, id, body, &self.key, 0).await;
        assert_eq!(reply.status, 200, "{body}: {}", String::from_utf8_lossy(&reply.bytes));
    }

    /// Sends a notification as bytes; its reply must be 200.
    pub async fn notify_raw(&self, network: &Network, body: Vec<u8>) {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = format!("raw-{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let reply = self.send_raw(network.name, &id, body, &self.key, 0).await;
        assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.bytes));
    }

    /// Sends a notification to one of the processes, signed with a key.
    pub async fn send_notification(&self, network: &str, id: &str, body: &Value, key: &[u8], replica: usize) -> Reply {
        self.send_raw(network, id, body.to_string().into_bytes(), key, replica).await
    }

    async fn send_raw(&self, network: &str, id: &str, body: Vec<u8>, key: &[u8], replica: usize) -> Reply {
        let timestamp = Utc::now().timestamp();
        let client = self.client(replica, "localhost");
        let request = client
            .request(Method::POST, &format!("/api/subscribe/notify/{network}"))
            .header("webhook-id", id)
            .header("webhook-timestamp", timestamp)
            .header("webhook-signature", sign(key, id, timestamp, &body))
            .header(header::CONTENT_TYPE, "application/json")
            .body(body);
        client.send(request).await
    }

    /// A network's notification of a STOP by SMS.
    pub fn stop_event(&self, network: &Network, msisdn: &str) -> Value {
        json!({"event": "stop", "user_msisdn": msisdn, "at": network.now().to_rfc3339()})
    }

    /// A number joins at the network without our site; returns the network's id of its subscription.
    pub async fn join_at_network(&self, network: &Network, msisdn: &str, svc_id: i64) -> String {
        let id = network.begin(msisdn, svc_id).to_string();
        let body = if network.name == self.push.name {
            network.subscription_event(msisdn, svc_id, &json!(id), 2)
        } else {
            json!({
                "event": "opt_in", "kind": "opt_in", "reference": format!("at-network-{id}"), "subscription_id": null,
                "user_msisdn": msisdn, "svc_id": svc_id, "status": "confirmed",
                "decided_at": network.now().to_rfc3339(), "network_subscription_id": id,
            })
        };
        self.notify(network, &body).await;
        id
    }

    /// Many numbers join a service at its network, and pay their first day.
    pub async fn many_join(&self, network: &Network, svc_id: i64, numbers: impl IntoIterator<Item = usize>) {
        let numbers: Vec<String> = numbers.into_iter().map(number).collect();
        let joins = numbers.iter().map(|msisdn| self.join_at_network(network, msisdn, svc_id));
        stream::iter(joins).buffer_unordered(8).collect::<Vec<_>>().await;
        let day = self.today();
        let have_paid = async || {
            let rows = self.ledger(&day).await;
            let settled = rows.iter().filter(|row| row.kind == "charge" && row.status == "settled");
            let paid: BTreeSet<&str> = settled.map(|row| row.msisdn.as_str()).collect();
            numbers.iter().all(|msisdn| paid.contains(msisdn.as_str()))
        };
        assert!(within(Duration::from_secs(60), have_paid).await, "every number has paid the first day");
    }

    /// A browser joins, the network confirms, and the session is open.
    pub async fn joined(&self, label: &str, svc_id: i64, msisdn: &str) -> Browser {
        let browser = self.browser(label);
        let (page, id) = browser.join(msisdn, svc_id).await;
        let network = self.network_of(svc_id);
        self.notify(network, &network.confirm(&page)).await;
        assert_eq!(browser.check(msisdn, &id).await, 1, "{msisdn} has joined");
        assert!(browser.has_session());
        browser
    }

    /// As `joined`, with the first day paid.
    pub async fn joined_and_paid(&self, label: &str, svc_id: i64, msisdn: &str) -> Browser {
        let browser = self.joined(label, svc_id, msisdn).await;
        let day = self.today();
        if svc_id >= TTMBHA {
            let id = json!(self.push.subscription(msisdn, svc_id).unwrap().id.to_string());
            let event = self.push.billing_event(msisdn, svc_id, &id, &format!("first-{msisdn}-{day}"), "SUCCESS");
            self.notify(&self.push, &event).await;
        }
        wait_for("the first day is paid", async || {
            self.rows(&day, msisdn, "charge").await.iter().any(|row| row.status == "settled")
        })
        .await;
        browser
    }

    /// A browser at an address of its own.
    pub fn browser(&self, label: &str) -> Browser {
        Browser::new(self.client(0, label), label)
    }

    /// The signing key of networks without a `notify_secret` of their own.
    pub fn key(&self) -> &[u8] {
        &self.key
    }
}

/// The Standard Webhooks signature of a body: HMAC-SHA256 of `id.timestamp.body`.
pub fn sign(key: &[u8], id: &str, timestamp: i64, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    for part in [id.as_bytes(), b".", timestamp.to_string().as_bytes(), b".", body] {
        mac.update(part);
    }
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

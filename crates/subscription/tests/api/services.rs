//! A subscription service with an operator sandbox, a browser, and signed notifications.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    path::PathBuf,
    sync::{
        LazyLock, Mutex,
        atomic::{AtomicU32, Ordering},
    },
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use diesel::{QueryableByName, RunQueryDsl, sql_types::BigInt};
use operator::{HEADER_ID, HEADER_SIGNATURE, HEADER_TIMESTAMP, NotifySecret};
use reqwest::{Method, header};
use serde_json::{Value, json};
use service::ServeConfig;
use store::{Db, Migrations};
pub use testkit::eventually;
use testkit::{ADMIN_TOKEN, Client, Engine, Reply, Reserved, TestStore};
use tokio::sync::OnceCell;

use crate::{ledger::NOON, make_months::make_months};

pub const BRANDS_FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/brands.toml");
pub const PULL: &str = "sandbox-pull";
pub const PUSH: &str = "sandbox-push";
/// By which SOAP networks know us.
pub const CREDENTIALS: &str = "wasp:a-password";
pub const MEME: i32 = 150;
pub const TT: i32 = 152;

/// A number that no other test uses, with these last four digits: each test may be a process of its own, and all share one Redis.
pub fn number(ending: &str) -> String {
    static NEXT: LazyLock<AtomicU32> = LazyLock::new(|| AtomicU32::new(rand::random_range(0..1000)));
    format!("2782{:03}{ending}", NEXT.fetch_add(1, Ordering::Relaxed) % 1000)
}

/// A unique address: attempts are limited by address, and all tests share one Redis.
fn address() -> String {
    static NEXT: LazyLock<AtomicU32> = LazyLock::new(|| AtomicU32::new(rand::random()));
    let [_, a, b, c] = NEXT.fetch_add(1, Ordering::Relaxed).to_be_bytes();
    format!("10.{a}.{b}.{c}")
}

/// Submits a form as a browser does.
pub async fn post_form(address: &str, fields: &[(&str, &str)]) -> reqwest::Response {
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let request = testkit::client().post(address).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    request.body(body).send().await.expect("the sandbox answers")
}

/// Both services, over one temporary store.
pub struct TestServices {
    pub addr: SocketAddr,
    pub sandbox: SocketAddr,
    pub store: TestStore,
    pub secret: String,
    /// Reserves the sandbox's port, before it starts or where it never does.
    _sandbox_port: Reserved,
    brands_file: PathBuf,
    /// The network whose subscribers have tokens.
    tokens_of: Option<&'static str>,
    /// By which networks know us.
    credentials: &'static str,
    db: OnceCell<Db>,
}

/// Those of the service, and of the network.
const TABLES: [(&str, Migrations); 2] =
    [(subscription::NAME, subscription::MIGRATIONS), (operator_sandbox::OWNER, operator_sandbox::MIGRATIONS)];

/// The options of a test.
#[derive(Default)]
pub struct Options {
    pub test_msisdn: Option<&'static str>,
    /// Does not start the network.
    pub operator_down: bool,
    /// Changes the service's settings.
    pub settings: Option<fn(&mut subscription::Config)>,
    /// Another `brands.toml`, for both services.
    pub brands_file: Option<PathBuf>,
    /// The network of all numbers of the test, where it names subscribers by tokens.
    pub tokens_of: Option<&'static str>,
    /// By which the networks know us, in place of a name and password.
    pub credentials: Option<&'static str>,
}

pub async fn spawn(engine: Engine) -> TestServices {
    spawn_with(engine, Options::default()).await
}

pub async fn spawn_with(engine: Engine, options: Options) -> TestServices {
    crate::logs::capture();
    let store = testkit::prepared_store(engine, &TABLES, async |store| make_months(store, NOON).await).await;
    // Counters in Redis are keyed by this secret, so that tests do not share them.
    let secret = format!("whsec_{}", STANDARD.encode(rand::random::<[u8; 16]>()));
    let sandbox_port = Reserved::any();
    let sandbox = sandbox_port.addr;
    let mut config = subscription_config(&store, &secret);
    config.operator_url = format!("http://{sandbox}");
    config.test_msisdn = options.test_msisdn.map(str::to_owned);
    let credentials = options.credentials.unwrap_or(CREDENTIALS);
    config.network_credentials = Some(credentials.to_owned());
    let brands_file = options.brands_file.unwrap_or_else(|| BRANDS_FILE.into());
    config.brands_file.clone_from(&brands_file);
    if let Some(change) = options.settings {
        change(&mut config);
    }
    let running = subscription::start(config).await.expect("the service starts");
    let (addr, db) = (running.addr, OnceCell::new());
    let tokens_of = options.tokens_of;
    let services = TestServices {
        addr,
        sandbox,
        store,
        secret,
        _sandbox_port: sandbox_port,
        brands_file,
        tokens_of,
        credentials,
        db,
    };
    if !options.operator_down {
        services.start_sandbox().await;
    }
    services
}

pub fn subscription_config(store: &TestStore, secret: &str) -> subscription::Config {
    subscription::Config {
        bind: ([127, 0, 0, 1], 0).into(),
        brands_file: BRANDS_FILE.into(),
        session_secret_key: identity::SessionMinter::generate().expect("a key"),
        // So that testkit's own sessions are valid too.
        session_public_keys: Some(testkit::minter().public_key()),
        staff_token_public_keys: Some(testkit::staff_key().public_key()),
        operator_url: "http://127.0.0.1:9".to_owned(),
        notify_secret: secret.to_owned(),
        network_credentials: Some(CREDENTIALS.to_owned()),
        charge_key_secret: None,
        public_port: 8080,
        test_msisdn: None,
        production: service::Production::default(),
        admin_token: Some(ADMIN_TOKEN.to_owned()),
        test_clock: true,
        // By the real clock, a pass could start in the middle of any test.
        billing_times: subscription::BillingTimes::default(),
        charge_timeout_ms: 30_000,
        max_charges_per_number: 5,
        max_charges_per_hour: 1_000_000,
        // Only months.rs tests how months are made and deleted; in every test it would take most of the database's time.
        ledger_months: 1200,
        events_months: 1200,
        enrichment: identity::Enrichment::default(),
        // A test's browser is no person; human_check.rs tests what is held.
        fraud: subscription::FraudLimits::OBSERVED,
        number_lookup_url: None,
        crash_points: None,
        store: store.config.clone(),
        serve: ServeConfig { workers: 1, ..ServeConfig::default() },
    }
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

impl TestServices {
    pub async fn start_sandbox(&self) {
        let config = operator_sandbox::Config {
            bind: self.sandbox,
            public_url: format!("http://{}", self.sandbox),
            notify_url: format!("http://{}", self.addr),
            notify_secret: self.secret.clone(),
            network_credentials: Some(self.credentials.to_owned()),
            brands_file: self.brands_file.clone(),
            public_port: 8080,
            admin_token: Some(ADMIN_TOKEN.to_owned()),
            test_clock: true,
            production: service::Production::default(),
            store: self.store.config.clone(),
            serve: ServeConfig { workers: 1, ..ServeConfig::default() },
        };
        operator_sandbox::start(config).await.expect("the sandbox starts");
    }

    /// A browser on this host, at a unique address.
    pub fn browser(&self, label: &str) -> Browser {
        Browser {
            client: Client::new(self.addr, label),
            label: label.to_owned(),
            address: address(),
            cookies: Mutex::default(),
            headers: BTreeMap::new(),
        }
    }

    /// What the network calls the owner of a number.
    pub fn name_at_network(&self, msisdn: &str) -> String {
        self.tokens_of.map_or_else(|| msisdn.to_owned(), |network| operator_sandbox::token_of(network, msisdn))
    }

    /// What the service calls the owner of a number.
    pub fn subscriber(&self, msisdn: &str) -> String {
        self.as_service_writes(&self.name_at_network(msisdn))
    }

    /// A name of the network's, as the service writes it.
    pub fn as_service_writes(&self, name: &str) -> String {
        self.tokens_of.map_or_else(|| name.to_owned(), |network| format!("{network}:{name}"))
    }

    /// The account of a number.
    pub async fn account(&self, msisdn: &str) -> Value {
        let client = Client::new(self.addr, "memeworld");
        let request = client
            .request(Method::GET, &format!("/internal/subscriptions/{}", self.subscriber(msisdn)))
            .bearer_auth(ADMIN_TOKEN);
        let reply = client.send(request).await;
        assert_eq!(reply.status, 200);
        reply.json()
    }

    /// The state of a number's only subscription, and the causes of its changes.
    pub async fn state_and_causes(&self, msisdn: &str) -> (String, Vec<String>) {
        let account = self.account(msisdn).await;
        let subscription = &account["subscriptions"][0];
        let causes = subscription["events"].as_array().map(|events| {
            events.iter().map(|event| event["cause"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
        });
        (subscription["state"].as_str().unwrap_or("none").to_owned(), causes.unwrap_or_default())
    }

    pub async fn wait_for_state(&self, msisdn: &str, state: &str) {
        eventually(&format!("state {state}"), async || self.state_and_causes(msisdn).await.0 == state).await;
    }

    /// Sends a signed notification of a network.
    pub async fn notify(&self, network: &str, webhook_id: &str, body: &Value) -> Reply {
        self.notify_raw(network, webhook_id, body.to_string().into_bytes(), 0).await
    }

    pub async fn notify_raw(&self, network: &str, webhook_id: &str, body: Vec<u8>, seconds_off: i64) -> Reply {
        let sent = chrono::Utc::now().timestamp() + seconds_off;
        let signature = NotifySecret::parse(&self.secret).expect("a secret").sign(webhook_id, sent, &body);
        let client = Client::new(self.addr, "127.0.0.1:8080");
        let request = client
            .request(Method::POST, &format!("/api/subscribe/notify/{network}"))
            .header(HEADER_ID, webhook_id)
            .header(HEADER_TIMESTAMP, sent)
            .header(HEADER_SIGNATURE, signature)
            .header(header::CONTENT_TYPE, "application/json")
            .body(body);
        client.send(request).await
    }

    /// Counts rows of a table.
    pub async fn count(&self, table: &str, condition: &str) -> i64 {
        count_in(self.db().await, table, condition).await
    }

    /// Counts rows of a table of the sandbox.
    pub async fn count_in_sandbox(&self, table: &str, condition: &str) -> i64 {
        count_in(&self.sandbox_db().await, table, condition).await
    }

    /// Executes SQL in the service's database; again where PostgreSQL ended it because of a deadlock, which the running service's own
    /// transactions on the same rows can cause.
    pub async fn execute(&self, statement: String) {
        let db = self.db().await;
        loop {
            let statement = statement.clone();
            let executed = db.write(move |conn| {
                diesel::sql_query(statement).execute(conn)?;
                Ok::<_, store::Error>(())
            });
            match executed.await {
                Err(store::Error::Query(cause)) if cause.contains("deadlock") => {}
                executed => return executed.unwrap(),
            }
        }
    }

    pub async fn db(&self) -> &Db {
        let open = || Db::open(&self.store.config, subscription::NAME, subscription::MIGRATIONS);
        self.db.get_or_try_init(open).await.unwrap()
    }

    /// The texts of a number's SMSes, newest first.
    pub async fn inbox(&self, msisdn: &str) -> Vec<String> {
        self.smses(msisdn).await.iter().map(|sms| sms["text"].as_str().unwrap().to_owned()).collect()
    }

    /// A number's SMSes as the network has them, newest first.
    pub async fn smses(&self, msisdn: &str) -> Vec<Value> {
        let client = Client::new(self.sandbox, "localhost");
        let request =
            client.request(Method::GET, &format!("/inbox/{msisdn}")).header(header::ACCEPT, "application/json");
        client.send(request).await.json().as_array().unwrap().clone()
    }

    /// Makes a number active; returns the browser with its session.
    pub async fn joined(&self, label: &str, svc_id: i32, msisdn: &str) -> Browser {
        let browser = self.browser(label);
        let (redirect_url, id) = browser.join(msisdn, svc_id).await;
        browser.submit_answer(&redirect_url, "confirm").await;
        assert_eq!(browser.check(msisdn, &id).await, 1);
        assert!(browser.has_session());
        browser
    }
}

async fn count_in(db: &Db, table: &str, condition: &str) -> i64 {
    let query = format!("SELECT COUNT(*) AS n FROM {table} WHERE {condition}");
    let count = db.run(move |conn| Ok::<_, store::Error>(diesel::sql_query(query).get_result::<Count>(conn)?.n));
    count.await.unwrap()
}

/// A browser on one host, with cookies and one address.
pub struct Browser {
    client: Client,
    pub label: String,
    pub address: String,
    cookies: Mutex<BTreeMap<String, String>>,
    /// Sent with every request.
    headers: BTreeMap<&'static str, String>,
}

impl Browser {
    /// The same browser with a header that its network adds.
    pub fn with_header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.insert(name, value.to_owned());
        self
    }

    /// The same browser at another address.
    pub fn at(self, address: &str) -> Self {
        Self { address: address.to_owned(), ..self }
    }

    pub async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Reply {
        let mut request = self.client.request(method, path).header("x-forwarded-for", &self.address);
        let cookies: Vec<String> =
            self.cookies.lock().unwrap().iter().map(|(name, value)| format!("{name}={value}")).collect();
        if !cookies.is_empty() {
            request = request.header(header::COOKIE, cookies.join("; "));
        }
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let reply = self.client.send(request.header(header::USER_AGENT, "a test's browser")).await;
        for cookie in reply.headers.get_all(header::SET_COOKIE) {
            let cookie = cookie.to_str().unwrap();
            let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            if value.is_empty() {
                self.cookies.lock().unwrap().remove(name);
            } else {
                self.cookies.lock().unwrap().insert(name.to_owned(), value.to_owned());
            }
        }
        reply
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.send(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.send(Method::POST, path, Some(body)).await
    }

    pub async fn try_to_join(&self, msisdn: &str, svc_id: i32) -> Reply {
        let body = json!({"msisdn": msisdn, "ext_ref": "ad 7&x=1", "channel": "WAP", "svc_id": svc_id});
        self.post("/api/subscribe", &body).await
    }

    /// Starts a join; the network's page and the id of the attempt.
    pub async fn join(&self, msisdn: &str, svc_id: i32) -> (String, String) {
        let reply = self.try_to_join(msisdn, svc_id).await;
        assert_eq!(reply.status, 200, "{:?}", String::from_utf8_lossy(&reply.bytes));
        let body = reply.json();
        assert_eq!(body["result"], 1);
        (body["redirectUrl"].as_str().unwrap().to_owned(), body["subscriptionId"].as_str().unwrap().to_owned())
    }

    /// Answers on the network's page; returns where it redirects.
    pub async fn submit_answer(&self, page: &str, answer: &str) -> String {
        let reply = post_form(page, &[("answer", answer)]).await;
        assert_eq!(reply.status(), 303);
        reply.headers()[header::LOCATION].to_str().unwrap().to_owned()
    }

    pub async fn check(&self, msisdn: &str, id: &str) -> i64 {
        let reply = self.get(&format!("/api/subscribe/check-sub?msisdn={msisdn}&subscription_id={id}")).await;
        assert_eq!((reply.status, reply.header("cache-control")), (200, "no-store"));
        reply.json()["result"].as_i64().unwrap()
    }

    pub fn has_session(&self) -> bool {
        self.cookies.lock().unwrap().contains_key(&format!("session-{}", self.label))
    }

    /// As if the reply with the session had been lost.
    pub fn forget_session(&self) {
        self.cookies.lock().unwrap().remove(&format!("session-{}", self.label));
    }

    /// The same cookies on another host (a real browser would not send them).
    pub fn with_cookies_on(&self, services: &TestServices, label: &str) -> Browser {
        let other = services.browser(label);
        *other.cookies.lock().unwrap() = self.cookies.lock().unwrap().clone();
        other
    }
}

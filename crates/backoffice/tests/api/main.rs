//! API tests of the back office, on both engines.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on must say so and fail"
)]

mod access;
mod assignments;
mod audit;
mod captions;
mod erasures;
mod pages;
mod passkeys;
mod private_drafts;
mod proofs;
mod provider;
mod refunds;
mod sign_in;
mod single_sign_on;
mod staff;
mod support;
mod uploads;
mod viewing;

use std::{collections::BTreeMap, net::SocketAddr};

use backoffice::Config;
use diesel::RunQueryDsl;
use reqwest::Method;
use serde_json::{Value, json};
use service::{Running, ServeConfig};
use store::Db;
use tempfile::TempDir;
use testkit::{Engine, TestStore};
use totp_rs::{Builder, Secret};

pub(crate) const FIRST: &str = "first@spaza.example";
pub(crate) const ADMIN_TOKEN: &str = "token of tests";
pub(crate) const PASSWORD: &str = "correct horse battery";
pub(crate) const PAGE: &str = "<!doctype html><title>Back office</title>";
pub(crate) const SCRIPT: &str = "console.log('back office');";

/// The service under test.
pub(crate) struct App {
    pub(crate) addr: SocketAddr,
    pub(crate) link: Option<String>,
    pub(crate) config: Config,
    pub(crate) store: TestStore,
    _running: Running,
    _folder: TempDir,
}

/// What a browser got.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) text: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// A browser at the back office, with its cookie.
#[derive(Clone)]
pub(crate) struct Browser {
    base: String,
    cookies: BTreeMap<String, String>,
    http: reqwest::Client,
}

impl Browser {
    pub(crate) fn new(addr: SocketAddr) -> Self {
        Self { base: format!("http://{addr}"), cookies: BTreeMap::new(), http: testkit::client() }
    }

    /// The same browser at another address of the service.
    pub(crate) fn at(&self, addr: SocketAddr) -> Self {
        Self { base: format!("http://{addr}"), ..self.clone() }
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.base));
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if cookies.is_empty() { request } else { request.header("cookie", cookies.join("; ")) }
    }

    pub(crate) async fn send(&mut self, request: reqwest::RequestBuilder) -> Reply {
        let reply = request.send().await.expect("the server answers");
        let (status, headers) = (reply.status().as_u16(), reply.headers().clone());
        for cookie in headers.get_all("set-cookie") {
            let (name, value) = cookie.to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap();
            match value {
                "" => self.cookies.remove(name),
                value => self.cookies.insert(name.to_owned(), value.to_owned()),
            };
        }
        Reply { status, headers, text: reply.text().await.unwrap() }
    }

    pub(crate) async fn call(&mut self, method: &str, path: &str, body: Option<Value>) -> Reply {
        let mut request = self.request(method.parse().unwrap(), path).header("sec-fetch-site", "same-origin");
        if let Some(body) = body {
            request = request.json(&body);
        }
        self.send(request).await
    }

    pub(crate) async fn get_ok(&mut self, path: &str) -> Value {
        let reply = self.call("GET", path, None).await;
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        reply.json()
    }

    /// Accepts the invitation of a link; returns the secret of the second factor.
    pub(crate) async fn accept(&mut self, link: &str) -> String {
        let path = format!("/api/invitations/{}", token_of(link));
        let secret = self.get_ok(&path).await["totp_secret"].as_str().unwrap().to_owned();
        let body = json!({ "name": "Thandi", "password": PASSWORD, "code": code(&secret, 0) });
        let reply = self.call("POST", &path, Some(body)).await;
        assert_eq!(reply.status, 201, "{reply:?}");
        secret
    }

    /// Proves the second factor of the session again.
    pub(crate) async fn prove(&mut self, code: &str) -> Reply {
        let begun = self.call("POST", "/api/second-factor", None).await;
        assert_eq!(begun.status, 200, "{begun:?}");
        self.call("POST", "/api/session/second-factor", Some(json!({ "code": code }))).await
    }

    /// Moves the clock of its back office to some minutes from now.
    pub(crate) async fn move_clock(&mut self, minutes: i64) {
        let now = (service::timestamp::now() + chrono::TimeDelta::minutes(minutes)).and_utc().to_rfc3339();
        let request = self.request(Method::POST, "/internal/clock").bearer_auth(ADMIN_TOKEN);
        assert_eq!(self.send(request.json(&json!({ "now": now }))).await.status, 200);
    }

    /// Signs in with the code of the given step from now.
    pub(crate) async fn sign_in(&mut self, email: &str, password: &str, code: &str) -> Reply {
        self.call("POST", "/api/session", Some(json!({ "email": email, "password": password, "code": code }))).await
    }
}

/// The token at the end of a link.
pub(crate) fn token_of(link: &str) -> &str {
    link.rsplit_once("/invitation/").expect("an invitation's link").1
}

/// The code that an authenticator shows, some steps from now.
pub(crate) fn code(secret: &str, steps: i64) -> String {
    let totp = Builder::new().with_secret(Secret::try_from_base32(secret).unwrap()).build().unwrap();
    let now = service::timestamp::now().and_utc().timestamp() + 30 * steps;
    totp.generate(u64::try_from(now).unwrap()).to_string()
}

/// A new key for the tokens of staff, from the program itself.
pub(crate) fn token_key() -> String {
    printed("--new-token-key", "STAFF_TOKEN_SECRET_KEY=")
}

/// A new key for the secrets of second factors, from the program itself.
pub(crate) fn second_factor_key() -> String {
    printed("--new-second-factor-key", "SECOND_FACTOR_KEYS=")
}

fn printed(argument: &str, setting: &str) -> String {
    let printed = std::process::Command::new(env!("CARGO_BIN_EXE_backoffice")).arg(argument).output().unwrap();
    let text = String::from_utf8(printed.stdout).unwrap();
    text.lines().find_map(|line| line.strip_prefix(setting)).unwrap().to_owned()
}

/// Starts a back office without staff.
pub(crate) async fn spawn_app(engine: Engine) -> App {
    spawn_app_with(engine, |_| ()).await
}

/// The same with other settings.
pub(crate) async fn spawn_app_with(engine: Engine, change: impl FnOnce(&mut Config)) -> App {
    let store = testkit::store_with_tables(engine, &[(backoffice::NAME, backoffice::MIGRATIONS)]).await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("assets")).unwrap();
    std::fs::write(folder.path().join("index.html"), PAGE).unwrap();
    std::fs::write(folder.path().join("assets/main.js"), SCRIPT).unwrap();
    let mut config = Config {
        bind: "127.0.0.1:0".parse().unwrap(),
        ops_bind: None,
        backoffice_url: "http://localhost:8086".to_owned(),
        backoffice_dir: folder.path().to_owned(),
        first_administrator: FIRST.to_owned(),
        // Nothing listens there.
        subscription_url: "http://127.0.0.1:9".to_owned(),
        comedy_url: "http://127.0.0.1:9".to_owned(),
        diski_url: "http://127.0.0.1:9".to_owned(),
        meme_url: "http://127.0.0.1:9".to_owned(),
        tt_url: "http://127.0.0.1:9".to_owned(),
        staff_token_secret_key: token_key(),
        second_factor_keys: second_factor_key(),
        single_sign_on: backoffice::SingleSignOnConfig::default(),
        uploads: backoffice::UploadsConfig::default(),
        trusted_proxies: service::Cidrs::default(),
        admin_token: Some(ADMIN_TOKEN.to_owned()),
        test_clock: true,
        production: service::Production::default(),
        store: store.config.clone(),
        serve: ServeConfig { workers: 2, ..ServeConfig::default() },
    };
    change(&mut config);
    let (running, link) = backoffice::start(config.clone()).await.unwrap();
    App { addr: running.addr, link, config, store, _running: running, _folder: folder }
}

impl App {
    /// The first administrator's browser, and the secret of their second factor.
    pub(crate) async fn administrator(&self) -> (Browser, String) {
        let mut browser = Browser::new(self.addr);
        let secret = browser.accept(self.link.as_deref().expect("there is no administrator yet")).await;
        (browser, secret)
    }

    /// Gives an account roles, on the machine.
    pub(crate) fn grant(&self, email: &str, roles: &[&str]) {
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_backoffice"));
        program.env("DATA_DIR", &self.store.config.data_dir);
        program.envs(self.store.config.database_url.as_ref().map(|url| ("DATABASE_URL", url)));
        let output = program.args(["grant", email]).args(roles).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    /// Invites a person, and accepts for them.
    pub(crate) async fn member(&self, admin: &mut Browser, email: &str, roles: &[&str]) -> (Browser, String) {
        let body = json!({ "email": email, "name": "Sipho", "roles": roles });
        let reply = admin.call("POST", "/api/invitations", Some(body)).await;
        assert_eq!(reply.status, 201, "{reply:?}");
        let touching: Vec<&str> =
            roles.iter().copied().filter(|role| !["editor", "publisher"].contains(role)).collect();
        if !touching.is_empty() {
            self.grant(email, &touching);
        }
        let mut browser = Browser::new(self.addr);
        let secret = browser.accept(reply.json()["link"].as_str().unwrap()).await;
        (browser, secret)
    }

    /// A second process on the same database, with other settings.
    pub(crate) async fn restarted(&self, change: impl FnOnce(&mut Config)) -> Running {
        let mut config = self.config.clone();
        change(&mut config);
        backoffice::start(config).await.unwrap().0
    }

    /// The column `text` of a query's rows.
    pub(crate) async fn texts(&self, query: &str) -> Vec<String> {
        #[derive(diesel::QueryableByName)]
        struct Row {
            #[diesel(sql_type = diesel::sql_types::Text)]
            text: String,
        }
        let db = Db::open(&self.store.config, backoffice::NAME, backoffice::MIGRATIONS).await.unwrap();
        let query = query.to_owned();
        let rows =
            db.run(move |conn| Ok::<_, store::Error>(diesel::sql_query(query).load::<Row>(conn)?)).await.unwrap();
        rows.into_iter().map(|row| row.text).collect()
    }

    /// Runs a statement on the tables, as no call does.
    pub(crate) async fn execute(&self, statement: &str) -> Result<(), store::Error> {
        let db = Db::open(&self.store.config, backoffice::NAME, backoffice::MIGRATIONS).await.unwrap();
        let statement = statement.to_owned();
        db.run(move |conn| {
            diesel::sql_query(statement).execute(conn)?;
            Ok(())
        })
        .await
    }
}

/// The id of a member of staff.
pub(crate) async fn id_of(admin: &mut Browser, email: &str) -> i64 {
    let list = admin.get_ok("/api/staff").await;
    let found = list["staff"].as_array().unwrap().iter().find(|member| member["email"] == email);
    found.expect("a member")["id"].as_i64().unwrap()
}

testkit::on_each_engine! {
    async fn program_migrates_and_exits(engine) {
        testkit::check_migrate(env!("CARGO_BIN_EXE_backoffice"), "backoffice", "backoffice", engine).await;
    }
}

//! A sandbox, and a receiver where it sends its notifications.

use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Bytes, Path, post},
};
use operator::{HEADER_ID, HEADER_SIGNATURE, HEADER_TIMESTAMP, NotifySecret};
use reqwest::{Method, header};
use serde_json::{Value, json};
use service::{Running, ServeConfig};
use testkit::{Client, Engine, Reply, TestStore, eventually};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

pub const SECRET: &str = "whsec_ZGV2LW5vdGlmeQ==";
pub const CREDENTIALS: &str = "wasp:a-password";
pub const MEME: i32 = 150;
pub const TT: i32 = 152;
/// A day that is not today, and that follows every opt-in of these tests.
pub const DAY: &str = "2031-05-31";

/// One notification that arrived, its signature checked.
#[derive(Clone)]
pub struct Received {
    pub network: String,
    pub webhook_id: String,
    pub body: Value,
}

/// Takes notifications, or refuses them while it is refusing.
#[derive(Clone, Default)]
pub struct Receiver {
    /// Each once: as with our services, the same name again has no effect.
    received: Arc<Mutex<Vec<Received>>>,
    arrived: Arc<Mutex<Vec<String>>>,
    pub refusing: Arc<AtomicBool>,
    pub refused: Arc<Mutex<Vec<String>>>,
}

impl Receiver {
    pub fn listen(&self) -> SocketAddr {
        let receiver = self.clone();
        let listener = service::listen("receiver", ([127, 0, 0, 1], 0).into()).unwrap();
        let config = ServeConfig { workers: 1, ..ServeConfig::default() };
        let running =
            service::serve("receiver", listener, &config, Arc::new(|| Box::pin(async { true })), move |routes| {
                let receiver = receiver.clone();
                let take = move |network: Path<String>, req: HttpRequest, body: Bytes| {
                    let receiver = receiver.clone();
                    async move { receiver.take(network.into_inner(), &req, &body) }
                };
                routes.route("/api/subscribe/notify/{network}", post().to(take));
            });
        running.unwrap().addr
    }

    fn take(&self, network: String, req: &HttpRequest, body: &Bytes) -> HttpResponse {
        let header = |name: &str| req.headers().get(name).unwrap().to_str().unwrap().to_owned();
        let webhook_id = header(HEADER_ID);
        if self.refusing.load(Ordering::SeqCst) {
            self.refused.lock().unwrap().push(webhook_id);
            return HttpResponse::ServiceUnavailable().finish();
        }
        let signed = NotifySecret::parse(SECRET).unwrap().verify(
            &webhook_id,
            &header(HEADER_TIMESTAMP),
            &header(HEADER_SIGNATURE),
            body,
            chrono::Utc::now().timestamp(),
        );
        assert_eq!(signed, Ok(()));
        // XML is kept as text.
        let as_text = |_| Value::String(String::from_utf8(body.to_vec()).unwrap());
        let body = serde_json::from_slice(body).unwrap_or_else(as_text);
        self.arrived.lock().unwrap().push(webhook_id.clone());
        let mut received = self.received.lock().unwrap();
        if received.iter().all(|one| one.webhook_id != webhook_id) {
            received.push(Received { network, webhook_id, body });
        }
        HttpResponse::Ok().finish()
    }

    /// How often a notification with this webhook id was accepted.
    pub fn arrivals(&self, webhook_id: &str) -> usize {
        self.arrived.lock().unwrap().iter().filter(|name| *name == webhook_id).count()
    }

    /// What came so far.
    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// Waits for the first notification; those that came by then.
    pub async fn receives_any(&self) -> Vec<Received> {
        eventually("a notification", async || !self.received.lock().unwrap().is_empty()).await;
        self.received.lock().unwrap().clone()
    }

    /// Waits for so many notifications, and that no more come at once.
    pub async fn receives(&self, count: usize) -> Vec<Received> {
        let what = format!("{count} notifications");
        eventually(&what, async || self.received.lock().unwrap().len() >= count).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        let received = self.received.lock().unwrap().clone();
        assert_eq!(received.len(), count);
        received
    }
}

/// A charge of R3 on a pull service.
pub fn charge_request(key: &str, msisdn: &str) -> Value {
    json!({"key": key, "msisdn": msisdn, "svc_id": MEME, "cents": 300, "day": DAY})
}

/// A sandbox with its receiver.
pub struct Network {
    pub running: Running,
    pub receiver: Receiver,
    pub receiver_addr: SocketAddr,
    pub place: TestStore,
}

pub async fn spawn(engine: Engine) -> Network {
    let receiver = Receiver::default();
    let receiver_addr = receiver.listen();
    let place = testkit::store(engine).await;
    let running = start(&place, receiver_addr).await;
    Network { running, receiver, receiver_addr, place }
}

pub async fn start(place: &TestStore, receiver_addr: SocketAddr) -> Running {
    operator_sandbox::start(config(place, receiver_addr)).await.expect("the sandbox starts")
}

pub fn config(place: &TestStore, receiver_addr: SocketAddr) -> operator_sandbox::Config {
    operator_sandbox::Config {
        bind: ([127, 0, 0, 1], 0).into(),
        public_url: "http://localhost:8090".to_owned(),
        notify_url: format!("http://{receiver_addr}"),
        notify_secret: SECRET.to_owned(),
        network_credentials: Some(CREDENTIALS.to_owned()),
        brands_file: concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/brands.toml").into(),
        public_port: 8080,
        admin_token: Some(testkit::ADMIN_TOKEN.to_owned()),
        production: service::Production::default(),
        test_clock: true,
        store: place.config.clone(),
        serve: ServeConfig { workers: 1, ..ServeConfig::default() },
    }
}

impl Network {
    pub fn client(&self) -> Client {
        Client::new(self.running.addr, "localhost:8090")
    }

    /// Asks for a page the way the subscription service does; its reference.
    pub async fn opt_in(&self, msisdn: &str, svc_id: i32, kind: &str) -> String {
        let body = json!({
            "msisdn": msisdn, "svc_id": svc_id, "service": "A service", "price_cents": 300, "ext_ref": "ad 7&x=1",
            "subscription_id": "our-try", "return_url": "http://brand.localhost:8080/DoiRedirect?kept=1", "kind": kind,
        });
        let reply = self.client().post("/opt-ins", &body).await;
        assert_eq!(reply.status, 201);
        let reference = reply.json()["reference"].as_str().unwrap().to_owned();
        assert_eq!(reply.json()["redirect_url"], format!("http://localhost:8090/opt-in/{reference}"));
        reference
    }

    /// A number that has joined a service.
    pub async fn joined(&self, msisdn: &str, svc_id: i32) {
        let reference = self.opt_in(msisdn, svc_id, "opt_in").await;
        self.tap(&reference, "confirm").await;
    }

    /// Asks for a charge of a pull service.
    pub async fn charge(&self, key: &str, msisdn: &str) -> Reply {
        self.client().post("/charges", &charge_request(key, msisdn)).await
    }

    /// Sets everything that a network does wrong.
    pub async fn misbehave(&self, misbehaviour: Value) {
        let reply = self.client().post_as_admin("/internal/misbehave", &misbehaviour).await;
        assert_eq!(reply.status, 204, "{}", String::from_utf8_lossy(&reply.bytes));
    }

    /// Whether a call is still without an answer after 300 ms.
    pub async fn hangs(&self, method: Method, path: &str, body: &Value) -> bool {
        let call = self.client().request(method, path).json(body).timeout(Duration::from_millis(300));
        call.send().await.is_err_and(|error| error.is_timeout())
    }

    /// What was charged for a day.
    pub async fn charges(&self, day: &str) -> Vec<Value> {
        self.client().get_ok(&format!("/charges?day={day}")).await.as_array().unwrap().clone()
    }

    /// Bills the push subscribers: how many were due, charged, not charged.
    pub async fn run_day(&self, day: &str) -> [u64; 3] {
        let reply = self.client().post("/run-day", &json!({ "day": day })).await;
        assert_eq!((reply.status, reply.json()["day"].as_str()), (200, Some(day)));
        ["due", "charged", "failed"].map(|field| reply.json()[field].as_u64().unwrap())
    }

    /// Sends a charge and reads, byte by byte, what comes back before the connection ends.
    pub async fn charge_raw(&self, key: &str, msisdn: &str) -> Vec<u8> {
        let body = charge_request(key, msisdn).to_string();
        let mut stream = tokio::net::TcpStream::connect(self.running.addr).await.unwrap();
        let head = "POST /charges HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length:";
        stream.write_all(format!("{head} {}\r\n\r\n{body}", body.len()).as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        // Cut may mean closed or reset.
        let _ = stream.read_to_end(&mut bytes).await;
        bytes
    }

    pub async fn form(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let client = self.client();
        let request = client
            .request(Method::POST, path)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(body);
        client.send(request).await
    }

    /// Taps a button; where it leads.
    pub async fn tap(&self, reference: &str, answer: &str) -> String {
        let reply = self.form(&format!("/opt-in/{reference}"), &[("answer", answer)]).await;
        assert_eq!(reply.status, 303);
        reply.header("location").to_owned()
    }
}

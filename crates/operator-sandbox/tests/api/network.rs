//! A sandbox, and an ear where it sends its notifications.

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
use reqwest::header;
use serde_json::{Value, json};
use testkit::{Client, Engine, TestStore};
use web::{Running, ServeConfig};

pub const SECRET: &str = "whsec_ZGV2LW5vdGlmeQ==";
pub const MEME: i32 = 150;
pub const TT: i32 = 152;

/// One notification that arrived, its signature checked.
#[derive(Clone)]
pub struct Heard {
    pub network: String,
    pub webhook_id: String,
    pub body: Value,
}

/// Takes notifications, or refuses them while it is deaf.
#[derive(Clone, Default)]
pub struct Ear {
    heard: Arc<Mutex<Vec<Heard>>>,
    pub deaf: Arc<AtomicBool>,
    pub refused: Arc<Mutex<Vec<String>>>,
}

impl Ear {
    fn listen(&self) -> SocketAddr {
        let ear = self.clone();
        let listener = web::listen("ear", ([127, 0, 0, 1], 0).into()).unwrap();
        let config = ServeConfig { workers: 1, ..ServeConfig::default() };
        let running = web::serve("ear", listener, &config, Arc::new(|| Box::pin(async { true })), move |routes| {
            let ear = ear.clone();
            let take = move |network: Path<String>, req: HttpRequest, body: Bytes| {
                let ear = ear.clone();
                async move { ear.take(network.into_inner(), &req, &body) }
            };
            routes.route("/api/subscribe/notify/{network}", post().to(take));
        });
        running.unwrap().addr
    }

    fn take(&self, network: String, req: &HttpRequest, body: &Bytes) -> HttpResponse {
        let header = |name: &str| req.headers().get(name).unwrap().to_str().unwrap().to_owned();
        let webhook_id = header(HEADER_ID);
        if self.deaf.load(Ordering::SeqCst) {
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
        let body = serde_json::from_slice(body).unwrap();
        self.heard.lock().unwrap().push(Heard { network, webhook_id, body });
        HttpResponse::Ok().finish()
    }

    /// Waits for the first notification; those that came by then.
    pub async fn hears_of(&self) -> Vec<Heard> {
        for _ in 0..150 {
            let heard = self.heard.lock().unwrap().clone();
            if !heard.is_empty() {
                return heard;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("no notification within 15 seconds");
    }

    /// Waits for so many notifications, and that no more come at once.
    pub async fn hears(&self, count: usize) -> Vec<Heard> {
        for _ in 0..150 {
            let heard = self.heard.lock().unwrap().clone();
            if heard.len() >= count {
                tokio::time::sleep(Duration::from_millis(300)).await;
                let heard = self.heard.lock().unwrap().clone();
                assert_eq!(heard.len(), count);
                return heard;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("{} of {count} notifications within 15 seconds", self.heard.lock().unwrap().len());
    }
}

/// A sandbox with its ear.
pub struct Network {
    pub running: Running,
    pub ear: Ear,
    pub ear_addr: SocketAddr,
    pub place: TestStore,
}

pub async fn spawn(engine: Engine) -> Network {
    let ear = Ear::default();
    let ear_addr = ear.listen();
    let place = testkit::store(engine).await;
    let running = start(&place, ear_addr).await;
    Network { running, ear, ear_addr, place }
}

pub async fn start(place: &TestStore, ear_addr: SocketAddr) -> Running {
    let config = operator_sandbox::Config {
        bind: ([127, 0, 0, 1], 0).into(),
        public_url: "http://localhost:8090".to_owned(),
        notify_url: format!("http://{ear_addr}"),
        notify_secret: SECRET.to_owned(),
        brands_file: concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/brands.toml").into(),
        public_port: 8080,
        store: place.config.clone(),
        serve: ServeConfig { workers: 1, ..ServeConfig::default() },
    };
    operator_sandbox::start(config).await.expect("the sandbox starts")
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

    pub async fn form(&self, path: &str, fields: &[(&str, &str)]) -> testkit::Reply {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let client = self.client();
        let request = client
            .request(reqwest::Method::POST, path)
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

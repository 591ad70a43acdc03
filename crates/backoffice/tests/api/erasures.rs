//! Exports and erasures where a service does not answer or refuses; `crates/family/tests/process/erasure.rs` has those that succeed.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use testkit::{
    Engine,
    actix_web::{
        App as Actix, HttpRequest, HttpResponse, HttpServer,
        web::{self, Data},
    },
};

use crate::{App, Browser, spawn_app};

/// All services behind one port, each below its name: what they were called, and what they answer.
#[derive(Clone, Default)]
pub(crate) struct Services {
    calls: Arc<Mutex<Vec<String>>>,
    /// tt does not answer.
    is_tt_silent: Arc<AtomicBool>,
    /// The subscription service refuses to erase.
    refuses: Arc<AtomicBool>,
}

impl Services {
    fn reply(&self, method: &str, path: &str) -> HttpResponse {
        self.calls.lock().unwrap().push(format!("{method} {path}"));
        let (service, call) = path.trim_start_matches('/').split_once('/').unwrap();
        if service == "tt" && self.is_tt_silent.load(Ordering::Relaxed) {
            return HttpResponse::ServiceUnavailable().finish();
        }
        match (method, service) {
            ("DELETE", "subscription") if self.refuses.load(Ordering::Relaxed) => {
                HttpResponse::Conflict().json(json!({ "detail": "The subscription to memeworld runs. End it first." }))
            }
            ("DELETE", _) => {
                let kept = json!({ "what": format!("What {service} keeps"), "rows": 1, "until": "for a day", "why": "A test." });
                HttpResponse::Ok().json(json!({ "deleted": 1, "kept": [kept] }))
            }
            (_, "subscription") if call.ends_with("/erasure") => {
                HttpResponse::Ok().json(json!({ "obstacles": [], "kept": [] }))
            }
            (_, "subscription") if call.contains("/subscriptions/") => HttpResponse::Ok().json(json!({
                "month_spend_cents": 0, "subscriptions": [], "surplus_charges": [], "blocked": null, "messages": []
            })),
            _ => HttpResponse::Ok().json(json!({ "tables": [{ "name": "likes", "about": "A like", "rows": [] }] })),
        }
    }

    /// Listens, and starts a back office that calls it.
    pub(crate) async fn spawn(engine: Engine) -> (Self, App, Pair) {
        let services = Self::default();
        let shared = services.clone();
        let server = HttpServer::new(move || {
            let answer =
                async |services: Data<Services>, req: HttpRequest| services.reply(req.method().as_str(), req.path());
            Actix::new().app_data(Data::new(shared.clone())).default_service(web::to(answer))
        });
        let server = server.workers(1).bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", server.addrs()[0]);
        actix_web::rt::spawn(server.run());
        let app = spawn_app(engine).await;
        let (mut admin, _) = app.administrator().await;
        let running = app
            .restarted(|config| {
                config.subscription_url = format!("{base}/subscription");
                config.comedy_url = format!("{base}/comedy");
                config.diski_url = format!("{base}/diski");
                config.meme_url = format!("{base}/meme");
                config.tt_url = format!("{base}/tt");
            })
            .await;
        let pair = Pair::sign_in(&app, &mut admin, running).await;
        (services, app, pair)
    }

    fn calls(&self, method: &str) -> Vec<String> {
        self.calls.lock().unwrap().iter().filter(|call| call.starts_with(method)).cloned().collect()
    }
}

/// Two members of support, of whom the first has searched a number.
pub(crate) struct Pair {
    pub(crate) first: Browser,
    pub(crate) second: Browser,
    /// Of their authenticators.
    pub(crate) secrets: [String; 2],
    pub(crate) record: String,
    _running: service::Running,
}

impl Pair {
    async fn sign_in(app: &App, admin: &mut Browser, running: service::Running) -> Self {
        let (first, first_secret) = app.member(admin, "sipho@spaza.example", &["support"]).await;
        let (second, second_secret) = app.member(admin, "zola@spaza.example", &["support"]).await;
        let (mut first, second) = (first.at(running.addr), second.at(running.addr));
        let found = first.call("POST", "/api/support/search", Some(json!({ "number": "0812345678" }))).await;
        assert_eq!(found.status, 200, "{found:?}");
        let record = format!("/api/support/{}", found.json()["ref"].as_str().unwrap());
        Self { first, second, secrets: [first_secret, second_secret], record, _running: running }
    }

    pub(crate) async fn erasure(&mut self) -> Value {
        self.second.get_ok("/api/erasures").await["erasures"][0].clone()
    }

    /// The erasure, once it is as expected.
    async fn wait_for(&mut self, is_expected: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..300 {
            let erasure = self.erasure().await;
            if is_expected(&erasure) {
                return erasure;
            }
            actix_web::rt::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("the erasure is {}", self.erasure().await)
    }

    /// Requests an erasure by the first person, and approves it by the second.
    async fn approve(&mut self) {
        let path = format!("{}/erasure", self.record);
        let reply = self.first.call("POST", &path, Some(json!({ "reason": "asked for" }))).await;
        assert_eq!(reply.json(), json!({ "state": "waiting" }));
        let path = format!("/api/erasures/{}", self.erasure().await["id"]);
        let accept = json!({ "accept": true, "reason": "checked" });
        assert_eq!(self.first.call("POST", &path, Some(accept.clone())).await.status, 403);
        assert_eq!(self.second.call("POST", &path, Some(accept)).await.status, 204);
    }
}

testkit::on_each_engine! {
    async fn erasure_stays_open_until_each_service_has_confirmed(engine) {
        let (services, app, mut pair) = Services::spawn(engine).await;
        services.is_tt_silent.store(true, Ordering::Relaxed);
        let record = pair.record.rsplit('/').next().unwrap();
        let draft = json!({ "form": "note", "record": record, "text": "She called.", "version": 0 });
        assert_eq!(pair.first.call("PUT", "/api/private-drafts", Some(draft)).await.status, 200);
        pair.approve().await;
        let erasure = pair.wait_for(|erasure| erasure["confirmed"].as_array().unwrap().len() == 4).await;
        assert_eq!((&erasure["state"], &erasure["missing"]), (&json!("open"), &json!(["tt"])), "{erasure}");
        // Stored by its id, and read in the language of staff.
        let erasure = pair.wait_for(|erasure| erasure["cause"] != "").await;
        assert_eq!(erasure["cause"], "No answer yet: tt.");
        let stored = app.texts("SELECT cause AS text FROM erasures").await.join("");
        assert!(stored.contains("erasure-silent") && !stored.contains("No answer"), "{stored}");
        assert_eq!(app.texts("SELECT msisdn AS text FROM numbers").await, ["27812345678"]);
        let letter = format!("/api/erasures/{}/letter.txt", erasure["id"]);
        assert_eq!(pair.first.call("GET", &letter, None).await.status, 409);

        services.is_tt_silent.store(false, Ordering::Relaxed);
        pair.wait_for(|erasure| erasure["state"] == "done").await;
        // Services that had confirmed are not called again.
        let of = |service: &str| services.calls("DELETE").iter().filter(|call| call.contains(service)).count();
        assert_eq!(["/comedy/", "/diski/", "/meme/"].map(of), [1, 1, 1]);
        assert!(services.calls("DELETE")[0].contains("/subscription/"), "{:?}", services.calls("DELETE"));
        for table in ["numbers", "lookups", "private_drafts"] {
            assert_eq!(app.texts(&format!("SELECT 'x' AS text FROM {table}")).await.len(), 0, "{table}");
        }
        let text = pair.first.call("GET", &letter, None).await.text;
        let [title, ..] = text.lines().collect::<Vec<_>>()[..] else { panic!("the letter is empty") };
        assert_eq!(title, "The data of the number 27••••••678");
        assert!(text.contains("\n- What subscription keeps (1)\n  Kept for a day.\n  A test.\n"), "{text}");
        assert!(text.contains("\n\nThis stays. It is deleted by itself when its time is over.\n\n- "), "{text}");
    }

    async fn erasure_that_the_subscription_service_refuses_is_impossible(engine) {
        let (services, app, mut pair) = Services::spawn(engine).await;
        services.refuses.store(true, Ordering::Relaxed);
        pair.approve().await;
        let erasure = pair.wait_for(|erasure| erasure["state"] != "open").await;
        assert_eq!(erasure["state"], "impossible", "{erasure}");
        assert_eq!(erasure["cause"], "The subscription to memeworld runs. End it first.");
        assert!(services.calls("DELETE").iter().all(|call| call.contains("/subscription/")), "a service erased before it");
        assert_eq!(app.texts("SELECT msisdn AS text FROM numbers").await, ["27812345678"]);
        assert_eq!(app.texts("SELECT action AS text FROM audit WHERE action = 'support.failed'").await.len(), 1);
    }

    async fn export_fails_where_one_service_does_not_answer(engine) {
        let (services, app, mut pair) = Services::spawn(engine).await;
        let path = format!("{}/export", pair.record);
        for format in ["json", "html"] {
            let order = json!({ "format": format, "reason": "asked for their data" });
            services.is_tt_silent.store(true, Ordering::Relaxed);
            let failed = pair.first.call("POST", &path, Some(order.clone())).await;
            assert_eq!(failed.status, 503, "{failed:?}");
            assert!(failed.json()["detail"].as_str().unwrap().contains("tt service"), "{failed:?}");
            services.is_tt_silent.store(false, Ordering::Relaxed);
            let made = pair.first.call("POST", &path, Some(order)).await;
            assert_eq!(made.status, 200, "{made:?}");
            assert!(made.header("content-disposition").contains(&format!("personal-data.{format}")));
        }
        assert_eq!(app.texts("SELECT action AS text FROM audit WHERE action = 'number.exported'").await.len(), 4);
        assert_eq!(app.texts("SELECT action AS text FROM audit WHERE action = 'support.failed'").await.len(), 2);
        // What is stored by its id is in words for the person.
        let request = pair.first.call("POST", &format!("{}/erasure", pair.record), Some(json!({ "reason": "asked for" }))).await;
        assert_eq!(request.status, 200, "{request:?}");
        let cause = r#"{"id":"erasure-silent","placeholders":[["services","tt"]]}"#;
        app.execute(&format!("UPDATE erasures SET cause = '{cause}'")).await.unwrap();
        let order = json!({ "format": "json", "reason": "asked for their data" });
        let made = pair.first.call("POST", &path, Some(order)).await;
        assert!(made.text.contains("No answer yet: tt.") && !made.text.contains("erasure-silent"), "{made:?}");
        let without = pair.first.call("POST", &path, Some(json!({ "format": "json", "reason": "x" }))).await;
        assert_eq!(without.status, 422);
    }
}

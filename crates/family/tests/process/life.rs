//! A visitor joins every brand and watches; what was promised survives a stop and a kill.

use std::process::Command;

use brands::{Brands, Kind};
use reqwest::{StatusCode, header};
use serde_json::{Value, json};
use testkit::{Client, Engine};

use crate::{Family, place, root};

/// A browser on one brand's host: the cookies it was given, and nothing else.
pub(crate) struct Browser<'a> {
    family: &'a Family,
    label: &'a str,
    cookies: Vec<String>,
    /// What the visitor's network adds to each request.
    headers: Vec<(&'static str, String)>,
}

impl<'a> Browser<'a> {
    pub(crate) fn new(family: &'a Family, label: &'a str) -> Self {
        Self { family, label, cookies: Vec::new(), headers: Vec::new() }
    }

    /// The same browser behind a network that adds these headers.
    pub(crate) fn behind(self, headers: &[(&'static str, &str)]) -> Self {
        Self { headers: headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect(), ..self }
    }

    fn host(&self) -> String {
        format!("{}.localhost:{}", self.label, self.family.port)
    }

    fn request(&self, method: &str, path: &str) -> reqwest::RequestBuilder {
        let address = format!("http://127.0.0.1:{}{path}", self.family.port);
        let request = testkit::client()
            .request(method.parse().unwrap(), address)
            .header(header::HOST, self.host())
            .header(header::COOKIE, self.cookies.join("; "));
        self.headers.iter().fold(request, |request, (name, value)| request.header(*name, value))
    }

    async fn send(&mut self, request: reqwest::RequestBuilder) -> reqwest::Response {
        let reply = request.send().await.unwrap();
        for cookie in reply.headers().get_all(header::SET_COOKIE) {
            let text = cookie.to_str().unwrap();
            assert!(text.contains("HttpOnly") && !text.to_lowercase().contains("domain="), "{text}");
            self.cookies.push(text.split(';').next().unwrap().to_owned());
        }
        reply
    }

    pub(crate) async fn json(&mut self, method: &str, path: &str, body: Value) -> Value {
        let request = self.request(method, path);
        let request = if body.is_null() { request } else { request.json(&body) };
        self.send(request).await.json().await.unwrap()
    }

    /// Joins as a visitor would: the form, the operator's Confirm, the way back, the check.
    pub(crate) async fn join(&mut self, svc_id: i32, msisdn: &str) {
        let body = json!({"msisdn": msisdn, "ext_ref": "banner", "channel": "WAP", "svc_id": svc_id});
        self.join_with(body, msisdn).await;
    }

    /// What the form offers in place of the page's price, where the number's network has another.
    pub(crate) async fn other_offers(&mut self, svc_id: i32, msisdn: &str) -> Value {
        let body = json!({"msisdn": msisdn, "ext_ref": "banner", "channel": "WAP", "svc_id": svc_id});
        let reply = self.json("POST", "/api/subscribe", body).await;
        assert_eq!(reply["result"], 3, "{reply}");
        reply["networks"].clone()
    }

    /// As `join`, by the button of a network.
    pub(crate) async fn join_on(&mut self, network: &str, svc_id: i32, msisdn: &str) {
        let body =
            json!({"msisdn": msisdn, "ext_ref": "banner", "channel": "WAP", "svc_id": svc_id, "network": network});
        self.join_with(body, msisdn).await;
    }

    async fn join_with(&mut self, body: Value, msisdn: &str) {
        let try_ = self.json("POST", "/api/subscribe", body).await;
        assert_eq!(try_["result"], 1, "{try_}");
        let id = try_["subscriptionId"].as_str().unwrap();
        let check = format!("/api/subscribe/check-sub?msisdn={msisdn}&subscription_id={id}");
        assert_eq!(self.json("GET", &check, Value::Null).await["result"], 0, "nothing is confirmed yet");

        let back = self.answer(try_["redirectUrl"].as_str().unwrap()).await;
        assert!(back.starts_with(&format!("http://{}/DoiRedirect?", self.host())), "{back}");
        assert!(back.contains(&format!("subscription_id={id}")) && back.contains("ext_ref=banner"), "{back}");

        let mut stranger = Browser::new(self.family, self.label);
        assert_eq!(stranger.json("GET", &check, Value::Null).await["result"], 1);
        assert!(
            !stranger.cookies.iter().any(|cookie| cookie.starts_with("session-")),
            "a browser that did not begin the join was given a session"
        );
        assert_eq!(self.json("GET", &check, Value::Null).await["result"], 1);
        assert!(self.cookies.iter().any(|cookie| cookie.starts_with(&format!("session-{}=", self.label))));
    }

    /// Confirms on a page of the network; where it redirects to.
    pub(crate) async fn answer(&self, page: &str) -> String {
        let confirm = testkit::client()
            .post(page.replace("localhost", "127.0.0.1"))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body("answer=confirm");
        let back = confirm.send().await.unwrap();
        assert_eq!(back.status(), StatusCode::SEE_OTHER);
        back.headers()[header::LOCATION].to_str().unwrap().to_owned()
    }

    /// Sends the join form; the reply.
    pub(crate) async fn begin_join(&mut self, svc_id: i32, msisdn: &str) -> Value {
        let body = json!({"msisdn": msisdn, "ext_ref": "banner", "channel": "WAP", "svc_id": svc_id});
        let reply = self.json("POST", "/api/subscribe", body).await;
        assert_eq!(reply["result"], 1, "{reply}");
        reply
    }

    /// Whether the network has confirmed a join.
    pub(crate) async fn check(&mut self, msisdn: &str, id: &str) -> i64 {
        let check = format!("/api/subscribe/check-sub?msisdn={msisdn}&subscription_id={id}");
        self.json("GET", &check, Value::Null).await["result"].as_i64().unwrap()
    }

    /// Joins and confirms, whether or not access opens at once.
    pub(crate) async fn confirm_join(&mut self, svc_id: i32, msisdn: &str) {
        let body = json!({"msisdn": msisdn, "ext_ref": "banner", "channel": "WAP", "svc_id": svc_id});
        let try_ = self.json("POST", "/api/subscribe", body).await;
        assert_eq!(try_["result"], 1, "{try_}");
        let page = try_["redirectUrl"].as_str().unwrap().replace("localhost", "127.0.0.1");
        let confirm = testkit::client()
            .post(page)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body("answer=confirm");
        assert_eq!(confirm.send().await.unwrap().status(), StatusCode::SEE_OTHER);
        let id = try_["subscriptionId"].as_str().unwrap();
        let check = format!("/api/subscribe/check-sub?msisdn={msisdn}&subscription_id={id}");
        self.json("GET", &check, Value::Null).await;
    }

    /// A page's or a reply's text, with its status.
    pub(crate) async fn text(&mut self, method: &str, path: &str, body: Value) -> (u16, String) {
        let request = self.request(method, path);
        let request = if body.is_null() { request } else { request.json(&body) };
        let reply = self.send(request).await;
        (reply.status().as_u16(), reply.text().await.unwrap())
    }

    /// Where an address redirects to.
    pub(crate) async fn location(&mut self, path: &str) -> String {
        let request = self.request("GET", path);
        let reply = self.send(request).await;
        assert_eq!(reply.status(), StatusCode::FOUND, "{path}");
        reply.headers()[header::LOCATION].to_str().unwrap().to_owned()
    }

    /// Leaves with the session.
    pub(crate) async fn leave(&mut self, svc_id: i32) {
        let reply = self.json("POST", "/api/subscribe/unsubscribe", json!({ "svc_id": svc_id })).await;
        assert_eq!(reply, json!({ "state": "cancelled" }));
    }

    /// The session's subscription.
    pub(crate) async fn me(&mut self) -> Value {
        self.json("GET", "/api/subscribe/me", Value::Null).await
    }

    pub(crate) async fn is_in(&mut self) -> bool {
        let request = self.request("GET", "/api/subscribe/me");
        let reply = self.send(request).await;
        reply.status() == 200 && reply.json::<Value>().await.unwrap()["state"] == "active"
    }
}

/// The address of the first video of a brand.
pub(crate) async fn first_video(browser: &mut Browser<'_>, kind: Kind, service: &str) -> String {
    let found = match kind {
        Kind::Comedy => browser.json("GET", "/api/madfunny/fetchVideos/1", Value::Null).await[0].clone(),
        Kind::Diski => browser.json("GET", "/api/diski/fetchVideos/1", Value::Null).await[0].clone(),
        Kind::Tt => {
            let rows = browser.json("GET", &format!("/api/tt/getcatvideos/{service}"), Value::Null).await;
            browser.json("GET", &format!("/api/tt/ttsinglevideo/{}", rows[0]["videos"][0]["id"]), Value::Null).await
        }
        Kind::Meme => panic!("memes are no videos"),
    };
    found["vurl"].as_str().unwrap().to_owned()
}

/// What a brand site sends to like a meme.
fn like(id: i64, msisdn: &str) -> Value {
    json!({"like": "1", "created": "2026-11-21 08:00:00", "updated": "2026-11-21 08:00:00", "id": id, "ani": msisdn})
}

/// A session whose subscription has ended likes nothing, takes no like back and reads nothing of its own.
async fn is_over(browser: &mut Browser<'_>, id: i64, msisdn: &str) {
    for (method, path) in [("POST", "/api/meme/postlike"), ("DELETE", "/api/meme/unlike")] {
        let request = browser.request(method, path).json(&like(id, msisdn));
        assert_eq!(browser.send(request).await.status(), 401, "{method} {path}");
    }
    assert_eq!(browser.json("GET", "/api/meme/mine", Value::Null).await, json!({"liked": []}));
}

pub(crate) async fn watches(browser: &mut Browser<'_>, vurl: &str) {
    let file = std::fs::read(root().join("deploy/demo").join(vurl.trim_start_matches('/'))).unwrap();
    let range = |browser: &Browser<'_>| browser.request("GET", vurl).header(header::RANGE, "bytes=1000-1999");

    let mut stranger = Browser::new(browser.family, browser.label);
    for request in [stranger.request("GET", vurl), range(&stranger), stranger.request("HEAD", vurl)] {
        let reply = stranger.send(request).await;
        assert_eq!(reply.status(), 401);
        let body = reply.bytes().await.unwrap();
        assert!(body.is_empty() || serde_json::from_slice::<Value>(&body).unwrap()["status"] == 401);
    }

    let whole = browser.request("GET", vurl);
    let whole = browser.send(whole).await;
    assert_eq!(
        (whole.status(), &whole.headers()[header::CONTENT_TYPE]),
        (StatusCode::OK, &"video/mp4".parse().unwrap())
    );
    assert_eq!(whole.bytes().await.unwrap(), file);
    let part = range(browser);
    let part = browser.send(part).await;
    assert_eq!(part.status(), 206);
    assert_eq!(part.bytes().await.unwrap(), file[1000..2000]);
}

testkit::on_each_engine! {
    async fn on_every_brand_a_visitor_joins_and_watches_or_likes(engine) {
        let (home, store) = place(engine).await;
        let family = Family::start(home.path(), &store).await;
        let brands = Brands::load(&root().join("deploy/brands.toml")).unwrap();
        for (number, brand) in brands.iter().enumerate() {
            for (place, label) in brand.labels.iter().enumerate() {
                let mut browser = Browser::new(&family, label);
                browser.join(brand.svc_id, &format!("278123450{number}{}", place + 8)).await;
                assert!(browser.is_in().await, "{label}");
                if brand.kind != Kind::Meme {
                    let vurl = first_video(&mut browser, brand.kind, &brand.service).await;
                    watches(&mut browser, &vurl).await;
                    // The same cookies on another brand's host prove nothing.
                    let elsewhere = if *label == "diski99" { "mcfunny" } else { "diski99" };
                    let mut carried = Browser { family: &family, label: elsewhere, cookies: browser.cookies.clone(), headers: Vec::new() };
                    let request = carried.request("GET", &vurl);
                    assert_eq!(carried.send(request).await.status(), 401, "{label} on {elsewhere}");
                }
            }
        }
        let inbox = testkit::client().get(format!("http://127.0.0.1:{}/inbox/27812345008", family.port + 10)).send().await.unwrap();
        assert!(inbox.text().await.unwrap().contains("STOP"), "the welcome SMS says how to stop");
        assert_eq!(family.end("INT"), Some(0));
    }

    async fn acknowledged_writes_survive_a_stop_and_a_kill(engine) {
        let (home, store) = place(engine).await;
        let family = Family::start(home.path(), &store).await;
        let mut browser = Browser::new(&family, "memeworld");
        browser.join(150, "0812345018").await;
        let memes = browser.json("GET", "/api/meme/random?limit=2", Value::Null).await;
        let ids = [memes[0]["id"].as_i64().unwrap(), memes[1]["id"].as_i64().unwrap()];
        let like = |id| like(id, "0812345018");
        assert_eq!(browser.json("POST", "/api/meme/postlike", like(ids[0])).await["liked"], true);
        let cookies = browser.cookies.clone();
        assert_eq!(family.end("INT"), Some(0));

        let family = Family::start(home.path(), &store).await;
        let mut browser = Browser { family: &family, label: "memeworld", cookies: cookies.clone(), headers: Vec::new() };
        assert!(browser.is_in().await, "still in after a stop");
        assert_eq!(browser.json("POST", "/api/meme/postlike", like(ids[1])).await["liked"], true);
        family.end("KILL");

        let family = Family::start(home.path(), &store).await;
        let mut browser = Browser { family: &family, label: "memeworld", cookies, headers: Vec::new() };
        assert!(browser.is_in().await, "still in after a kill");
        let mut expected = ids;
        expected.sort_unstable();
        assert_eq!(browser.json("GET", "/api/meme/mine", Value::Null).await, json!({"liked": expected}));
        assert_eq!(family.end("INT"), Some(0));
    }

    async fn session_stays_invalid_after_a_leave_and_a_rejoin(engine) {
        let (home, store) = place(engine).await;
        let family = Family::start(home.path(), &store).await;
        let number = "27812345028";
        let mut left = Browser::new(&family, "memeworld");
        left.join(150, number).await;
        let memes = left.json("GET", "/api/meme/random?limit=2", Value::Null).await;
        let [first, second] = [0, 1].map(|at| memes[at]["id"].as_i64().unwrap());
        assert_eq!(left.json("POST", "/api/meme/postlike", like(first, number)).await["liked"], true);
        let reply = left.json("POST", "/api/subscribe/unsubscribe", json!({"svc_id": 150})).await;
        assert_eq!(reply, json!({"state": "cancelled"}));
        is_over(&mut left, second, number).await;

        let mut back = Browser::new(&family, "memeworld");
        back.join(150, number).await;
        assert_eq!(back.json("POST", "/api/meme/postlike", like(second, number)).await["liked"], true);
        is_over(&mut left, second, number).await;
        let me = left.request("GET", "/api/subscribe/me");
        assert_eq!(left.send(me).await.status(), 401, "the session from before the leave");
        let mut liked = [first, second];
        liked.sort_unstable();
        assert_eq!(back.json("GET", "/api/meme/mine", Value::Null).await, json!({"liked": liked}));
        assert_eq!(family.end("INT"), Some(0));
    }

    async fn test_number_joins_without_consent_and_is_not_billed(engine) {
        let (home, store) = place(engine).await;
        let family = Family::start(home.path(), &store).await;
        let mut browser = Browser::new(&family, "ttmbhatv");
        let body = json!({"msisdn": "27600000000", "svc_id": 152});
        let request = browser.request("POST", "/api/session/test").json(&body);
        assert!(browser.send(request).await.status().is_success());
        assert!(browser.is_in().await);
        let vurl = first_video(&mut browser, Kind::Tt, "ttmbhatv").await;
        watches(&mut browser, &vurl).await;
        let today = (chrono::Utc::now() + chrono::TimeDelta::hours(2)).date_naive();
        let charges = testkit::client().get(format!("http://127.0.0.1:{}/charges?day={}", family.port + 10, today));
        assert_eq!(charges.send().await.unwrap().json::<Value>().await.unwrap(), json!([]));
    }
}

#[actix_web::test]
async fn start_with_an_empty_demo_manifest_imports_nothing() {
    let (home, store) = place(Engine::Sqlite).await;
    let empty = |command: &mut Command| {
        command.env("DEMO_MANIFEST", "");
    };
    let family = Family::start_with(home.path(), &store, empty).await;
    let site = Client::new(([127, 0, 0, 1], family.port).into(), "mcfunny.localhost");
    assert_eq!(site.get_ok("/api/madfunny/fetchArtist?service=MC%20Funny").await, json!([]));
    let site = site.on_host("memeworld.localhost");
    assert_eq!(site.get_ok("/api/meme/random").await, json!([]));
    assert_eq!(family.end("INT"), Some(0));
}

//! Previews: what a call answers with the token of a signed link.

use chrono::Duration;
use serde_json::{Value, json};
use service::{Preview, SigningKey, timestamp};
use testkit::{Engine, Reply};

use crate::{App, manifest, spawn_with_staff};

const LIST: &str = "/api/madfunny/fetchArtist?service=madfunny";

struct Previewed {
    app: App,
    key: SigningKey,
}

impl Previewed {
    async fn start(engine: Engine) -> Self {
        let key = SigningKey::parse(&SigningKey::generate().unwrap()).unwrap();
        let app = spawn_with_staff(engine, Some(key.public_key())).await;
        app.import(&manifest("a", 2)).await;
        Self { app, key }
    }

    async fn stage(&self, kind: &str, record: Value) -> (u16, Value) {
        let order = json!({ "service": "madfunny", "record": record });
        let reply = self.app.client.post_as_admin(&format!("/internal/previews/{kind}"), &order).await;
        (reply.status, reply.json())
    }

    fn token(&self, staged: &Value, catalogue: &str, service: &str, seconds: i64) -> String {
        let text = |value: &str| value.to_owned();
        let preview = Preview {
            preview: staged["import"].as_i64().unwrap(),
            catalogue: text(catalogue),
            service: text(service),
            page: text("/"),
            until: (timestamp::now() + Duration::seconds(seconds)).and_utc().timestamp(),
        };
        preview.sign(&self.key).unwrap()
    }

    async fn get(&self, token: &str, path: &str) -> Reply {
        let request = self.app.client.request(Default::default(), path).header("x-preview", token);
        self.app.client.send(request).await
    }
}

fn artist(slug: &str, name: &str) -> Value {
    json!({ "slug": slug, "artist": name, "description": "", "image": "https://images.spaza.example/n.webp", "state": "listed" })
}

testkit::on_each_engine! {
    async fn reply_with_a_token_shows_the_record_and_leaves_no_trace(engine) {
        let previewed = Previewed::start(engine).await;
        let client = &previewed.app.client;
        let before = client.get(LIST).await;
        let mut record = artist("new-one", "New One");
        record["publish_at"] = json!("2999-01-01 00:00:00");
        record["description.zu"] = json!("Omusha");
        let (status, staged) = previewed.stage("artist", record).await;
        assert_eq!(status, 200, "{staged}");
        assert_eq!((&staged["service"], &staged["site"]), (&json!("MC Funny"), &json!("http://mcfunny.localhost:8080")));
        let token = previewed.token(&staged, "comedy", "MC Funny", 60);
        for _ in 0..3 {
            let reply = previewed.get(&token, LIST).await;
            assert_eq!((reply.status, reply.header("cache-control"), reply.header("etag")), (200, "no-store", ""));
            let list = reply.json();
            assert_eq!((list.as_array().unwrap().len(), &list[2]["artist"]), (3, &json!("New One")));
            assert_eq!(staged["page"], format!("/allvideos/{}/MC%20Funny/1", list[2]["id"]), "its id stays the same");
            let public = client.get(LIST).await;
            assert_eq!((public.bytes, public.headers["etag"].clone()), (before.bytes.clone(), before.headers["etag"].clone()));
        }
        let zulu = client.request(Default::default(), LIST).header("x-preview", &token).header("accept-language", "zu");
        assert_eq!(client.send(zulu).await.json()[2]["description"], "Omusha");
        let search = "/api/madfunny/search/madfunny?q=new%20one";
        assert_eq!(previewed.get(&token, search).await.json()[0]["artist"], "New One");
        assert_eq!(client.get_ok(search).await, json!([]));
        // A later record gets the id that it would have had.
        let last = before.json()[1]["id"].as_i64().unwrap();
        let order = json!({ "service": "madfunny", "record": artist("later", "Later"), "base": null });
        let request = client.request("PUT".parse().unwrap(), "/internal/records/artist").bearer_auth(testkit::ADMIN_TOKEN);
        let reply = client.send(request.json(&order)).await;
        assert_eq!((reply.status, reply.json()["id"].as_i64().unwrap()), (200, last + 1));
        let history = client.request(Default::default(), "/internal/records/artist/later?service=madfunny");
        let history = client.send(history.bearer_auth(testkit::ADMIN_TOKEN)).await.json();
        assert_eq!(history["events"].as_array().unwrap().len(), 1, "{history}");
    }

    async fn token_is_refused_after_its_time_elsewhere_and_from_another_key(engine) {
        let previewed = Previewed::start(engine).await;
        let (_, staged) = previewed.stage("artist", artist("quiet-one", "Renamed")).await;
        let good = previewed.token(&staged, "comedy", "MC Funny", 60);
        assert!(String::from_utf8_lossy(&previewed.get(&good, LIST).await.bytes).contains("Renamed"));
        let stranger = Previewed { key: SigningKey::parse(&SigningKey::generate().unwrap()).unwrap(), ..previewed };
        let forged = stranger.token(&staged, "comedy", "MC Funny", 60);
        assert_eq!(stranger.get(&forged, LIST).await.status, 403);
        for token in ["", "x"] {
            assert_eq!(stranger.get(token, LIST).await.status, 403, "{token}");
        }
    }

    async fn token_of_another_service_or_time_is_403(engine) {
        let previewed = Previewed::start(engine).await;
        let (_, staged) = previewed.stage("artist", artist("quiet-one", "Renamed")).await;
        for (catalogue, service, seconds) in [("diski", "MC Funny", 60), ("comedy", "diski99", 60), ("comedy", "MC Funny", -1)] {
            let token = previewed.token(&staged, catalogue, service, seconds);
            let reply = previewed.get(&token, LIST).await;
            assert_eq!(reply.status, 403, "{catalogue} {service} {seconds}");
            assert!(!String::from_utf8_lossy(&reply.bytes).contains("Renamed"));
        }
    }

    async fn record_that_cannot_be_shown_is_refused_with_its_reason(engine) {
        let previewed = Previewed::start(engine).await;
        let video = json!({
            "slug": "lost", "parent": "nobody", "video_name": "Lost", "media": "mcfunny/a.mp4", "image": "https://a/b",
            "datetime": "2026-03-05 18:30:00", "duration_s": 8, "bytes": 1, "state": "listed"
        });
        let (status, reply) = previewed.stage("video", video).await;
        assert_eq!((status, reply["detail"].as_str().unwrap().contains("nobody")), (422, true), "{reply}");
        let mut gone = artist("quiet-one", "Gone");
        gone["state"] = json!("deleted");
        assert_eq!(previewed.stage("artist", gone).await.0, 409);
        assert_eq!(previewed.stage("meme", artist("a", "A")).await.0, 422);
        let reply = previewed.app.client.post("/internal/previews/artist", &json!({})).await;
        assert_eq!(reply.status, 401, "without a token");
    }
}

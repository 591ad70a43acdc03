//! `POST /api/subscribe/saving-key`: the key of saved films.

use serde_json::json;
use testkit::{Client, on_each_engine};

use crate::services::{MEME, Options, number, spawn, spawn_with};

const KEY: &str = "/api/subscribe/saving-key";

on_each_engine! {
    async fn key_belongs_to_one_browser_and_subscription_until_that_ends(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let browser = services.joined("memeworld", MEME, &msisdn).await;
        let reply = browser.post(KEY, &json!({})).await;
        assert_eq!((reply.status, reply.header("cache-control")), (200, "no-store"));
        assert!(reply.header("set-cookie").starts_with("device=") && reply.header("set-cookie").contains("HttpOnly"));
        let first = reply.json();
        assert_eq!((first["key"].as_str().unwrap().len(), first["valid_seconds"].as_i64()), (44, Some(172_800)));
        assert_eq!(browser.post(KEY, &json!({})).await.json(), first, "the same for each call");

        // Another browser with a session of the same number, and another number.
        let other = Client::new(services.addr, "memeworld").with_session(MEME, &msisdn);
        assert_ne!(other.post(KEY, &json!({})).await.json()["key"], first["key"]);
        let stranger = services.joined("memeworld", MEME, &number("1111")).await;
        assert_ne!(stranger.post(KEY, &json!({})).await.json()["key"], first["key"]);

        let set_state = async |state: &str| {
            services.execute(format!("UPDATE subscriptions SET state = '{state}' WHERE msisdn = '{msisdn}'")).await;
        };
        set_state("suspended").await;
        assert_eq!(browser.post(KEY, &json!({})).await.status, 403);
        set_state("active").await;
        assert_eq!(browser.post(KEY, &json!({})).await.json(), first);

        // A leave in another browser.
        assert_eq!(other.post("/api/subscribe/unsubscribe", &json!({"svc_id": MEME})).await.status, 200);
        assert_eq!(browser.post(KEY, &json!({})).await.status, 401);
        let again = services.joined("memeworld", MEME, &msisdn).await;
        assert_eq!(browser.post(KEY, &json!({})).await.status, 401, "the earlier session stays dead");
        let again = again.post(KEY, &json!({})).await;
        assert_eq!(again.status, 200);
        assert_ne!(again.json()["key"], first["key"]);
    }

    async fn key_needs_a_session_and_the_test_number_has_one(engine) {
        let test = "27600000000";
        let services = spawn_with(engine, Options { test_msisdn: Some(test), operator_down: true, ..Options::default() }).await;
        let browser = services.browser("memeworld");
        assert_eq!(browser.post(KEY, &json!({})).await.status, 401);
        browser.post("/api/session/test", &json!({"msisdn": test, "svc_id": MEME})).await;
        let key = browser.post(KEY, &json!({})).await.json();
        assert_eq!(browser.post(KEY, &json!({})).await.json(), key);
        // Signed, but of a number that never joined.
        let unknown = Client::new(services.addr, "memeworld").with_session(MEME, &number("1111"));
        assert_eq!(unknown.post(KEY, &json!({})).await.status, 401);
    }
}

//! The test number: active everywhere, never billed, and off unless it is set.

use serde_json::json;
use testkit::on_each_engine;

use crate::services::{MEME, Options, PULL, spawn, spawn_with};

const TEST: &str = "27600000000";
const OPEN: &str = "/api/session/test";

on_each_engine! {
    async fn test_number_gets_session_without_the_network(engine) {
        let services = spawn_with(engine, Options { test_msisdn: Some(TEST), operator_down: true, ..Options::default() }).await;
        let browser = services.browser("memeworld");
        let reply = browser.post(OPEN, &json!({"msisdn": "0600000000", "svc_id": MEME})).await;
        assert_eq!((reply.status, reply.header("cache-control")), (200, "no-store"));
        assert!(browser.has_session());
        let me = browser.get("/api/subscribe/me").await.json();
        assert_eq!((me["state"].as_str(), me["total_cents"].as_i64(), me["next_charge"].is_null()), (Some("active"), Some(0), true));
        assert_eq!(browser.try_to_join(TEST, MEME).await.json(), json!({"result": 2}));
        for (body, status) in [
            (json!({"msisdn": "0812345678", "svc_id": MEME}), 403),
            (json!({"msisdn": TEST, "svc_id": 152}), 422),
            (json!({"msisdn": "nonsense", "svc_id": MEME}), 422),
        ] {
            assert_eq!(services.browser("memeworld").post(OPEN, &body).await.status, status, "{body}");
        }
        // No event makes it a paying subscription.
        let event = json!({"event": "opt_in", "kind": "opt_in", "reference": "r", "user_msisdn": TEST, "svc_id": MEME, "status": "confirmed"});
        assert_eq!(services.notify(PULL, "m1", &event).await.status, 200);
        assert_eq!(services.count("subscriptions", "1 = 1").await, 0);
        // It can leave like any other number.
        let reply = browser.post("/api/subscribe/unsubscribe", &json!({"svc_id": MEME})).await;
        assert_eq!(reply.json(), json!({"state": "cancelled"}));
        assert!(!browser.has_session());
    }

    async fn test_number_without_setting_is_an_ordinary_number(engine) {
        let on = spawn_with(engine, Options { test_msisdn: Some(TEST), operator_down: true, ..Options::default() }).await;
        let browser = on.browser("memeworld");
        browser.post(OPEN, &json!({"msisdn": TEST, "svc_id": MEME})).await;
        let services = spawn(engine).await;
        assert_eq!(services.browser("memeworld").post(OPEN, &json!({"msisdn": TEST, "svc_id": MEME})).await.status, 404);
        assert_eq!(services.browser("memeworld").try_to_join(TEST, MEME).await.json()["result"], 1);
        assert_eq!(browser.with_cookies_on(&services, "memeworld").get("/api/subscribe/me").await.status, 401);
    }
}

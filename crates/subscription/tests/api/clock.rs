//! `POST /internal/clock`: moves forward, and only with TEST_CLOCK.

use serde_json::json;
use testkit::{Client, on_each_engine};

use crate::{
    ledger::NOON,
    services::{Options, spawn, spawn_with},
};

const CLOCK: &str = "/internal/clock";

on_each_engine! {
    async fn clock_moves_forward_only(engine) {
        let services = spawn(engine).await;
        let reply = services.admin(CLOCK, &json!({"now": NOON})).await;
        assert_eq!(reply.status, 200);
        assert!(reply.json()["now"].as_str().unwrap().starts_with("2060-02-27T1"), "{:?}", reply.json());
        for (now, status) in [("2060-02-27T11:00:00+02:00", 422), ("2026-01-01T00:00:00Z", 422), ("soon", 400)] {
            assert_eq!(services.admin(CLOCK, &json!({"now": now})).await.status, status, "{now}");
        }
        let client = Client::new(services.addr, "localhost");
        assert_eq!(client.post(CLOCK, &json!({"now": "2060-03-01T00:00:00Z"})).await.status, 401);
    }

    async fn clock_without_test_clock_is_404(engine) {
        let services = spawn_with(engine, Options { settings: Some(|config| config.test_clock = false), ..Options::default() }).await;
        assert_eq!(services.admin(CLOCK, &json!({"now": NOON})).await.status, 404);
    }
}

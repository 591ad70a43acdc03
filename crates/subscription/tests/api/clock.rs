//! `POST /internal/clock`: forward, and only where tests may.

use serde_json::json;
use testkit::{Client, on_each_engine};

use crate::{
    books::NOON,
    family::{Wishes, spawn, spawn_with},
};

const CLOCK: &str = "/internal/clock";

on_each_engine! {
    async fn it_moves_forward_and_never_back(engine) {
        let family = spawn(engine).await;
        let reply = family.admin(CLOCK, &json!({"now": NOON})).await;
        assert_eq!(reply.status, 200);
        assert!(reply.json()["now"].as_str().unwrap().starts_with("2060-02-27T1"), "{:?}", reply.json());
        for (now, status) in [("2060-02-27T11:00:00+02:00", 422), ("2026-01-01T00:00:00Z", 422), ("soon", 400)] {
            assert_eq!(family.admin(CLOCK, &json!({"now": now})).await.status, status, "{now}");
        }
        let client = Client::new(family.addr, "localhost");
        assert_eq!(client.post(CLOCK, &json!({"now": "2060-03-01T00:00:00Z"})).await.status, 401);
    }

    async fn where_it_is_fixed_it_stays(engine) {
        let family = spawn_with(engine, Wishes { settings: Some(|config| config.test_clock = false), ..Wishes::default() }).await;
        assert_eq!(family.admin(CLOCK, &json!({"now": NOON})).await.status, 404);
    }
}

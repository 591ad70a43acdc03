//! The network's clock, which tests may move.

use serde_json::json;
use testkit::{Client, on_each_engine};

use crate::network::{TT, config, spawn};

on_each_engine! {
    async fn it_moves_forward_and_days_with_it(engine) {
        let network = spawn(engine).await;
        let to = json!({"now": "2031-12-31T23:50:00+02:00"});
        let moved = network.client().post_as_admin("/internal/clock", &to).await;
        assert_eq!(moved.status, 200);
        assert!(moved.json()["now"].as_str().unwrap().starts_with("2031-12-31T21:5"), "{}", moved.json());
        assert_eq!(network.client().post_as_admin("/internal/clock", &json!({"now": "2032-01-01T00:00:00+02:00"})).await.status, 200);
        network.joined("0812341111", TT).await;
        let received = network.receiver.receives(2).await;
        assert!(received[0].body["created_at"].as_str().unwrap().starts_with("2031-12-31T22:0"), "{}", received[0].body);
        assert_eq!(network.charges("2032-01-01").await.len(), 1);
        assert_eq!(network.client().post_as_admin("/internal/clock", &to).await.status, 422, "never back");
        assert_eq!(network.client().post_as_admin("/internal/clock", &json!({"now": "tomorrow"})).await.status, 400);
        assert_eq!(network.client().post("/internal/clock", &to).await.status, 401);
    }

    async fn it_stands_fixed_where_tests_do_not_run(engine) {
        let network = spawn(engine).await;
        let fixed = operator_sandbox::Config { test_clock: false, ..config(&network.place, network.receiver_addr) };
        let running = operator_sandbox::start(fixed).await.unwrap();
        let to = json!({"now": "2031-12-31T23:59:30+02:00"});
        assert_eq!(Client::new(running.addr, "x").post_as_admin("/internal/clock", &to).await.status, 404);
    }
}

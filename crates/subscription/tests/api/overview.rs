//! The day at a glance, which staff see.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{ADMIN_TOKEN, on_each_engine};

use crate::{
    ledger::{DAY, NEXT, NOON},
    services::{MEME, PULL, PUSH, TT, TestServices, eventually, number, spawn},
};

impl TestServices {
    async fn overview(&self) -> Value {
        let reply = self.call(Method::GET, "/internal/overview", ADMIN_TOKEN, None).await;
        assert_eq!(reply.status, 200);
        reply.json()
    }
}

on_each_engine! {
    async fn overview_has_the_moves_and_the_money_of_the_day_and_what_waits(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let empty = services.overview().await;
        let of_day = |day: &str| json!({"day": day, "joins": 0, "leaves": 0, "charged_cents": 0, "given_back_cents": 0, "charges": 0, "failed": 0, "open": 0});
        assert_eq!(empty["days"][0], of_day(DAY));
        assert_eq!(empty["hours"], json!([]));

        // Two join and are charged at noon, one of them leaves; one joins and cannot pay.
        let (stays, goes, poor) = (number("1111"), number("1112"), number("0003"));
        services.joined("memeworld", MEME, &stays).await;
        let browser = services.joined("ttmbhatv", TT, &goes).await;
        services.wait_for_charge(DAY, &stays, "settled").await;
        let charge = services.wait_for_charge(DAY, &goes, "settled").await;
        services.joined("memeworld", MEME, &poor).await;
        services.wait_for_charge(DAY, &poor, "failed").await;
        assert_eq!(browser.post("/api/subscribe/unsubscribe", &json!({"svc_id": TT})).await.status, 200);
        let order = json!({"ledger_id": charge.id, "reason": "requested"});
        assert_eq!(services.admin("/internal/refund", &order).await.status, 200);
        eventually("the refund", async || {
            services.count("ledger", "kind = 'refund' AND status = 'settled'").await == 1
        }).await;
        // Counted every five minutes.
        services.set_clocks(&format!("{DAY}T13:10:00+02:00")).await;
        let mut overview = Value::Null;
        eventually("the day is counted", async || {
            overview = services.overview().await;
            overview["days"][0]["given_back_cents"] == 300 && overview["services"].as_array().is_some_and(|all| !all.is_empty())
        }).await;
        let expected = json!({"day": DAY, "joins": 3, "leaves": 1, "charged_cents": 600, "given_back_cents": 300, "charges": 2, "failed": 1, "open": 0});
        assert_eq!(overview["days"][0], expected);
        assert_eq!(overview["hours"], json!([{"hour": 12, "charged_cents": 600, "given_back_cents": 300}]));
        assert_eq!(overview["days"].as_array().unwrap().len(), 3);
        let network = |name: &str| overview["networks"].as_array().unwrap().iter().find(|network| network["network"] == name).unwrap().clone();
        for name in [PULL, PUSH] {
            assert_eq!((&network(name)["paused"], &network(name)["unknown"]), (&json!(false), &json!(0)), "{name}");
        }

        // Yesterday's figures are yesterday's, and what does not work is named.
        services.execute("UPDATE outbox SET done_at = NULL, dead_at = next_at WHERE id = (SELECT MIN(id) FROM outbox)".to_owned()).await;
        services.set_clocks(&format!("{NEXT}T07:00:00+02:00")).await;
        let mut next = Value::Null;
        eventually("the next day is counted", async || {
            next = services.overview().await;
            next["days"][1]["day"] == DAY && next["counted_at"].is_string()
        }).await;
        assert_eq!(next["days"][1]["joins"], 3);
        assert_eq!(next["days"][0]["joins"], 0);
        assert!(next["messages"].as_array().unwrap().iter().any(|kind| kind["dead"] == 1), "{next}");
    }
}

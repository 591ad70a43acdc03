//! `GET /internal/subscriptions/{msisdn}`: the operators' view.

use serde_json::json;
use testkit::{Client, away_from_midnight, on_each_engine};

use crate::{
    books::{DAY, NOON},
    family::{MEME, TT, eventually, number, spawn},
};

on_each_engine! {
    async fn the_operators_see_a_numbers_history(engine) {
        away_from_midnight().await;
        let family = spawn(engine).await;
        family.joined("ttmbhatv", TT, "27812345678").await;
        eventually("the charge", async || family.account("27812345678").await["month_spend_cents"] == 300).await;
        let mut account = family.account("0812345678").await;
        let [messages, charges, consents] = [
            account["messages"].take(),
            account["subscriptions"][0]["charges"].take(),
            account["subscriptions"][0]["consents"].take(),
        ];
        insta::assert_json_snapshot!("account", account, {
            ".subscriptions[].since" => "[time]",
            ".subscriptions[].events[].at" => "[time]",
        });
        assert_eq!((charges.as_array().unwrap().len(), consents.as_array().unwrap().len()), (1, 1));
        for (name, value) in [("kind", json!("charge")), ("cents", json!(300)), ("status", json!("settled")), ("reason", json!(""))] {
            assert_eq!(charges[0][name], value, "{name}");
        }
        assert_eq!((&consents[0]["kind"], &consents[0]["status"]), (&json!("opt_in"), &json!("confirmed")));
        assert_eq!((&messages[0]["kind"], &messages[0]["network"]), (&json!("sms"), &json!("sandbox-push")));
        assert!(messages[0]["text"].as_str().unwrap().starts_with("Welcome"), "{messages}");
    }

    async fn a_refund_counts_for_the_month_once_it_is_made(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        let msisdn = number("1111");
        family.joined("memeworld", MEME, &msisdn).await;
        let charge = family.wait_for_charge(DAY, &msisdn, "settled").await;
        Client::new(family.sandbox, "localhost").post_as_admin("/internal/outage", &json!({"seconds": 600})).await;
        let refund = json!({"ledger_id": charge.id, "reason": "asked for", "made_by": "thandi"});
        assert_eq!(family.admin("/internal/refund", &refund).await.status, 200);
        let account = family.account(&msisdn).await;
        let entry = &account["subscriptions"][0]["charges"][0];
        assert_eq!((&entry["kind"], &entry["status"], &entry["made_by"]), (&json!("refund"), &json!("pending"), &json!("thandi")));
        assert_eq!(account["month_spend_cents"], 300, "nothing was given back yet");
        Client::new(family.sandbox, "localhost").post_as_admin("/internal/outage", &json!({"seconds": 0})).await;
        eventually("the refund", async || family.account(&msisdn).await["month_spend_cents"] == 0).await;
    }

    async fn nobody_else_does(engine) {
        let family = spawn(engine).await;
        let client = Client::new(family.addr, "memeworld");
        assert_eq!(client.get("/internal/subscriptions/27812345678").await.status, 401);
        let request = client.request(reqwest::Method::GET, "/internal/subscriptions/27812345678").bearer_auth("wrong");
        assert_eq!(client.send(request).await.status, 401);
    }

    async fn the_consent_is_kept_with_the_event(engine) {
        let family = spawn(engine).await;
        let browser = family.joined("ttmbhatv", TT, "27812345678").await;
        let kept = format!("cause = 'confirmed' AND evidence LIKE '%{}%' AND evidence LIKE '%terms_version%'", browser.address);
        assert_eq!(family.count("events", &kept).await, 1);
        assert_eq!(family.count("events", "evidence LIKE '%a test''s browser%' AND evidence LIKE '%ad 7&x=1%'").await, 2);
    }
}

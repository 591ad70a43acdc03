//! `GET /internal/subscriptions/{msisdn}`: a number's account.

use serde_json::json;
use testkit::{Client, away_from_midnight, on_each_engine};

use crate::{
    ledger::{DAY, NOON},
    services::{MEME, TT, eventually, number, spawn},
};

on_each_engine! {
    async fn get_account_returns_the_whole_history(engine) {
        away_from_midnight().await;
        let services = spawn(engine).await;
        services.joined("ttmbhatv", TT, "27812345678").await;
        eventually("the charge", async || services.account("27812345678").await["month_spend_cents"] == 300).await;
        let mut account = services.account("0812345678").await;
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

    async fn refund_reduces_month_spend_once_settled(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        let charge = services.wait_for_charge(DAY, &msisdn, "settled").await;
        Client::new(services.sandbox, "localhost").post_as_admin("/internal/outage", &json!({"seconds": 600})).await;
        let refund = json!({"ledger_id": charge.id, "reason": "asked for", "made_by": "thandi"});
        assert_eq!(services.admin("/internal/refund", &refund).await.status, 200);
        let account = services.account(&msisdn).await;
        let entry = &account["subscriptions"][0]["charges"][0];
        assert_eq!((&entry["kind"], &entry["status"], &entry["made_by"]), (&json!("refund"), &json!("pending"), &json!("thandi")));
        assert_eq!(account["month_spend_cents"], 300, "nothing was given back yet");
        Client::new(services.sandbox, "localhost").post_as_admin("/internal/outage", &json!({"seconds": 0})).await;
        eventually("the refund", async || services.account(&msisdn).await["month_spend_cents"] == 0).await;
    }

    async fn get_account_needs_the_admin_token(engine) {
        let services = spawn(engine).await;
        let client = Client::new(services.addr, "memeworld");
        assert_eq!(client.get("/internal/subscriptions/27812345678").await.status, 401);
        let request = client.request(reqwest::Method::GET, "/internal/subscriptions/27812345678").bearer_auth("wrong");
        assert_eq!(client.send(request).await.status, 401);
    }

    async fn consent_evidence_is_stored_with_the_event(engine) {
        let services = spawn(engine).await;
        let browser = services.joined("ttmbhatv", TT, "27812345678").await;
        let kept = format!("cause = 'confirmed' AND evidence LIKE '%{}%' AND evidence LIKE '%terms_version%'", browser.address);
        assert_eq!(services.count("events", &kept).await, 1);
        assert_eq!(services.count("events", "evidence LIKE '%a test''s browser%' AND evidence LIKE '%ad 7&x=1%'").await, 2);
    }
}

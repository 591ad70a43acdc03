//! `GET /internal/subscriptions/{msisdn}`: the operators' view.

use testkit::{Client, away_from_midnight, on_each_engine};

use crate::family::{TT, eventually, spawn};

on_each_engine! {
    async fn the_operators_see_a_numbers_history(engine) {
        away_from_midnight().await;
        let family = spawn(engine).await;
        family.joined("ttmbhatv", TT, "27812345678").await;
        eventually("the charge", async || family.account("27812345678").await["month_spend_cents"] == 300).await;
        insta::assert_json_snapshot!("account", family.account("0812345678").await, {
            ".subscriptions[].since" => "[time]",
            ".subscriptions[].events[].at" => "[time]",
        });
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

//! `GET /api/subscribe/me`: a session's own subscription.

use testkit::{Client, on_each_engine};

use crate::{
    ledger::{DAY, NEXT, NOON},
    services::{MEME, Options, eventually, number, spawn, spawn_with},
};

on_each_engine! {
    async fn me_returns_state_price_and_total(engine) {
        let services = spawn(engine).await;
        let browser = services.joined("memeworld", MEME, "27812345678").await;
        eventually("the first charge", async || browser.get("/api/subscribe/me").await.json()["total_cents"] == 300).await;
        let reply = browser.get("/api/subscribe/me").await;
        assert_eq!((reply.status, reply.header("cache-control")), (200, "no-store"));
        insta::assert_json_snapshot!("me", reply.json(), { ".since" => "[time]", ".next_charge" => "[time]" });
    }

    async fn next_charge_is_today_until_today_is_paid(engine) {
        let times = |config: &mut subscription::Config| config.billing_times = "06:00,13:00".parse().unwrap();
        let services = spawn_with(engine, Options { settings: Some(times), ..Options::default() }).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        let browser = services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        let next = async || browser.get("/api/subscribe/me").await.json()["next_charge"].clone();
        assert_eq!(next().await, format!("{NEXT} 04:00:00"));
        services.set_clocks(&format!("{NEXT}T05:00:00+02:00")).await;
        assert_eq!(next().await, format!("{NEXT} 04:00:00"), "in an hour");
    }

    async fn me_without_valid_session_is_401(engine) {
        let services = spawn(engine).await;
        let client = Client::new(services.addr, "memeworld");
        assert_eq!(client.get("/api/subscribe/me").await.status, 401);
        // Signed, but the number is unknown.
        assert_eq!(client.with_session(MEME, "27812345678").get("/api/subscribe/me").await.status, 401);
        // So old that the number may have been reassigned.
        let session = identity::Session {
            msisdn: identity::SubscriberId::parse("27812345678").unwrap(),
            svc_id: MEME,
            label: "memeworld".to_owned(),
            issued_at: chrono::Utc::now().timestamp() - 61 * 24 * 3600,
            generation: 0,
            person: 0,
            test: false,
        };
        services.joined("memeworld", MEME, "27812345678").await;
        let cookie = format!("session-memeworld={}", testkit::minter().mint(&session).unwrap());
        let request = client.request(reqwest::Method::GET, "/api/subscribe/me").header("cookie", cookie);
        assert_eq!(client.send(request).await.status, 401);
        // A session is valid on its own host only.
        let browser = services.joined("mcfunny", 148, "27812345678").await;
        assert_eq!(browser.with_cookies_on(&services, "madfunny").get("/api/subscribe/me").await.status, 401);
        assert_eq!(browser.get("/api/subscribe/me").await.status, 200);
    }
}

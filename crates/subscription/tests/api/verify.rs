//! `POST /api/subscribe/verify`: verification on a new phone.

use serde_json::json;
use testkit::on_each_engine;

use crate::services::{MEME, Options, TT, number, spawn, spawn_with};

const VERIFY: &str = "/api/subscribe/verify";

on_each_engine! {
    async fn verify_opens_session_on_a_new_phone(engine) {
        let services = spawn(engine).await;
        for (label, svc_id) in [("memeworld", MEME), ("ttmbhatv", TT)] {
            let msisdn = number("1111");
            services.joined(label, svc_id, &msisdn).await;
            let phone = services.browser(label);
            let reply = phone.post(VERIFY, &json!({"msisdn": msisdn, "svc_id": svc_id})).await;
            let body = reply.json();
            assert_eq!((reply.status, body.as_object().unwrap().len()), (200, 1), "{body}");
            let back = phone.submit_answer(body["redirectUrl"].as_str().unwrap(), "confirm").await;
            let (_, query) = back.split_once("/DoiRedirect?").unwrap();
            let reply = phone.get(&format!("/api/subscribe/check-sub?{query}")).await;
            assert_eq!(reply.json()["result"], 1);
            assert!(phone.has_session());
            assert_eq!(phone.get("/api/subscribe/me").await.json()["state"], "active");
            // A verification changes no state and costs nothing.
            assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed"]);
        }
    }

    async fn verify_with_enrichment_header_skips_the_page(engine) {
        let enriched = |config: &mut subscription::Config| {
            config.enrichment.header = "X-MSISDN".parse().unwrap();
            config.enrichment.sources = "10.0.0.0/8".parse().unwrap();
        };
        let services = spawn_with(engine, Options { settings: Some(enriched), ..Options::default() }).await;
        let (msisdn, other) = (number("1111"), number("2222"));
        for number in [&msisdn, &other] {
            services.joined("memeworld", MEME, number).await;
        }
        let phone = services.browser("memeworld").with_header("x-msisdn", &msisdn);
        let reply = phone.post(VERIFY, &json!({"msisdn": msisdn, "svc_id": MEME})).await.json();
        let back = reply["redirectUrl"].as_str().unwrap();
        let (_, query) = back.split_once("http://memeworld.localhost:8080/DoiRedirect?").unwrap();
        assert_eq!(phone.get(&format!("/api/subscribe/check-sub?{query}")).await.json()["result"], 1);
        assert!(phone.has_session());
        // Another number, and a header from another address, get the network's page.
        for (phone, number) in [
            (services.browser("memeworld").with_header("x-msisdn", &msisdn), &other),
            (services.browser("memeworld").with_header("x-msisdn", &msisdn).at("203.0.113.7"), &msisdn),
        ] {
            let reply = phone.post(VERIFY, &json!({"msisdn": number, "svc_id": MEME})).await.json();
            assert!(!reply["redirectUrl"].as_str().unwrap().contains("DoiRedirect"), "{reply}");
        }
    }

    async fn declined_verify_returns_0(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        let phone = services.browser("memeworld");
        let page = phone.post(VERIFY, &json!({"msisdn": msisdn, "svc_id": MEME})).await.json();
        let back = phone.submit_answer(page["redirectUrl"].as_str().unwrap(), "decline").await;
        let (_, query) = back.split_once('?').unwrap();
        let reply = phone.get(&format!("/api/subscribe/check-sub?{query}")).await;
        assert_eq!((reply.json()["result"].as_i64(), phone.has_session()), (Some(0), false));
    }

    async fn verify_of_inactive_number_is_409(engine) {
        let services = spawn(engine).await;
        let (msisdn, browser) = (number("1111"), services.browser("memeworld"));
        for _ in 0..2 {
            let reply = browser.post(VERIFY, &json!({"msisdn": msisdn, "svc_id": MEME})).await;
            assert_eq!(reply.status, 409);
            // The second time it is pending.
            browser.join(&msisdn, MEME).await;
        }
        assert_eq!(browser.post(VERIFY, &json!({"msisdn": "nonsense", "svc_id": MEME})).await.status, 422);
        assert_eq!(browser.post(VERIFY, &json!({"msisdn": msisdn, "svc_id": 1})).await.status, 422);
    }
}

//! Subscribers with a token: an attempt without a subscriber is bound once, by its own network only.

use serde_json::{Value, json};

use crate::{
    conformance::{NAME, brands_file},
    services::{MEME, Options, PULL, TestServices, number, spawn_with},
};

async fn open(engine: testkit::Engine) -> TestServices {
    let brands_file = Some(brands_file("rest_with_tokens"));
    spawn_with(engine, Options { brands_file, tokens_of: Some(NAME), ..Options::default() }).await
}

/// A network's answer to an attempt: confirmed by this subscriber.
fn confirmed(id: &str, user_msisdn: &str) -> Value {
    json!({
        "event": "opt_in", "kind": "opt_in", "reference": "forged", "subscription_id": id, "user_msisdn": user_msisdn,
        "svc_id": MEME, "status": "confirmed", "network_subscription_id": "77",
    })
}

testkit::on_each_engine! {
    async fn attempt_is_bound_once_and_by_its_own_network_only(engine) {
        let (services, msisdn) = (open(engine).await, number("1111"));
        let browser = services.browser("memeworld");
        let (page, id) = browser.join(&msisdn, MEME).await;
        assert_eq!(services.count("subscriptions", "state <> 'new'").await, 0, "no subscriber is known yet");
        assert_eq!(services.count("subscriptions", &format!("msisdn LIKE '%{}%'", &msisdn[2..])).await, 0);
        // Neither another network, nor this one with what is no token, nor one of another network.
        for (network, name) in [(PULL, msisdn.as_str()), (PULL, "conformance:9f2c41d07ab3"), (NAME, "short"), (NAME, "sandbox-pull:9f2c41d07ab3")] {
            let webhook = format!("{network}-{name}");
            assert_eq!(services.notify(network, &webhook, &confirmed(&id, name)).await.status, 200);
            assert_eq!((browser.check(&msisdn, &id).await, browser.has_session()), (0, false), "{network} {name}");
        }
        browser.submit_answer(&page, "confirm").await;
        assert_eq!(services.browser("memeworld").check("", &id).await, 1);
        assert_eq!(browser.check("", &id).await, 1);
        assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed"]);
        // Another token does not get the attempt, nor the session that it opened.
        assert_eq!(services.notify(NAME, "other", &confirmed(&id, "9f2c41d07ab3")).await.status, 200);
        let me = browser.get("/api/subscribe/me").await.json();
        assert_eq!(me["msisdn"], format!("{NAME}:••••••111"), "{me}");
        assert_eq!(services.account(&msisdn).await["subscriptions"][0]["consents"].as_array().unwrap().len(), 1);
    }

    async fn typed_token_is_422(engine) {
        let services = open(engine).await;
        let browser = services.browser("memeworld");
        for path in ["/api/subscribe", "/api/subscribe/verify"] {
            let body = json!({"msisdn": format!("{NAME}:9f2c41d07ab3"), "ext_ref": "", "channel": "WAP", "svc_id": MEME});
            let reply = browser.post(path, &body).await;
            assert_eq!(reply.status, 422, "{path}: a token is never typed");
            assert!(!String::from_utf8_lossy(&reply.bytes).contains("9f2c41d07ab3"));
        }
    }
}

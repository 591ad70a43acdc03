//! Numbers as people write and paste them, by every call of this service that takes one.

use reqwest::Method;
use serde_json::json;
use testkit::{ADMIN_TOKEN, Client, Reply, on_each_engine};

use crate::services::{MEME, Options, PULL, TestServices, spawn, spawn_with};

/// The number of the table's accepted rows.
const NUMBER: &str = "27812345678";

/// A text as a part of an address.
fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// The replies to a number in this form, by call. Each is from another address, since the tries of one are limited.
async fn at_every_call(services: &TestServices, typed: &str) -> Vec<(&'static str, Reply)> {
    let order = json!({ "msisdn": typed, "svc_id": MEME, "channel": "WAP" });
    let mut replies = Vec::new();
    for path in ["/api/subscribe", "/api/subscribe/verify", "/api/subscribe/unsubscribe"] {
        replies.push((path, services.browser("memeworld").post(path, &order).await));
    }
    let client = Client::new(services.addr, "localhost");
    // A subscription that runs is not erased, and the second call of blocks undoes the first.
    for (method, path, part) in [
        (Method::GET, "/internal/subscriptions", ""),
        (Method::GET, "/internal/persons", ""),
        (Method::GET, "/internal/persons", "/erasure"),
        (Method::DELETE, "/internal/persons", ""),
        (Method::PUT, "/internal/blocks", ""),
        (Method::DELETE, "/internal/blocks", ""),
    ] {
        let request = client.request(method, &format!("{path}/{}{part}", encoded(typed)));
        let request = request.json(&json!({ "reason": "the person wants no joins" }));
        replies.push((path, client.send(request.bearer_auth(ADMIN_TOKEN)).await));
    }
    replies
}

on_each_engine! {
    async fn number_is_read_alike_by_every_call(engine) {
        let services = spawn(engine).await;
        for (number, (typed, right)) in testkit::corpus("phones").into_iter().enumerate() {
            let is_number = right == NUMBER;
            if services.state_and_causes(NUMBER).await.0 != "active" {
                services.joined("memeworld", MEME, NUMBER).await;
            }
            for (path, reply) in at_every_call(&services, &typed).await {
                let text = String::from_utf8_lossy(&reply.bytes);
                // An address ends before an empty number.
                assert_eq!(matches!(reply.status, 404 | 422), !is_number, "{path}: {typed:?}: {} {text}", reply.status);
            }
            let stop = json!({ "event": "sms", "id": format!("sms-{number}"), "user_msisdn": typed, "to": "31222", "text": "STOP" });
            assert_eq!(services.notify(PULL, &format!("m-{number}"), &stop).await.status, 200, "{typed:?}");
            let state = services.state_and_causes(NUMBER).await.0;
            assert_eq!(state, if is_number { "cancelled" } else { "active" }, "{typed:?}");
        }
    }

    async fn attempt_is_found_with_its_number_in_any_form(engine) {
        let services = spawn(engine).await;
        let browser = services.browser("memeworld");
        let (page, id) = browser.join(NUMBER, MEME).await;
        browser.submit_answer(&page, "confirm").await;
        for (typed, right) in testkit::corpus("phones") {
            let opened = browser.check(&encoded(&typed), &id).await;
            assert_eq!(opened == 1, right == NUMBER, "{typed:?}");
        }
    }

    async fn test_number_is_known_in_any_form(engine) {
        let options = Options { test_msisdn: Some(NUMBER), operator_down: true, ..Options::default() };
        let services = spawn_with(engine, options).await;
        for (typed, right) in testkit::corpus("phones") {
            let order = json!({ "msisdn": typed, "svc_id": MEME });
            let reply = services.browser("memeworld").post("/api/session/test", &order).await;
            assert_eq!(reply.status, if right == NUMBER { 200 } else { 422 }, "{typed:?}");
        }
    }
}

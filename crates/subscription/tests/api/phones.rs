//! Numbers as people write and paste them, by every call of this service that takes one.

use reqwest::Method;
use serde_json::json;
use testkit::{ADMIN_TOKEN, Client, Reply, on_each_engine};

use crate::{
    conformance::{NAME, brands_file},
    services::{MEME, Options, PULL, TestServices, spawn, spawn_with},
};

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

/// How a network of an adapter starts and ends a number's subscription.
struct Notifications {
    adapter: &'static str,
    /// `id` is another one each time.
    start: fn(number: &str, id: &str) -> String,
    ends: [fn(number: &str, id: &str) -> String; 2],
}

fn envelope(body: &str) -> String {
    format!("<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>{body}</s:Body></s:Envelope>")
}

fn opt_in(number: &str, id: &str) -> String {
    json!({ "event": "opt_in", "kind": "opt_in", "reference": id, "user_msisdn": number, "svc_id": MEME, "status": "confirmed" }).to_string()
}

fn stop(number: &str, _: &str) -> String {
    json!({ "event": "stop", "user_msisdn": number, "svc_id": MEME }).to_string()
}

fn stop_by_sms(number: &str, id: &str) -> String {
    json!({ "event": "sms", "id": id, "user_msisdn": number, "to": "31222", "text": "STOP" }).to_string()
}

/// Every adapter, with all kinds of notifications that name a number. A new one is a line of its own.
const NOTIFICATIONS: [Notifications; 4] = [
    Notifications { adapter: "rest", start: opt_in, ends: [stop, stop_by_sms] },
    Notifications { adapter: "camara", start: opt_in, ends: [stop, stop_by_sms] },
    Notifications {
        adapter: "datasync",
        start: |number, id| {
            json!({ "subscription_id": id, "user_msisdn": number, "svc_id": MEME, "status_id": 2 }).to_string()
        },
        ends: [
            |number, _| json!({ "user_msisdn": number, "svc_id": MEME, "status_id": 8 }).to_string(),
            |number, _| json!({ "event": "recycled", "user_msisdn": number }).to_string(),
        ],
    },
    Notifications {
        adapter: "soap",
        start: |number, id| {
            envelope(&format!(
                "<syncOrderRelation><userID><ID>{number}</ID></userID><productID>{MEME}</productID><updateType>1</updateType>\
                 <extensionInfo><item><key>orderKey</key><value>{id}</value></item></extensionInfo></syncOrderRelation>"
            ))
        },
        ends: [
            |number, _| {
                envelope(&format!(
                    "<syncOrderRelation><userID><ID>{number}</ID></userID><productID>{MEME}</productID><updateType>2</updateType>\
                     </syncOrderRelation>"
                ))
            },
            |number, _| {
                envelope(&format!(
                    "<notifySmsReception><message><message>STOP</message><senderAddress>{number}</senderAddress>\
                     </message></notifySmsReception>"
                ))
            },
        ],
    },
];

/// Whether the number's subscription is active after a notification with this body.
async fn is_active_after(services: &TestServices, id: &str, body: String) -> bool {
    assert_eq!(services.notify_raw(NAME, id, body.into_bytes(), 0).await.status, 200);
    services.count("subscriptions", &format!("msisdn = '{NUMBER}' AND state = 'active'")).await == 1
}

on_each_engine! {
    async fn number_is_read_alike_in_the_notifications_of_every_adapter(engine) {
        for Notifications { adapter, start, ends } in NOTIFICATIONS {
            let options = Options { brands_file: Some(brands_file(adapter)), operator_down: true, ..Options::default() };
            let services = spawn_with(engine, options).await;
            for (number, (typed, right)) in testkit::corpus("phones").into_iter().enumerate() {
                let is_number = right == NUMBER;
                let id = |step: &str| format!("{adapter}-{number}-{step}");
                let started = is_active_after(&services, &id("start"), start(&typed, &id("start"))).await;
                assert_eq!(started, is_number, "{adapter}: start of {typed:?}");
                for (end, name) in ends.into_iter().zip(["end", "other-end"]) {
                    let again = id(&format!("before-{name}"));
                    assert!(is_active_after(&services, &again, start(NUMBER, &again)).await, "{adapter}: {typed:?}");
                    let goes_on = is_active_after(&services, &id(name), end(&typed, &id(name))).await;
                    assert_eq!(goes_on, !is_number, "{adapter}: {name} of {typed:?}");
                }
                is_active_after(&services, &id("last"), ends[0](NUMBER, &id("last"))).await;
            }
        }
    }

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

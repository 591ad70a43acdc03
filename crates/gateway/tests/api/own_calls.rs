//! Writes and reads of a session's own data, which need a subscription that has not ended.

use identity::{Session, SubscriberId, cookie_name};
use reqwest::Method;
use serde_json::json;
use testkit::{Reply, session_cookie};

use crate::helpers::{Gateway, Seen};

const NUMBER: &str = "27812345678";
const MEME: (&str, i32) = ("memeworld", 150);
const TT: (&str, i32) = ("ttmbhatv", 152);

/// Every write of the content services, and one with an encoded letter.
const WRITES: [((&str, i32), &str, &str); 7] = [
    (MEME, "POST", "/api/meme/postlike"),
    (MEME, "POST", "/api/meme/%70ostlike"),
    (MEME, "DELETE", "/api/meme/unlike"),
    (TT, "POST", "/api/tt/likevideo"),
    (TT, "DELETE", "/api/tt/unlikevideo"),
    (TT, "POST", "/api/tt/ttaddwatchlist"),
    (TT, "DELETE", "/api/tt/ttremove"),
];

/// Every read of a session's own data, and one with an encoded letter.
const READS: [((&str, i32), &str); 4] = [
    (MEME, "/api/meme/mine"),
    (MEME, "/api/meme/%6dine"),
    (TT, "/api/tt/mine/ttmbhatv"),
    (TT, "/api/tt/getTTWatchlist/ttmbhatv"),
];

async fn call(gateway: &Gateway, label: &str, method: &str, path: &str, cookie: &str) -> Reply {
    let browser = gateway.on(&format!("{label}.localhost:8080"));
    let request = browser.request(Method::from_bytes(method.as_bytes()).unwrap(), path).header("cookie", cookie);
    let request = if method == "GET" { request } else { request.json(&json!({ "id": 7 })) };
    browser.send(request).await
}

/// The calls that content services received.
fn reached(gateway: &Gateway) -> Vec<Seen> {
    gateway.upstream.seen().into_iter().filter(|seen| !seen.address.starts_with("/api/subscribe")).collect()
}

fn of(reply: &Reply) -> (u16, &str) {
    (reply.status, reply.header("content-type"))
}

#[actix_web::test]
async fn session_of_ended_subscription_cannot_write() {
    let gateway = Gateway::start().await;
    let mut number = 27_812_345_000_u64;
    for (status, state) in [(200, "cancelled"), (200, "pending"), (401, "")] {
        gateway.upstream.set_me(status, state);
        for ((label, svc_id), method, path) in WRITES {
            // A number per call, since replies about subscriptions are cached.
            number += 1;
            let cookie = session_cookie(label, svc_id, &number.to_string());
            let reply = call(&gateway, label, method, path, &cookie).await;
            assert_eq!(of(&reply), (401, "application/problem+json"), "{status} {state} {method} {path}");
        }
    }
    assert!(reached(&gateway).is_empty(), "{:?}", reached(&gateway));
}

#[actix_web::test]
async fn session_of_active_or_suspended_subscription_can_write() {
    let gateway = Gateway::start().await;
    for (state, number) in [("active", "27812345671"), ("suspended", "27812345672")] {
        gateway.upstream.set_me(200, state);
        for ((label, svc_id), method, path) in WRITES {
            let cookie = session_cookie(label, svc_id, number);
            assert_eq!(call(&gateway, label, method, path, &cookie).await.status, 200, "{state} {method} {path}");
            let seen = gateway.last_seen();
            assert_eq!((seen.address.as_str(), seen.header("cookie")), (path, cookie.as_str()), "{state}");
            assert_eq!((seen.header("host"), seen.body.as_str()), (label, r#"{"id":7}"#));
        }
    }
}

#[actix_web::test]
async fn calls_without_a_session_are_forwarded() {
    let gateway = Gateway::start().await;
    gateway.upstream.set_me(200, "cancelled");
    let genuine = session_cookie("memeworld", 150, NUMBER);
    for cookie in [
        String::new(),
        "session-memeworld=x".to_owned(),
        // Encoded spellings that a service would decode.
        genuine.replacen('-', "%2D", 1),
        genuine.replace("v4.", "v4%2E"),
        // The session of another label.
        session_cookie("ttmbhatv", 152, NUMBER),
        session_cookie("memeworld", 152, NUMBER),
    ] {
        for (method, path) in [("POST", "/api/meme/postlike"), ("GET", "/api/meme/mine")] {
            assert_eq!(call(&gateway, "memeworld", method, path, &cookie).await.status, 200, "{method} {cookie}");
            assert_eq!(gateway.last_seen().header("cookie"), "", "{method} {cookie}");
        }
    }
    assert_eq!(gateway.upstream.me_calls(), 0);
}

#[actix_web::test]
async fn session_of_ended_subscription_reads_as_without_a_session() {
    let gateway = Gateway::start().await;
    for (state, number) in [("active", "27812345671"), ("suspended", "27812345672"), ("cancelled", "27812345673")] {
        gateway.upstream.set_me(200, state);
        for ((label, svc_id), path) in READS {
            let cookie = session_cookie(label, svc_id, number);
            let heard = if state == "cancelled" { "" } else { cookie.as_str() };
            for method in [Method::GET, Method::HEAD] {
                let browser = gateway.on(&format!("{label}.localhost:8080"));
                let request = browser.request(method.clone(), path).header("cookie", &cookie);
                assert_eq!(browser.send(request).await.status, 200, "{state} {method} {path}");
                let seen = gateway.last_seen();
                assert_eq!((seen.address.as_str(), seen.header("cookie")), (path, heard), "{state} {method}");
            }
        }
    }
}

#[actix_web::test]
async fn other_calls_do_not_check_the_subscription() {
    let gateway = Gateway::start().await;
    gateway.upstream.set_me(200, "cancelled");
    let cookie = session_cookie("memeworld", 150, NUMBER);
    for (method, path) in [("GET", "/api/meme/random"), ("POST", "/api/subscribe/verify")] {
        assert_eq!(call(&gateway, "memeworld", method, path, &cookie).await.status, 200, "{path}");
        assert_eq!(gateway.last_seen().header("cookie"), cookie, "{path}");
    }
    assert_eq!(gateway.upstream.me_calls(), 0);
}

#[actix_web::test]
async fn call_during_an_outage_needs_a_recently_active_subscription() {
    let gateway = Gateway::start().await;
    let known = session_cookie("memeworld", 150, "27812345671");
    assert_eq!(call(&gateway, "memeworld", "POST", "/api/meme/postlike", &known).await.status, 200);
    let before = reached(&gateway).len();
    gateway.upstream.set_me(500, "");
    let other = session_cookie("memeworld", 150, NUMBER);
    for (method, path) in [("POST", "/api/meme/postlike"), ("GET", "/api/meme/mine")] {
        let reply = call(&gateway, "memeworld", method, path, &other).await;
        assert_eq!(of(&reply), (503, "application/problem+json"), "{path}");
        assert!(!reply.header("retry-after").is_empty());
    }
    assert_eq!(reached(&gateway).len(), before);
    assert_eq!(call(&gateway, "memeworld", "POST", "/api/meme/postlike", &known).await.status, 200);
}

#[actix_web::test]
async fn unsubscribe_removes_the_cached_subscription() {
    let gateway = Gateway::start().await;
    let cookie = session_cookie("memeworld", 150, NUMBER);
    assert_eq!(call(&gateway, "memeworld", "POST", "/api/meme/postlike", &cookie).await.status, 200);
    gateway.upstream.set_me(200, "cancelled");
    assert_eq!(call(&gateway, "memeworld", "POST", "/api/subscribe/unsubscribe", &cookie).await.status, 200);
    assert_eq!(call(&gateway, "memeworld", "POST", "/api/meme/postlike", &cookie).await.status, 401);
    // A cached reply from before the unsubscribe does not count during an outage either.
    gateway.upstream.set_me(200, "active");
    let cookie = session_cookie("memeworld", 150, "27812345671");
    assert_eq!(call(&gateway, "memeworld", "POST", "/api/meme/postlike", &cookie).await.status, 200);
    gateway.upstream.set_me(500, "");
    assert_eq!(call(&gateway, "memeworld", "POST", "/api/subscribe/unsubscribe", &cookie).await.status, 200);
    assert_eq!(call(&gateway, "memeworld", "POST", "/api/meme/postlike", &cookie).await.status, 503);
}

#[actix_web::test]
async fn test_session_can_write_if_the_test_number_is_on() {
    let session = Session {
        msisdn: SubscriberId::parse("27600000000").unwrap(),
        svc_id: 150,
        label: "memeworld".to_owned(),
        issued_at: 1_760_000_000,
        generation: 0,
        person: 0,
        test: true,
    };
    let cookie = format!("{}={}", cookie_name("memeworld"), testkit::minter().mint(&session).unwrap());
    for (test_msisdn, heard) in [(Some("27600000000".to_owned()), cookie.as_str()), (None, "")] {
        let gateway = Gateway::start_with(|config| config.test_msisdn = test_msisdn).await;
        assert_eq!(call(&gateway, "memeworld", "POST", "/api/meme/postlike", &cookie).await.status, 200);
        assert_eq!(gateway.last_seen().header("cookie"), heard);
    }
}

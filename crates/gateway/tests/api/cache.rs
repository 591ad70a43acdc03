//! Public replies and their cache.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Client, Reply, eventually};

use crate::helpers::Gateway;

const HOST: &str = "ttmbhatv.localhost";
const PUBLIC_PATH: &str = "/api/tt/shown/list";

async fn get(browser: &Client, path: &str, headers: &[(&str, &str)]) -> Reply {
    let request =
        headers.iter().fold(browser.request(Method::GET, path), |request, (name, value)| request.header(*name, *value));
    browser.send(request).await
}

#[actix_web::test]
async fn concurrent_requests_cause_one_call_until_the_reply_expires() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    let replies = futures_util::future::join_all((0..50).map(|_| browser.get(PUBLIC_PATH))).await;
    assert!(replies.iter().all(|reply| reply.status == 200 && reply.json() == replies[0].json()));
    assert_eq!(gateway.upstream.seen().len(), 1);
    let first = &replies[0];
    for (name, value) in [
        ("cache-control", "public, max-age=2"),
        ("vary", "accept-encoding"),
        ("etag", "W/\"list-ttmbhatv\""),
        ("link", "</next>; rel=\"next\""),
        ("content-type", "application/json"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(first.header(name), value);
    }
    // Half of the two seconds that the service allows.
    eventually("asked again", async || {
        tokio::time::sleep(Duration::from_millis(100)).await;
        browser.get(PUBLIC_PATH).await.json() != first.json()
    })
    .await;
}

#[actix_web::test]
async fn cache_key_has_brand_encoding_and_address() {
    let gateway = Gateway::start().await;
    let mut times = Vec::new();
    for (host, address, takes, packing) in [
        (HOST, PUBLIC_PATH, "gzip, deflate, br", "br"),
        (HOST, PUBLIC_PATH, "gzip;q=0.5", "gzip"),
        (HOST, PUBLIC_PATH, "identity", "identity"),
        (HOST, "/api/tt/shown/list?after=1", "identity", "identity"),
        ("racedaytv.localhost", PUBLIC_PATH, "identity", "identity"),
    ] {
        let reply =
            get(&gateway.on(host), address, &[("accept-encoding", takes), ("cookie", "session=1")]).await.json();
        assert_eq!(reply["packing"], packing);
        assert_eq!(reply["label"], host.split('.').next().unwrap());
        times.push(reply["times"].clone());
    }
    assert_eq!(times, [0, 1, 2, 3, 4].map(Value::from));
}

#[actix_web::test]
async fn matching_if_none_match_is_304() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    for (tag, status) in [("W/\"list-ttmbhatv\"", 304), ("W/\"other\"", 200), ("*", 304)] {
        let reply = get(&browser, PUBLIC_PATH, &[("if-none-match", tag)]).await;
        assert_eq!((reply.status, reply.header("etag")), (status, "W/\"list-ttmbhatv\""), "{tag}");
        assert_eq!(reply.bytes.is_empty(), status == 304);
    }
    assert!(gateway.upstream.seen().iter().all(|call| call.header("if-none-match").is_empty()));
}

#[actix_web::test]
async fn private_reply_is_fetched_for_each_request() {
    let gateway = Gateway::start().await;
    for path in ["/api/tt/own", "/api/tt/shown/cookie"] {
        let browser = gateway.on(HOST);
        let before = gateway.upstream.seen().len();
        let cookies: Vec<String> = (0..20).map(|n| format!("session=visitor-{n}")).collect();
        let headers: Vec<_> = cookies.iter().map(|cookie| [("cookie", cookie.as_str())]).collect();
        let requests = headers.iter().map(|headers| get(&browser, path, headers));
        let replies = futures_util::future::join_all(requests).await;
        assert_eq!(gateway.upstream.seen().len() - before, 20, "{path}");
        if path == "/api/tt/own" {
            for (reply, cookie) in replies.iter().zip(&cookies) {
                assert_eq!(reply.json()["headers"]["cookie"], json!([cookie]));
            }
        }
    }
    let browser = gateway.on(HOST);
    for headers in [("range", "bytes=0-1"), ("authorization", "Bearer x")] {
        let before = gateway.upstream.seen().len();
        for _ in 0..2 {
            get(&browser, PUBLIC_PATH, &[headers]).await;
        }
        assert_eq!(gateway.upstream.seen().len() - before, 2, "{headers:?}");
    }
}

#[actix_web::test]
async fn stale_reply_is_served_while_the_service_is_unavailable() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    let first = browser.get(PUBLIC_PATH).await.json();
    gateway.upstream.set_broken(true);
    tokio::time::sleep(Duration::from_millis(1200)).await;
    assert_eq!(browser.get(PUBLIC_PATH).await.json(), first, "it answers 503");
    gateway.upstream.stop().await;
    assert_eq!(browser.get(PUBLIC_PATH).await.json(), first, "it is gone");
    eventually("too old to be shown", async || {
        tokio::time::sleep(Duration::from_millis(200)).await;
        browser.get(PUBLIC_PATH).await.status == 503
    })
    .await;
    assert_eq!(browser.get("/api/tt/shown/never-seen").await.status, 503);
}

//! What is forwarded to a service and back.

use reqwest::Method;
use serde_json::json;

use crate::helpers::Gateway;

const HOST: &str = "memeworld.localhost:8080";

#[actix_web::test]
async fn call_is_forwarded_unchanged() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    for method in [Method::POST, Method::DELETE] {
        let request = browser
            .request(method.clone(), "/api/subscribe/notify/mtn?x=1")
            .header("cookie", "session-memeworld=abc; other=1")
            .header("webhook-signature", "v1,abc")
            .json(&json!({ "id": 7, "ani": "" }));
        let reply = browser.send(request).await;
        assert_eq!(reply.status, 200);
        let seen = gateway.last_seen();
        assert_eq!((seen.method.as_str(), seen.address.as_str()), (method.as_str(), "/api/subscribe/notify/mtn?x=1"));
        assert_eq!(seen.body, r#"{"ani":"","id":7}"#);
        assert_eq!(seen.header("content-type"), "application/json");
        assert_eq!(seen.header("cookie"), "session-memeworld=abc; other=1");
        assert_eq!(seen.header("webhook-signature"), "v1,abc");
    }
}

#[actix_web::test]
async fn connection_and_internal_headers_are_not_forwarded() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    let request = browser
        .request(Method::GET, "/api/meme/random")
        .header("connection", "x-secret, keep-alive")
        .header("x-secret", "1")
        .header("te", "trailers")
        .header("proxy-authorization", "Basic x")
        .header("x-forwarded-for", "6.6.6.6")
        .header("x-forwarded-proto", "https")
        .header("x-forwarded-host", "evil.example")
        .header("forwarded", "for=6.6.6.6")
        .header("x-real-ip", "6.6.6.6")
        .header("x-http-method-override", "DELETE")
        .header("x-original-url", "/internal/imports")
        .header("x-request-id", "11111111-1111-4111-8111-111111111111")
        .header("user-agent", "Phone/1")
        .header("accept-encoding", "br");
    let reply = browser.send(request).await;
    let seen = gateway.last_seen();
    for name in [
        "connection",
        "x-secret",
        "te",
        "proxy-authorization",
        "x-forwarded-for",
        "x-forwarded-proto",
        "x-forwarded-host",
        "forwarded",
        "x-real-ip",
        "x-http-method-override",
        "x-original-url",
    ] {
        assert_eq!(seen.header(name), "", "{name}");
    }
    assert_eq!(seen.header("user-agent"), "Phone/1");
    assert_eq!(seen.header("accept-encoding"), "br");
    assert_ne!(seen.header("x-request-id"), "11111111-1111-4111-8111-111111111111");
    assert_eq!(seen.header("x-request-id"), reply.header("x-request-id"));
}

#[actix_web::test]
async fn only_the_subscription_service_gets_the_client_address() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    for (path, expected) in [("/api/subscribe/me", ["127.0.0.1", "http"]), ("/api/meme/random", ["", ""])] {
        browser.send(browser.request(Method::GET, path).header("x-forwarded-for", "6.6.6.6")).await;
        let seen = gateway.last_seen();
        assert_eq!(["x-forwarded-for", "x-forwarded-proto"].map(|name| seen.header(name)), expected, "{path}");
    }
}

#[actix_web::test]
async fn reply_headers_are_passed_on_except_connection_headers() {
    let gateway = Gateway::start().await;
    let reply = gateway.on(HOST).get("/api/meme/headers").await;
    let cookies: Vec<_> = reply.headers.get_all("set-cookie").iter().collect();
    assert_eq!(cookies, ["a=1; HttpOnly", "b=2; HttpOnly"]);
    assert_eq!(reply.header("link"), "</next>; rel=\"next\"");
    for name in ["keep-alive", "server"] {
        assert_eq!(reply.header(name), "", "{name}");
    }
    assert_eq!(reply.headers.get_all("date").iter().count(), 1);
    assert_eq!(reply.header("x-content-type-options"), "nosniff");
}

#[actix_web::test]
async fn replies_are_streamed_or_have_a_length() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    let large = browser.get("/api/meme/large").await;
    assert_eq!(large.bytes.len(), 64 * 64 * 1024);
    let fresh = browser.get("/api/meme/fresh").await;
    assert_eq!((fresh.status, fresh.header("etag"), fresh.bytes.len()), (304, "W/\"x\"", 0));
}

#[actix_web::test]
async fn service_problem_is_passed_on_and_other_errors_become_problems() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    let problem = browser.get("/api/meme/problem").await;
    assert_eq!((problem.status, problem.json()["detail"].as_str()), (404, Some("No such meme.")));
    let bare = browser.get("/api/meme/bare").await;
    let text = String::from_utf8(bare.bytes.clone()).unwrap();
    assert_eq!((bare.status, bare.header("content-type")), (500, "application/problem+json"));
    assert!(!text.contains("SELECT") && !text.contains("panicked"), "{text}");
}

#[actix_web::test]
async fn only_listed_prefixes_reach_a_service() {
    let gateway = Gateway::start().await;
    for path in [
        "/internal/imports",
        "/internal/billing/run",
        "/api/internal/imports",
        "/api/meme/../../internal/imports",
        "/api/meme/..%2f..%2finternal/imports",
        "/api/meme/%2e%2e/%2e%2e/internal/imports",
        "/api/meme/.%2e/internal",
        "/api/meme//internal",
        "//internal/imports",
        "/api//meme/random",
        "/api/./meme/random",
        "/api/meme/%252e%252e/%252e%252e/internal/imports",
        "/api/meme\\..\\..\\internal",
        "/api/meme/..;/internal",
        "/api/%6deme/random",
        "/%61pi/meme/random",
        "/api/meme%2frandom",
        "/api/meme%00/random",
        "/api",
        "/api/",
        "/api/healthz",
        "/metrics",
    ] {
        for host in [HOST, "127.0.0.1"] {
            let (status, reply) = gateway.raw_get(host, path, "").await;
            assert!(matches!(status, 400 | 404), "{host} {path}: {reply}");
        }
    }
    assert!(gateway.upstream.seen().is_empty(), "{:?}", gateway.upstream.seen());
}

#[actix_web::test]
async fn absolute_target_is_routed_like_others() {
    let gateway = Gateway::start().await;
    let (status, _) =
        gateway.raw_get("memeworld.localhost", "http://diski99.localhost/api/diski/fetchArtist", "").await;
    assert_eq!((status, gateway.last_seen().header("host")), (200, "diski99"));
    let before = gateway.upstream.seen().len();
    let (status, _) = gateway.raw_get("memeworld.localhost", "http://diski99.localhost/internal/imports", "").await;
    assert_eq!((status, gateway.upstream.seen().len()), (404, before));
}

#[actix_web::test]
async fn upgrade_header_is_ignored() {
    let gateway = Gateway::start().await;
    let request = format!(
        "GET /api/meme/random HTTP/1.1\nHost: {HOST}\nConnection: Upgrade, close\nUpgrade: websocket\nSec-WebSocket-Version: 13\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n\n"
    );
    let (status, _) = gateway.raw(&request).await;
    assert_eq!(status, 200);
    assert_eq!(gateway.last_seen().header("upgrade"), "");
}

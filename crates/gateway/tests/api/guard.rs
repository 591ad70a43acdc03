//! What is refused before anything looks at it.

use reqwest::Method;
use serde_json::json;

use crate::helpers::Gateway;

const HOST: &str = "memeworld.localhost:8080";

#[actix_web::test]
async fn a_write_from_another_site_is_refused() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    let status = async |method: Method, address: &str, origin: Option<&str>| {
        let mut request = browser.request(method, address).json(&json!({}));
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        browser.send(request).await.status
    };
    for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
        for origin in
            ["http://evil.example", "http://diski99.localhost:8080", "null", "http://memeworld.localhost:9090"]
        {
            assert_eq!(status(method.clone(), "/api/meme/postlike", Some(origin)).await, 403, "{method} {origin}");
        }
        assert_eq!(status(method.clone(), "/api/meme/postlike", Some("http://memeworld.localhost:8080")).await, 200);
        assert_eq!(status(method, "/api/subscribe/notify/sandbox-push", None).await, 200);
    }
    assert_eq!(status(Method::GET, "/api/meme/random", Some("http://evil.example")).await, 200);
}

#[actix_web::test]
async fn bodies_and_heads_are_bounded() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    let post = async |size: usize| {
        let request = browser
            .request(Method::POST, "/api/meme/postlike")
            .header("content-type", "application/json")
            .body(vec![b' '; size]);
        browser.send(request).await
    };
    assert_eq!(post(64 * 1024).await.status, 200);
    let refused = post(64 * 1024 + 1).await;
    assert_eq!((refused.status, refused.header("content-type")), (413, "application/problem+json"));

    let chunk = "a".repeat(0x9000);
    let chunked = format!(
        "POST /api/meme/postlike HTTP/1.1\nHost: {HOST}\nTransfer-Encoding: chunked\n\n9000\n{chunk}\n9000\n{chunk}\n0\n\n"
    );
    assert_eq!(gateway.raw(&chunked).await.0, 413);

    let request = browser.request(Method::GET, "/api/meme/random").header("x-filler", "a".repeat(17 * 1024));
    assert_eq!(browser.send(request).await.status, 431);
}

#[actix_web::test]
async fn odd_methods_and_doubled_hosts_are_refused() {
    let gateway = Gateway::start().await;
    assert_eq!(
        gateway.raw(&format!("TRACE /api/meme/random HTTP/1.1\nHost: {HOST}\nConnection: close\n\n")).await.0,
        405
    );
    let refused = gateway.on(HOST).send(gateway.on(HOST).request(Method::TRACE, "/api/meme/random")).await;
    assert!(refused.header("allow").contains("GET"));
    assert_eq!(refused.json()["request_id"], refused.header("x-request-id"), "a refusal is found in the log by its id");
    assert_eq!(gateway.raw("GET / HTTP/1.1\nHost: a.localhost\nHost: memeworld.localhost\n\n").await.0, 400);
    let smuggle = format!(
        "POST /api/meme/postlike HTTP/1.1\nHost: {HOST}\nContent-Length: 4\nTransfer-Encoding: chunked\n\n0\n\n"
    );
    let (status, _) = gateway.raw(&smuggle).await;
    assert!(matches!(status, 0 | 400), "{status}");
    let browser = gateway.on(HOST);
    assert_eq!(browser.send(browser.request(Method::POST, "/login")).await.status, 405);
}

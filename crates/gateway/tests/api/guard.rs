//! Requests that are rejected before they are handled.

use reqwest::Method;
use serde_json::json;

use crate::helpers::Gateway;

const HOST: &str = "memeworld.localhost:8080";

#[actix_web::test]
async fn write_from_another_origin_is_rejected() {
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
async fn write_with_cross_site_fetch_metadata_is_403() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    let status = async |method: Method, address: &str, site: &str| {
        let request = browser.request(method, address).header("sec-fetch-site", site).json(&json!({}));
        browser.send(request).await.status
    };
    for (site, expected) in [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)] {
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            assert_eq!(status(method.clone(), "/api/meme/postlike", site).await, expected, "{method} {site}");
        }
        assert_eq!(status(Method::GET, "/api/meme/random", site).await, 200, "{site}: a link may come from anywhere");
    }
    for path in ["/join", "/api/vitals", "/api/subscribe"] {
        assert_eq!(status(Method::POST, path, "cross-site").await, 403, "{path}");
    }
    let own = browser.request(Method::POST, "/api/meme/postlike").header("origin", format!("http://{HOST}"));
    let both = own.header("sec-fetch-site", "cross-site").json(&json!({}));
    assert_eq!(browser.send(both).await.status, 403, "an Origin does not outweigh it");
    assert!(gateway.upstream.seen().iter().all(|seen| !seen.address.starts_with("/api/subscribe")));
}

#[actix_web::test]
async fn large_bodies_and_heads_are_rejected() {
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
async fn unsupported_method_is_405() {
    let gateway = Gateway::start().await;
    assert_eq!(
        gateway.raw(&format!("TRACE /api/meme/random HTTP/1.1\nHost: {HOST}\nConnection: close\n\n")).await.0,
        405
    );
    let refused = gateway.on(HOST).send(gateway.on(HOST).request(Method::TRACE, "/api/meme/random")).await;
    assert!(refused.header("allow").contains("GET"));
    assert_eq!(refused.json()["request_id"], refused.header("x-request-id"), "a refusal is found in the log by its id");
    let browser = gateway.on(HOST);
    assert_eq!(browser.send(browser.request(Method::POST, "/login")).await.status, 405);
    let refused = browser.send(browser.request(Method::PUT, "/join")).await;
    assert_eq!((refused.status, refused.header("allow")), (405, "GET, HEAD, POST"));
}

//! HEAD is supported wherever GET is, with the same head and without a body.

use reqwest::Method;
use testkit::session_cookie;

use crate::helpers::Gateway;

const HOST: &str = "mcfunny.localhost";

#[actix_web::test]
async fn head_has_the_same_headers_as_get_and_no_body() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    let send = async |method: Method, path: &str| {
        let cookie = session_cookie("mcfunny", 148, "27812345678");
        browser.send(browser.request(method, path).header("cookie", cookie)).await
    };
    for (path, expected) in [
        // Paths of services, which reject HEAD themselves; then public, failing and small replies.
        ("/api/madfunny/fetchArtist?service=mcfunny", 200),
        ("/api/meme/random", 200),
        ("/api/meme/mine", 200),
        ("/api/subscribe/me", 200),
        ("/api/subscribe/check-sub?msisdn=27812345678", 200),
        ("/api/tt/shown/list", 200),
        ("/api/tt/own", 200),
        ("/api/meme/headers", 200),
        ("/api/meme/filler", 200),
        ("/api/meme/problem", 404),
        ("/api/meme/bare", 500),
        ("/api/unknown", 404),
        // Paths of the gateway itself.
        ("/api/openapi.json", 200),
        ("/api/docs", 200),
        ("/media/mcfunny/clip.mp4", 200),
        ("/media/mcfunny/missing.mp4", 404),
        ("/media/ttmbhatv/clip.mp4", 401),
        ("/img/rs:fit:160:0/plain/https://images.spaza.example/demo/small.jpg@webp", 200),
        ("/img/nothing", 400),
        ("/assets/app.0123456789.js", 200),
        ("/favicon.svg", 200),
        ("/", 200),
        ("/no-such-page", 404),
        ("/healthz", 200),
    ] {
        // The first call of a path is made without the client's headers, which the test service echoes.
        send(Method::GET, path).await;
        let (whole, head) = (send(Method::GET, path).await, send(Method::HEAD, path).await);
        assert_eq!((whole.status, head.status, head.bytes.len()), (expected, expected, 0), "{path}");
        for name in
            ["content-length", "content-type", "etag", "cache-control", "vary", "link", "x-content-type-options"]
        {
            assert_eq!(head.header(name), whole.header(name), "{path}: {name}");
        }
        assert_eq!(whole.header("content-length"), whole.bytes.len().to_string(), "{path}");
    }
    assert!(gateway.upstream.seen().iter().all(|seen| seen.method == "GET"), "services are asked by GET");
    for path in ["/api/meme/large", "/api/meme/fresh"] {
        let (whole, head) = (send(Method::GET, path).await, send(Method::HEAD, path).await);
        assert_eq!((head.status, head.bytes.len()), (whole.status, 0), "{path}");
    }
}

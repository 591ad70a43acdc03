//! Malicious requests: none may reach media, internal paths of a service or a file of ours, and none may cause an error.

use crate::helpers::Gateway;

const HOST: &str = "ttmbhatv.localhost";

/// Request targets that path parsers have been fooled by.
const TARGETS: &[&str] = &[
    // media without a session, spelled in every way
    "/media/ttmbhatv/clip.mp4",
    "/media/ttmbhatv/clip.mp4/",
    "/media//ttmbhatv/clip.mp4",
    "//media/ttmbhatv/clip.mp4",
    "/media/./ttmbhatv/clip.mp4",
    "/media/ttmbhatv/../ttmbhatv/clip.mp4",
    "/media/mcfunny/../ttmbhatv/clip.mp4",
    "/media/mcfunny/tt/clip.mp4",
    "/media/ttmbhatv/%2e%2e/%2e%2e/outside.mp4",
    "/media/ttmbhatv/..%2f..%2foutside.mp4",
    "/media/ttmbhatv/%252e%252e/clip.mp4",
    "/media/ttmbhatv/clip.mp4%00.jpg",
    "/media/ttmbhatv/clip.mp4%20",
    "/media/ttmbhatv/clip%2emp4",
    "/media/ttmbhatv%2fclip.mp4",
    "/media/ttmbhatv/%c0%ae%c0%ae/clip.mp4",
    "/media\\ttmbhatv\\clip.mp4",
    "/media/ttmbhatv/..\\..\\outside.mp4",
    "/%6dedia/ttmbhatv/clip.mp4",
    "/MEDIA/ttmbhatv/clip.mp4",
    "/media;a=b/ttmbhatv/clip.mp4",
    "/media/ttmbhatv/clip.mp4;a=b",
    "/api/../media/ttmbhatv/clip.mp4",
    "/assets/../media/ttmbhatv/clip.mp4",
    "/img/../media/ttmbhatv/clip.mp4",
    "/media/mcfunny/.secret.mp4",
    "/media/mcfunny/link.mp4",
    "/media/../outside.mp4",
    // inner addresses
    "/internal/imports",
    "//internal/imports",
    "/internal%2fimport",
    "/%69nternal/import",
    "/api/internal/imports",
    "/api//internal/imports",
    "/api/../internal/imports",
    "/api/meme/../../internal/imports",
    "/api/meme/%2e%2e/%2e%2e/internal/imports",
    "/api/meme/..%2f..%2finternal%2fimport",
    "/api/meme/..%5c..%5cinternal",
    "/api/meme/..;/..;/internal/imports",
    "/api/meme\\..\\..\\internal\\import",
    "/api/%2e%2e/internal/imports",
    "/api/subscribe/../../internal/refund",
    "/metrics",
    "/api/metrics",
    "/readyz/../metrics",
    // absolute targets
    "http://127.0.0.1:8083/internal/imports",
    "http://ttmbhatv.localhost/internal/imports",
    "http://ttmbhatv.localhost/media/ttmbhatv/clip.mp4",
    "http://ttmbhatv.localhost@evil.example/media/ttmbhatv/clip.mp4",
    "https://user:word@ttmbhatv.localhost/media/ttmbhatv/clip.mp4",
    "http://[::1]/internal/imports",
    "http:///internal/imports",
    "file:///etc/passwd",
    "*",
    "evil.example:443",
    "",
    "?domain=ttmbhatv",
    // pictures of elsewhere
    "/img/rs:fit:320:0/plain/file:///etc/passwd@webp",
    "/img/rs:fit:320:0/plain/http://169.254.169.254/latest/meta-data@webp",
    "/img/rs:fit:320:0/plain/https://images.spaza.example/../outside.mp4@webp",
    "/img/rs:fit:320:0/plain/https://images.spaza.example/%2e%2e/outside.mp4@webp",
    "/img/rs:fit:320:0/plain/https://images.spaza.example@127.0.0.1/demo/wide.png@webp",
    "/img/rs:fit:320:0/plain/https://images.spaza.example.evil.example/demo/wide.png@webp",
    "/img/rs:fit:99999999999999999999:0/plain/https://images.spaza.example/demo/wide.png@webp",
    "/img/plain/local:///etc/passwd@webp",
    // files that are for us alone
    "/first-views.json",
    "/languages.json",
    "/server/first-screen.js",
    "/.hidden",
    "/assets/.hidden",
    "/index.html.br",
];

/// Heads with these lines after the target; `TARGET` is requested if there is no request line.
const HEADS: &[&str] = &[
    "HTTP/1.1\nHost: ttmbhatv.localhost\nHost: mcfunny.localhost\n\n",
    "HTTP/1.1\n\n",
    "HTTP/1.1\nHost: ttmbhatv.localhost/internal\n\n",
    "HTTP/1.1\nHost: user@ttmbhatv.localhost\n\n",
    "HTTP/1.1\nHost: ttmbhatv.localhost evil.example\n\n",
    "HTTP/1.1\nHost: \n\n",
    "HTTP/1.1\nHost : ttmbhatv.localhost\n\n",
    "HTTP/1.1\n Host: ttmbhatv.localhost\n\n",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nX-Folded: a\n b\n\n",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nX-Nul: a\0b\n\n",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nX-Return: a\rX-Smuggled: b\n\n",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nContent-Length: 5\nContent-Length: 6\n\nhello",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nContent-Length: 5, 6\n\nhello",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nContent-Length: +5\n\nhello",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nContent-Length: -1\n\n",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nContent-Length: 99999999999999999999999\n\n",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nContent-Length: 5\nTransfer-Encoding: chunked\n\n0\n\nGET /internal/imports HTTP/1.1\nHost: x\n\n",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nTransfer-Encoding: xchunked\nContent-Length: 0\n\n",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nTransfer-Encoding: chunked\nTransfer-Encoding: identity\n\n0\n\n",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nTransfer-Encoding: chunked\n\nfffffffffffffffff\n\n",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nTransfer-Encoding: chunked\n\nzz\n\n",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nUpgrade: websocket\nConnection: Upgrade, close\nSec-WebSocket-Key: eA==\nSec-WebSocket-Version: 13\n\n",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nUpgrade: h2c\nConnection: Upgrade, HTTP2-Settings, close\nHTTP2-Settings: AAMAAABkAAQAAP__\n\n",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nConnection: close, cookie, host\n\n",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nExpect: 200-ok\nConnection: close\n\n",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nRange: bytes=0-,0-,0-,0-,-1,5-2\nConnection: close\n\n",
    "HTTP/1.1\nHost: evil.example\nX-Forwarded-Host: ttmbhatv.localhost\nX-Forwarded-For: 127.0.0.1\nX-Forwarded-Proto: https\nForwarded: host=ttmbhatv.localhost\nConnection: close\n\n",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nX-Original-URL: /internal/imports\nX-Rewrite-URL: /internal/imports\nX-HTTP-Method-Override: DELETE\nConnection: close\n\n",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nCookie: session-ttmbhatv=v4.public.AAAA; session-ttmbhatv=; =; session-ttmbhatv=../../x\nConnection: close\n\n",
    "HTTP/1.1\nHost: ttmbhatv.localhost\nAuthorization: Bearer dev-admin\nConnection: close\n\n",
    "HTTP/0.9\n\n",
    "HTTP/3.0\nHost: ttmbhatv.localhost\n\n",
    "HTTP/1.1 GET\nHost: ttmbhatv.localhost\n\n",
    "\n\n",
];

/// Checks that a response is no internal error and has no private content. A connection that was closed has status 0.
fn check(request: &str, status: u16, reply: &str) {
    assert!(status < 500, "{request:?} was answered {reply}");
    for secret in ["tt film", "outside", "secret", "root:", "shown/{service}"] {
        assert!(!reply.contains(secret), "{request:?} was answered {reply}");
    }
}

/// Checks that services received only calls that `routes` allows.
fn check_seen(gateway: &Gateway) {
    for seen in gateway.upstream.seen() {
        let public = ["/api/madfunny", "/api/diski", "/api/meme", "/api/tt", "/api/subscribe", "/api/session"];
        assert!(public.iter().any(|prefix| seen.address.starts_with(prefix)), "{seen:?}");
        assert!(!seen.address.contains("internal") && !seen.address.contains(".."), "{seen:?}");
        assert!(seen.header("x-forwarded-host").is_empty() && seen.header("x-original-url").is_empty(), "{seen:?}");
    }
}

#[actix_web::test]
async fn targets_do_not_reach_private_paths() {
    let gateway = Gateway::start().await;
    for target in TARGETS {
        for (method, host) in [("GET", HOST), ("HEAD", HOST), ("GET", "88.localhost"), ("POST", "evil.example")] {
            let request = format!("{method} {target} HTTP/1.1\nHost: {host}\nContent-Length: 0\nConnection: close\n\n");
            let (status, reply) = gateway.raw(&request).await;
            check(&request, status, &reply);
        }
    }
    check_seen(&gateway);
}

#[actix_web::test]
async fn heads_do_not_reach_private_paths() {
    // Incomplete requests are closed at their time limit.
    let gateway = Gateway::start_with(|config| {
        (config.protection.head_seconds, config.protection.body_seconds) = (5, 5);
    })
    .await;
    let requests = HEADS.iter().flat_map(|head| {
        [
            "GET /media/ttmbhatv/clip.mp4",
            "GET /internal/imports",
            "POST /api/meme/postlike",
            "GET /api/meme/random",
            "GET /",
        ]
        .map(|line| format!("{line} {head}"))
    });
    // Concurrently, since idle connections are closed after the same time limit.
    futures_util::future::join_all(requests.map(async |request| {
        let (status, reply) = gateway.raw(&request).await;
        check(&request, status, &reply);
    }))
    .await;
    check_seen(&gateway);
}

#[actix_web::test]
async fn oversized_requests_are_rejected_and_freed() {
    let gateway = Gateway::start().await;
    for request in [
        format!("GET /{} HTTP/1.1\nHost: {HOST}\nConnection: close\n\n", "a".repeat(200_000)),
        format!("GET / HTTP/1.1\nHost: {HOST}\nX-Large: {}\nConnection: close\n\n", "a".repeat(300_000)),
        format!("GET / HTTP/1.1\nHost: {HOST}\n{}Connection: close\n\n", "X-Many: 1\n".repeat(1_000)),
        format!("GET / HTTP/1.1\nHost: {HOST}\nCookie: {}\nConnection: close\n\n", "a=b; ".repeat(10_000)),
        format!("{} / HTTP/1.1\nHost: {HOST}\n\n", "G".repeat(100_000)),
    ] {
        let (status, reply) = gateway.raw(&request).await;
        check(request.get(..60).unwrap(), status, &reply);
        assert_ne!(status, 200);
    }
    assert_eq!(gateway.on(HOST).get("/").await.status, 200);
}

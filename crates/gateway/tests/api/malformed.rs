//! Requests that violate HTTP: they get 400, close their connection, are counted, and are not logged as errors.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpStream},
    path::Path,
    time::{Duration, Instant},
};

use actix_web::rt::task::spawn_blocking;
use telemetry::names::MALFORMED_REQUESTS;
use testkit::{Scrape, eventually};

use crate::helpers::{Gateway, folders, process};

const HOST: &str = "memeworld.localhost";

/// Malformed requests, by how far a parser gets.
const GARBAGE: &[&str] = &[
    "\u{16}\u{3}\u{1}\0\u{5}hello\n\n",
    "garbage\n\n",
    "GET\n\n",
    "G@T / HTTP/1.1\nHost: memeworld.localhost\n\n",
    "GET /\0 HTTP/1.1\nHost: memeworld.localhost\n\n",
    "GET / HTTP/9.9\nHost: memeworld.localhost\n\n",
    "GET / HTTP/1.1 more\nHost: memeworld.localhost\n\n",
    "GET / HTTP/1.1\nno header\n\n",
    "GET / HTTP/1.1\nHost : memeworld.localhost\n\n",
    "GET / HTTP/1.1\n Host: memeworld.localhost\n\n",
    "GET / HTTP/1.1\nHost: memeworld.localhost\nX-Folded: a\n b\n\n",
    "GET / HTTP/1.1\nHost: memeworld.localhost\nX-Nul: a\0b\n\n",
    "GET / HTTP/1.1\nHost: memeworld.localhost\nX-Return: a\rX-More: b\n\n",
    "POST / HTTP/1.1\nHost: memeworld.localhost\nContent-Length: 5\nContent-Length: 6\n\nhello",
    "POST / HTTP/1.1\nHost: memeworld.localhost\nContent-Length: 5, 5\n\nhello",
    "POST / HTTP/1.1\nHost: memeworld.localhost\nContent-Length: +5\n\nhello",
    "POST / HTTP/1.1\nHost: memeworld.localhost\nContent-Length: 0x5\n\nhello",
    "POST / HTTP/1.1\nHost: memeworld.localhost\nTransfer-Encoding: xchunked\n\n0\n\n",
    "POST / HTTP/1.1\nHost: memeworld.localhost\nTransfer-Encoding: chunked, identity\n\n0\n\n",
    "POST / HTTP/1.0\nHost: memeworld.localhost\nTransfer-Encoding: chunked\n\n0\n\n",
];

/// Sends a malformed request and a valid one; returns the response until the connection was closed.
async fn send(addr: SocketAddr, garbage: &str) -> String {
    let request = format!("{garbage}GET / HTTP/1.1\nHost: {HOST}\n\n").replace('\n', "\r\n");
    spawn_blocking(move || {
        let mut stream = TcpStream::connect(addr).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut reply = Vec::new();
        // A server that closes with unread input may reset the connection; what was read before counts.
        let _ = stream.read_to_end(&mut reply);
        String::from_utf8_lossy(&reply).into_owned()
    })
    .await
    .unwrap()
}

#[actix_web::test]
async fn ambiguous_body_length_is_400_and_closes_the_connection() {
    let gateway = Gateway::start().await;
    for codings in
        ["gzip, chunked", "chunked, chunked", "chunked\nTransfer-Encoding: chunked", "gzip\nTransfer-Encoding: chunked"]
    {
        for path in ["/", "/api/meme/postlike", "/media/mcfunny/clip.mp4"] {
            let head = format!("POST {path} HTTP/1.1\nHost: {HOST}\nTransfer-Encoding: {codings}\n\n0\n\n");
            let reply = send(gateway.addr, &head).await;
            assert_eq!(reply.split(' ').nth(1), Some("400"), "{codings}, {path}: {reply:?}");
            assert_eq!(reply.matches("HTTP/1.").count(), 1, "{codings}, {path}: {reply:?}");
        }
    }
    assert!(gateway.upstream.seen().is_empty());
}

#[actix_web::test]
async fn malformed_request_is_400_and_counted_and_closes_the_connection() {
    let gateway = Gateway::start().await;
    let count = async || Scrape::of(gateway.ops).await.sum(MALFORMED_REQUESTS, &[]);
    let before = count().await;
    let started = Instant::now();
    for garbage in GARBAGE {
        let reply = send(gateway.addr, garbage).await;
        assert_eq!(reply.split(' ').nth(1), Some("400"), "{garbage:?} was answered {reply:?}");
        assert_eq!(reply.matches("HTTP/1.").count(), 1, "{garbage:?} was answered {reply:?}");
    }
    // The connections were closed by the error, and not by their time limit of 30 seconds.
    assert!(started.elapsed() < Duration::from_secs(30));
    eventually("all are counted", async || count().await - before >= GARBAGE.len() as f64).await;
    assert!(gateway.upstream.seen().is_empty());
}

#[actix_web::test]
async fn malformed_request_logs_no_error() {
    let folder = folders();
    let log = folder.path().join("log");
    let brands = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/brands.toml");
    let gateway = process(folder.path(), &brands, &log).await;
    let errors = || std::fs::read_to_string(&log).unwrap().lines().filter(|line| line.contains("ERROR")).count();
    let before = errors();
    for garbage in GARBAGE {
        send(gateway.addr, garbage).await;
    }
    send(gateway.addr, "POST /api/meme/x HTTP/1.1\nHost: memeworld.localhost\nTransfer-Encoding: chunked\n\nzz\n\n")
        .await;
    assert!(gateway.stop().await.success());
    assert_eq!(errors(), before, "{}", std::fs::read_to_string(&log).unwrap());
}

#[actix_web::test]
async fn missing_doubled_or_malformed_host_is_400() {
    let gateway = Gateway::start().await;
    for host in [
        "",
        "Host:\n",
        "Host:  \n",
        "Host: meme world.localhost\n",
        "Host: memeworld.localhost/api\n",
        "Host: memeworld.localhost?x\n",
        "Host: memeworld.localhost#x\n",
        "Host: memeworld.localhost\\x\n",
        "Host: user@memeworld.localhost\n",
        "Host: @memeworld.localhost\n",
        "Host: \"memeworld.localhost\"\n",
        "Host: 'memeworld.localhost'\n",
        "Host: memeworld.localhost:port\n",
        "Host: memeworld.localhost:99999\n",
        "Host: memeworld.localhost, diski99.localhost\n",
        "Host: http://memeworld.localhost\n",
        "Host: [::1\n",
        "Host: memew\u{f6}rld.localhost\n",
        "Host: memeworld.localhost\nHost: memeworld.localhost\n",
        "Host: memeworld.localhost\nHOST: diski99.localhost\n",
    ] {
        for line in
            ["GET /", "GET /api/meme/random", "HEAD /api/meme/random", "GET /favicon.svg", "POST /api/meme/postlike"]
        {
            let request = format!("{line} HTTP/1.1\n{host}Content-Length: 0\nConnection: close\n\n");
            let (status, reply) = gateway.raw(&request).await;
            assert_eq!(status, 400, "{request:?} was answered {reply}");
            assert!(reply.contains("application/problem+json"), "{request:?} was answered {reply}");
        }
    }
    assert!(gateway.upstream.seen().is_empty());
    for host in ["memeworld.localhost", "MEMEWORLD.localhost:8080", "memeworld.localhost.", "[::1]:8080", "127.0.0.1"] {
        assert_eq!(gateway.raw_get(host, "/api/meme/random", "").await.0, 200, "{host}");
    }
    // An absolute URL does not replace a malformed Host.
    assert_eq!(gateway.raw_get("a@b", "http://memeworld.localhost/api/meme/random", "").await.0, 400);
    // HTTP/1.0 needs no Host; such a request selects no brand.
    assert_eq!(gateway.raw("GET / HTTP/1.0\n\n").await.0, 200);
}

#[actix_web::test]
async fn ambiguous_body_length_does_not_allow_request_smuggling() {
    let gateway = Gateway::start().await;
    let inner = format!("GET /api/meme/smuggled HTTP/1.1\nHost: {HOST}\n\n");
    let length = inner.replace('\n', "\r\n").len();
    for (headers, body) in [
        (format!("Content-Length: {}\nTransfer-Encoding: chunked\n", length + 5), format!("0\n\n{inner}")),
        (format!("Transfer-Encoding: chunked\nContent-Length: {}\n", length + 5), format!("0\n\n{inner}")),
        ("Content-Length: 4\nTransfer-Encoding: chunked\n".to_owned(), format!("{length:x}\n{inner}\n0\n\n")),
        ("Content-Length: 0\nTransfer-Encoding: identity, chunked\n".to_owned(), format!("0\n\n{inner}")),
        (format!("Transfer-Encoding: identity\nContent-Length: {length}\n"), inner.clone()),
        (format!("Content-Length: 0\nContent-Length: {length}\n"), inner.clone()),
        (format!("Content-Length: {length}\nContent-Length: 0\n"), inner.clone()),
        ("Transfer-Encoding: chunked\n".to_owned(), format!("0;a={}\n\n{inner}", "x".repeat(20_000))),
        ("Transfer-Encoding: chunked\n".to_owned(), format!("10000000000000000\n{inner}")),
        ("Transfer-Encoding: chunked\n".to_owned(), format!("-1\n{inner}")),
    ] {
        let request = format!("POST /api/meme/outer HTTP/1.1\nHost: {HOST}\n{headers}\n{body}");
        let (status, reply) = gateway.raw(&request).await;
        assert!(matches!(status, 0 | 200 | 400), "{request:?} was answered {reply}");
        // Only status lines count: the test service echoes what it read, including request lines.
        assert!(reply.matches("HTTP/1.1 ").count() <= 1, "{request:?} was answered {reply}");
    }
    assert!(gateway.upstream.seen().iter().all(|seen| seen.address == "/api/meme/outer"));
}

//! Limits of one connection: time limits of heads and bodies, memory of unread responses, and how it is closed.

use std::{
    collections::BTreeMap,
    io::{ErrorKind, Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use actix_web::rt::task::spawn_blocking;
use gateway::Config;
use testkit::eventually;
use tokio::{io::AsyncWriteExt, net::TcpSocket};

use crate::helpers::{Gateway, read_response};

const HOST: &str = "memeworld.localhost";

/// Much longer than the time limit of one second here, and shorter than the production limit of 30.
const TIMEOUT: Duration = Duration::from_secs(20);

fn with_short_time_limits(config: &mut Config) {
    (config.protection.head_seconds, config.protection.body_seconds) = (1, 1);
}

/// Sends `bytes` and then `a` every 50 milliseconds until the connection is closed; returns the response.
fn send_slowly(stream: &mut TcpStream, bytes: &str) -> String {
    stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
    let started = Instant::now();
    let mut received = Vec::new();
    for byte in bytes.bytes().chain(std::iter::repeat(b'a')) {
        assert!(started.elapsed() < TIMEOUT, "still open after {bytes:?}");
        let sent = stream.write_all(&[byte]);
        let mut part = [0; 4096];
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(read) => received.extend_from_slice(&part[..read]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) && sent.is_ok() => {}
            Err(_) => break,
        }
    }
    String::from_utf8(received).unwrap()
}

#[actix_web::test]
async fn slow_head_closes_the_connection() {
    let gateway = Gateway::start_with(with_short_time_limits).await;
    let addr = gateway.addr;
    let checks = [
        None,
        Some(("GET", "")),
        Some(("GET", "Content-Length: 0\r\n")),
        Some(("POST", "Content-Length: 0\r\n")),
        Some(("POST", "Content-Length: 2\r\n")),
        Some(("POST", "Transfer-Encoding: chunked\r\n")),
    ]
    .map(|first| {
        spawn_blocking(move || {
            let mut stream = TcpStream::connect(addr).unwrap();
            stream.set_read_timeout(Some(TIMEOUT)).unwrap();
            if let Some((method, length)) = first {
                let body = match length {
                    "Content-Length: 2\r\n" => "{}",
                    "Transfer-Encoding: chunked\r\n" => "2\r\n{}\r\n0\r\n\r\n",
                    _ => "",
                };
                let request = format!("{method} /api/meme/first HTTP/1.1\r\nHost: {HOST}\r\n{length}\r\n{body}");
                stream.write_all(request.as_bytes()).unwrap();
                assert!(read_response(&stream).starts_with("HTTP/1.1 200"), "{first:?}");
            }
            let received = send_slowly(&mut stream, &format!("GET / HTTP/1.1\r\nHost: {HOST}\r\nX-Slow: "));
            assert!(received.is_empty() || received.starts_with("HTTP/1.1 408"), "{first:?}: {received}");
        })
    });
    for check in checks {
        check.await.unwrap();
    }
}

#[actix_web::test]
async fn slow_body_is_408_and_closes_the_connection() {
    let gateway = Gateway::start_with(with_short_time_limits).await;
    let addr = gateway.addr;
    for (path, length) in [
        ("/api/meme/postlike", "Content-Length: 60000\r\n\r\n"),
        ("/api/meme/postlike", "Transfer-Encoding: chunked\r\n\r\nfff\r\n"),
        ("/api/vitals", "Content-Length: 60000\r\n\r\n"),
        ("/join", "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\n"),
    ] {
        let received = spawn_blocking(move || {
            let mut stream = TcpStream::connect(addr).unwrap();
            let content_type = if path == "/api/vitals" { "Content-Type: application/json\r\n" } else { "" };
            let head = format!("POST {path} HTTP/1.1\r\nHost: {HOST}\r\n{content_type}{length}");
            stream.write_all(head.as_bytes()).unwrap();
            send_slowly(&mut stream, "")
        })
        .await
        .unwrap();
        let head = received.to_lowercase();
        assert!(head.starts_with("http/1.1 408") && head.contains("\r\nconnection: close\r\n"), "{path}: {received}");
        assert!(head.contains("application/problem+json"), "{path}: {received}");
        assert_eq!(head.matches("http/1.").count(), 1, "{path}: {received}");
    }
    assert!(gateway.upstream.seen().is_empty(), "a service was called with half a body");
}

#[actix_web::test]
async fn body_below_the_minimum_rate_is_408_before_the_time_limit() {
    let gateway = Gateway::start().await;
    let addr = gateway.addr;
    let received = spawn_blocking(move || {
        let mut stream = TcpStream::connect(addr).unwrap();
        let head = format!("POST /api/meme/postlike HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 60000\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        send_slowly(&mut stream, "")
    })
    .await
    .unwrap();
    assert!(received.starts_with("HTTP/1.1 408"), "{received}");
}

#[actix_web::test]
async fn request_with_connection_close_is_the_last_one() {
    let gateway = Gateway::start().await;
    let second = format!("GET /api/meme/second HTTP/1.1\nHost: {HOST}\n\n");
    for first in [
        format!("GET /api/meme/first HTTP/1.1\nHost: {HOST}\nConnection: close\n\n"),
        format!("GET /api/meme/first HTTP/1.1\nHost: {HOST}\nConnection: x, Close\n\n"),
        format!("GET /api/meme/first HTTP/1.1\nHost: {HOST}\nConnection: close\nConnection: keep-alive\n\n"),
        format!("GET /api/meme/first HTTP/1.0\nHost: {HOST}\n\n"),
        format!("GET /favicon.svg HTTP/1.0\nHost: {HOST}\n\n"),
        format!("HEAD /api/meme/first HTTP/1.1\nHost: {HOST}\nConnection: close\n\n"),
        format!("POST /api/meme/first HTTP/1.1\nHost: {HOST}\nConnection: close\nContent-Length: 2\n\n{{}}"),
        format!("POST /api/meme/first HTTP/1.0\nHost: {HOST}\nContent-Length: 2\n\n{{}}"),
    ] {
        let (status, reply) = gateway.raw(&format!("{first}{second}{second}")).await;
        assert_eq!((status, reply.matches("HTTP/1.").count()), (200, 1), "{first:?} was answered {reply}");
    }
    assert!(gateway.upstream.seen().iter().all(|seen| seen.address == "/api/meme/first"));
    // Without `close`, all requests of the same pipeline are answered in order.
    let last = second.replace("second", "last").replace("\n\n", "\nConnection: close\n\n");
    let (_, reply) = gateway.raw(&format!("{second}{second}{last}")).await;
    assert_eq!(reply.matches("HTTP/1.1 200").count(), 3, "{reply}");
    assert_eq!(gateway.last_seen().address, "/api/meme/last");
}

#[actix_web::test]
async fn client_that_does_not_read_is_paused_and_delays_no_other() {
    const CLIENTS: usize = 200;
    const REQUESTS: usize = 100;
    /// The most 64 KiB responses that may be buffered for one client: 128 KiB in the gateway, and the kernel's socket buffers.
    const MOST: usize = 24;
    let gateway = Gateway::start_with(|config| config.protection.rate_limit = 0).await;
    let mut clients = Vec::new();
    for client in 0..CLIENTS {
        let socket = TcpSocket::new_v4().unwrap();
        // Otherwise the kernel would buffer the responses.
        socket.set_recv_buffer_size(4096).unwrap();
        let mut stream = socket.connect(gateway.addr).await.unwrap();
        let request = |n: usize| format!("GET /api/meme/filler?{client}-{n} HTTP/1.1\r\nHost: {HOST}\r\n\r\n");
        let pipeline: String = (0..REQUESTS).map(request).collect();
        stream.write_all(pipeline.as_bytes()).await.unwrap();
        clients.push(stream);
    }
    let browser = gateway.on(HOST);
    let mut fastest = Duration::MAX;
    for _ in 0..5 {
        let started = Instant::now();
        browser.get_ok("/api/meme/random").await;
        fastest = fastest.min(started.elapsed());
    }
    assert!(fastest < Duration::from_secs(1), "another client waited for {fastest:?}");

    let counts = || {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for seen in gateway.upstream.seen() {
            if let Some((client, _)) = seen.address.strip_prefix("/api/meme/filler?").and_then(|id| id.split_once('-'))
            {
                *counts.entry(client.to_owned()).or_default() += 1;
            }
        }
        counts
    };
    let mut before = BTreeMap::new();
    eventually("no further request is read", async || {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let now = counts();
        let is_settled = now.len() == CLIENTS && now == before;
        before = now;
        is_settled
    })
    .await;
    let most = before.values().max().copied().unwrap_or_default();
    assert!(most <= MOST, "{most} of {REQUESTS} requests of a client that does not read were answered");
    drop(clients);
}

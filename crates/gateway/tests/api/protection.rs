//! Limits per visitor, and https.

use std::{
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    time::Duration,
};

use gateway::Config;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use reqwest::{Certificate, Method};
use testkit::{eventually, session_cookie};

use crate::helpers::Gateway;

const HOST: &str = "mcfunny.localhost:8080";

fn with_low_limits(config: &mut Config) {
    config.protection.rate_limit = 1;
    config.protection.rate_burst = 5;
    config.trusted_proxies = "127.0.0.0/8".parse().unwrap();
}

#[actix_web::test]
async fn rate_limit_of_an_address_does_not_affect_others() {
    let gateway = Gateway::start_with(with_low_limits).await;
    let browser = gateway.on(HOST);
    let get = async |path: &str, client: &str| {
        let request = browser.request(Method::GET, path).header("x-forwarded-for", client);
        browser.send(request.header("cookie", session_cookie("mcfunny", 148, "27812345678"))).await
    };
    let mut refused = None;
    for _ in 0..500 {
        let reply = get("/api/meme/random", "41.0.0.9").await;
        if reply.status != 200 {
            refused = Some(reply);
            break;
        }
    }
    let refused = refused.expect("five hundred at once are too many");
    assert_eq!((refused.status, refused.header("content-type")), (429, "application/problem+json"));
    assert!(refused.header("retry-after").parse::<u64>().is_ok_and(|seconds| (1..=5).contains(&seconds)));
    assert!(!refused.json()["error_message"].as_str().unwrap().is_empty());
    let seen = gateway.upstream.seen().len();
    for path in ["/", "/api/meme/random", "/img/rs:fit:160:0/plain/https://images.spaza.example/demo/small.jpg@webp"] {
        // The limit allows one request per second again: what counts is that most are rejected.
        let mut statuses = Vec::new();
        for _ in 0..50 {
            statuses.push(get(path, "41.0.0.9").await.status);
        }
        assert!(statuses.contains(&429), "{path}: {statuses:?}");
    }
    assert!(gateway.upstream.seen().len() < seen + 50, "rejected requests are not forwarded");
    for _ in 0..20 {
        assert_eq!(get("/media/mcfunny/clip.mp4", "41.0.0.9").await.status, 200, "a film goes on");
    }
    assert_eq!(get("/api/meme/random", "41.0.0.10").await.status, 200, "another address is not limited");
    assert_eq!(browser.get("/healthz").await.status, 200);
}

#[actix_web::test]
async fn rate_limit_0_is_no_limit() {
    let gateway = Gateway::start_with(|config| config.protection.rate_limit = 0).await;
    for _ in 0..200 {
        assert_eq!(gateway.on(HOST).get("/favicon.svg").await.status, 200);
    }
}

#[actix_web::test]
async fn connections_of_an_address_are_limited() {
    let gateway = Gateway::start_with(|config| config.protection.max_connections_per_address = 3).await;
    let addr = gateway.addr;
    let ask = move |stream: &mut TcpStream| {
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(b"GET /favicon.svg HTTP/1.1\r\nHost: mcfunny.localhost\r\n\r\n").unwrap();
        let mut reply = [0; 4096];
        let read = stream.read(&mut reply).unwrap();
        String::from_utf8_lossy(&reply[..read]).into_owned()
    };
    let visitors = actix_web::rt::task::spawn_blocking(move || {
        let mut held: Vec<TcpStream> = (0..3).map(|_| TcpStream::connect(addr).unwrap()).collect();
        for stream in &mut held {
            assert!(ask(stream).starts_with("HTTP/1.1 200"));
        }
        let mut one_more = TcpStream::connect(addr).unwrap();
        let refused = ask(&mut one_more);
        assert!(refused.starts_with("HTTP/1.1 429") && refused.contains("connection: close"), "{refused}");
        assert!(refused.contains("retry-after: "), "{refused}");
        for stream in &mut held {
            assert!(ask(stream).starts_with("HTTP/1.1 200"), "an open connection stays");
        }
    });
    visitors.await.unwrap();
    // All four are closed.
    eventually("there is room again", async || {
        actix_web::rt::task::spawn_blocking(move || ask(&mut TcpStream::connect(addr).unwrap()))
            .await
            .unwrap()
            .starts_with("HTTP/1.1 200")
    })
    .await;
}

#[actix_web::test]
async fn connections_beyond_the_total_limit_wait() {
    let gateway = Gateway::start_with(|config| config.protection.max_connections = 2).await;
    let addr = gateway.addr;
    let request = b"GET /favicon.svg HTTP/1.1\r\nHost: mcfunny.localhost\r\n\r\n";
    actix_web::rt::task::spawn_blocking(move || {
        let mut held: Vec<TcpStream> = (0..2).map(|_| TcpStream::connect(addr).unwrap()).collect();
        let mut reply = [0; 4096];
        for stream in &mut held {
            stream.write_all(request).unwrap();
            assert!(stream.read(&mut reply).unwrap() > 0);
        }
        let mut waiting: Vec<TcpStream> = (0..3).map(|_| TcpStream::connect(addr).unwrap()).collect();
        for stream in &mut waiting {
            stream.write_all(request).unwrap();
        }
        waiting[2].set_read_timeout(Some(Duration::from_millis(500))).unwrap();
        assert!(waiting[2].read(&mut reply).is_err(), "it waits");
        drop(held);
        drop(waiting.remove(0));
        for stream in &mut waiting {
            stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        }
        assert!(waiting[0].read(&mut reply).unwrap() > 0);
        drop(waiting.remove(0));
        assert!(waiting[0].read(&mut reply).unwrap() > 0);
    })
    .await
    .unwrap();
}

/// Writes a certificate for the host to the configured files.
fn certificate(folder: &Path) -> Certificate {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["mcfunny.localhost".to_owned()]).unwrap();
    std::fs::write(folder.join("key.pem"), signing_key.serialize_pem()).unwrap();
    std::fs::write(folder.join("cert.pem"), cert.pem()).unwrap();
    Certificate::from_pem(cert.pem().as_bytes()).unwrap()
}

#[actix_web::test]
async fn certificate_enables_https_and_is_reloaded() {
    let folder = tempfile::tempdir().unwrap();
    let first = certificate(folder.path());
    let gateway = Gateway::start_with(|config| {
        config.protection.tls_cert = Some(folder.path().join("cert.pem"));
        config.protection.tls_key = Some(folder.path().join("key.pem"));
    })
    .await;
    let addr = gateway.addr;
    let get = async |trusted: &Certificate, path: &str| {
        let client = reqwest::Client::builder().no_proxy().tls_certs_only([trusted.clone()]);
        let client = client.resolve("mcfunny.localhost", addr).build().unwrap();
        client.get(format!("https://mcfunny.localhost:{}{path}", addr.port())).send().await
    };
    for path in ["/", "/favicon.svg", "/api/meme/random", "/api/meme/bare", "/media/mcfunny/clip.mp4", "/nothing.js"] {
        let reply = get(&first, path).await.unwrap();
        assert_eq!(reply.headers()["strict-transport-security"], "max-age=31536000", "{path}");
    }
    get(&first, "/api/subscribe/me").await.unwrap();
    assert_eq!(gateway.last_seen().headers["x-forwarded-proto"], ["https"]);
    let plain = testkit::client().get(format!("http://{addr}/")).send().await;
    assert!(plain.is_err(), "no plain http there");

    let second = certificate(folder.path());
    eventually("the new certificate", async || get(&second, "/").await.is_ok()).await;
    assert!(get(&first, "/").await.is_err());
    // Half of a pair, or an invalid pair, changes nothing.
    std::fs::write(folder.path().join("key.pem"), "").unwrap();
    for _ in 0..50 {
        assert!(get(&second, "/").await.is_ok());
        actix_web::rt::time::sleep(Duration::from_millis(50)).await;
    }
}

#[actix_web::test]
async fn forwarded_proto_of_an_untrusted_peer_is_ignored() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    let reply = browser.send(browser.request(Method::GET, "/").header("x-forwarded-proto", "https")).await;
    assert_eq!(reply.header("strict-transport-security"), "");
}

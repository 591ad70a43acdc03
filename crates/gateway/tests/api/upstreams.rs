//! Replicas, and unavailable services.

use std::net::TcpListener;

use reqwest::Method;
use serde_json::json;
use testkit::{Reserved, eventually};

use crate::helpers::{Gateway, Upstream};

const HOST: &str = "memeworld.localhost";

#[actix_web::test]
async fn unavailable_service_affects_only_its_own_paths() {
    let unused = Reserved::any();
    let gateway =
        Gateway::start_with(|config| config.meme_url = format!("http://{}", unused.addr).parse().unwrap()).await;
    let browser = gateway.on(HOST);
    for reply in [browser.get("/api/meme/random").await, browser.post("/api/meme/postlike", &json!({})).await] {
        assert_eq!((reply.status, reply.header("content-type")), (503, "application/problem+json"));
        assert!(!reply.header("retry-after").is_empty());
        assert!(!String::from_utf8_lossy(&reply.bytes).contains("127.0.0.1"));
    }
    assert_eq!(gateway.on("diski99.localhost").get("/api/diski/fetchArtist").await.status, 200);
    assert_eq!(browser.get("/").await.status, 200);
}

#[actix_web::test]
async fn call_that_could_not_connect_is_retried_on_the_next_replica() {
    let (unused, second) = (Reserved::any(), Upstream::start().await);
    let urls = format!("http://{},http://{}", unused.addr, second.addr);
    let gateway = Gateway::start_with(|config| config.meme_url = urls.parse().unwrap()).await;
    let browser = gateway.on(HOST);
    for _ in 0..4 {
        assert_eq!(browser.get("/api/meme/random").await.status, 200);
        assert_eq!(browser.post("/api/meme/postlike", &json!({ "id": 1 })).await.status, 200);
        assert_eq!(browser.delete("/api/meme/unlike", &json!({ "meme_id": 1 })).await.status, 200);
    }
    assert_eq!(second.seen().len(), 12);
    assert!(second.seen().iter().filter(|call| call.method == "DELETE").all(|call| call.body == r#"{"meme_id":1}"#));
}

#[actix_web::test]
async fn broken_call_is_retried_only_if_idempotent() {
    // A replica that is ready, and closes the connection of every other call.
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let cutter = listener.local_addr().unwrap();
    actix_web::rt::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = [0; 64 * 1024];
            let read = tokio::io::AsyncReadExt::read(&mut stream, &mut head).await.unwrap_or(0);
            if head[..read].starts_with(b"GET /readyz") {
                let ready = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
                let _ = tokio::io::AsyncWriteExt::write_all(&mut stream, ready).await;
            }
        }
    });
    let second = Upstream::start().await;
    let urls = format!("http://{cutter},http://{}", second.addr);
    let gateway = Gateway::start_with(|config| config.meme_url = urls.parse().unwrap()).await;
    let browser = gateway.on(HOST);
    for _ in 0..20 {
        assert_eq!(browser.get("/api/meme/random").await.status, 200);
    }
    let mut refused = 0;
    for sent in 1..=100 {
        let before = second.seen().len();
        let status = browser.post("/api/meme/postlike", &json!({})).await.status;
        assert!(matches!(status, 200 | 503), "{status}");
        assert_eq!(second.seen().len() - before, usize::from(status == 200), "never sent twice");
        refused += usize::from(status == 503);
        if refused > 0 && sent > refused {
            return;
        }
    }
    panic!("of 100 calls {refused} went to the replica that hangs up");
}

#[actix_web::test]
async fn calls_go_to_the_least_loaded_replica() {
    let (first, second) = (Upstream::start().await, Upstream::start().await);
    let urls = format!("http://{},http://{}", first.addr, second.addr);
    let gateway = Gateway::start_with(|config| config.meme_url = urls.parse().unwrap()).await;
    let browser = gateway.on(HOST);
    futures_util::future::join_all((0..40).map(|_| browser.get_ok("/api/meme/random"))).await;
    let (some, others) = (first.seen().len(), second.seen().len());
    assert_eq!(some + others, 40);
    assert!(some.min(others) >= 4, "{some} and {others}");
}

#[actix_web::test]
async fn replica_that_is_not_ready_gets_no_calls() {
    let (first, second) = (Upstream::start().await, Upstream::start().await);
    second.set_ready(false);
    let urls = format!("http://{},http://{}", first.addr, second.addr);
    let gateway = Gateway::start_with(|config| config.meme_url = urls.parse().unwrap()).await;
    let browser = gateway.on(HOST);
    let spared = async || {
        let before = second.seen().len();
        for _ in 0..20 {
            browser.get_ok("/api/meme/random").await;
        }
        second.seen().len() == before
    };
    eventually("spared", spared).await;
    second.set_ready(true);
    eventually("asked again", async || !spared().await).await;
}

#[actix_web::test]
async fn restarted_service_is_used_again() {
    // The port stays reserved, or another test might get it.
    let place = Reserved::any();
    let first = Upstream::start_on(TcpListener::bind(place.addr).unwrap());
    let gateway = Gateway::start_with(|config| config.meme_url = first.url()).await;
    let browser = gateway.on(HOST);
    browser.get_ok("/api/meme/random").await;
    first.stop().await;
    // The stop does not wait for open connections.
    eventually("the service is away", async || browser.get("/api/meme/random").await.status == 503).await;
    let again = Upstream::start_on(TcpListener::bind(place.addr).unwrap());
    browser.get_ok("/api/meme/random").await;
    assert_eq!(again.seen().len(), 1);
}

#[actix_web::test]
async fn readyz_is_a_status_in_public_and_detailed_for_operators() {
    let gateway = Gateway::start().await;
    let outside = gateway.on(HOST);
    let operators = testkit::Client::new(gateway.ops, "localhost");
    let reply = outside.get("/healthz").await;
    assert_eq!((reply.status, reply.bytes.len()), (200, 0));
    // A probe waits two seconds for each service; on a busy machine it is repeated, as probes are.
    eventually("ready", async || {
        let reply = outside.get("/readyz").await;
        assert_eq!(reply.bytes.len(), 0);
        reply.status == 200
    })
    .await;
    let ask = async || operators.send(operators.request(Method::GET, "/readyz")).await;
    let mut detail = json!(null);
    eventually("ready in detail", async || {
        let reply = ask().await;
        detail = reply.json();
        assert_eq!(detail["ready"], reply.status == 200);
        reply.status == 200
    })
    .await;
    let parts: Vec<_> = detail["parts"].as_array().unwrap().iter().map(|part| part["part"].as_str().unwrap()).collect();
    assert_eq!(parts, ["comedy", "diski", "meme", "tt", "subscription"]);
    assert_eq!(
        (&detail["version"], &detail["revision"]),
        (&json!(env!("CARGO_PKG_VERSION")), &json!(service::REVISION))
    );

    gateway.upstream.set_ready(false);
    eventually("not ready", async || outside.get("/readyz").await.status == 503).await;
    assert_eq!(outside.get("/readyz").await.bytes.len(), 0);
    let reply = ask().await;
    assert_eq!((reply.status, &reply.json()["ready"]), (503, &json!(false)));
    assert_eq!(outside.get("/healthz").await.status, 200);
}

//! Replicas, and services that are away.

use std::net::TcpListener;

use reqwest::Method;
use serde_json::json;
use testkit::{Reserved, eventually};

use crate::helpers::{Gateway, Upstream};

const HOST: &str = "memeworld.localhost";

#[actix_web::test]
async fn a_service_that_is_away_takes_only_its_own_paths_down() {
    let nobody = Reserved::any();
    let gateway =
        Gateway::start_with(|config| config.meme_url = format!("http://{}", nobody.addr).parse().unwrap()).await;
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
async fn what_never_reached_a_replica_is_tried_on_the_next() {
    let (nobody, second) = (Reserved::any(), Upstream::start().await);
    let urls = format!("http://{},http://{}", nobody.addr, second.addr);
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
async fn a_cut_connection_is_tried_again_only_where_twice_is_once() {
    // A replica that takes every connection, reads a little and hangs up.
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let cutter = listener.local_addr().unwrap();
    actix_web::rt::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = tokio::io::AsyncReadExt::read(&mut stream, &mut [0; 64 * 1024]).await;
        }
    });
    let second = Upstream::start().await;
    let urls = format!("http://{cutter},http://{}", second.addr);
    let gateway = Gateway::start_with(|config| config.meme_url = urls.parse().unwrap()).await;
    let browser = gateway.on(HOST);
    for _ in 0..4 {
        assert_eq!(browser.get("/api/meme/random").await.status, 200);
    }
    let mut statuses = Vec::new();
    for _ in 0..4 {
        statuses.push(browser.post("/api/meme/postlike", &json!({})).await.status);
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 200, 503, 503]);
}

#[actix_web::test]
async fn replicas_take_turns() {
    let (first, second) = (Upstream::start().await, Upstream::start().await);
    let urls = format!("http://{},http://{}", first.addr, second.addr);
    let gateway = Gateway::start_with(|config| config.meme_url = urls.parse().unwrap()).await;
    for _ in 0..6 {
        gateway.on(HOST).get_ok("/api/meme/random").await;
    }
    assert_eq!((first.seen().len(), second.seen().len()), (3, 3));
}

#[actix_web::test]
async fn a_restarted_service_is_found_again() {
    // Kept between the two, or another test might be given the port.
    let place = Reserved::any();
    let first = Upstream::start_on(TcpListener::bind(place.addr).unwrap());
    let gateway = Gateway::start_with(|config| config.meme_url = first.url()).await;
    let browser = gateway.on(HOST);
    browser.get_ok("/api/meme/random").await;
    first.stop().await;
    // It does not wait for its connections' end.
    eventually("the service is away", async || browser.get("/api/meme/random").await.status == 503).await;
    let again = Upstream::start_on(TcpListener::bind(place.addr).unwrap());
    browser.get_ok("/api/meme/random").await;
    assert_eq!(again.seen().len(), 1);
}

#[actix_web::test]
async fn readiness_is_bare_outside_and_told_in_detail_to_operators() {
    let gateway = Gateway::start().await;
    let outside = gateway.on(HOST);
    let operators = testkit::Client::new(gateway.ops, "localhost");
    let reply = outside.get("/healthz").await;
    assert_eq!((reply.status, reply.bytes.len()), (200, 0));
    // A probe gives each service two seconds: where a busy machine takes longer it is asked again, as probes are.
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

    gateway.upstream.set_ready(false);
    let reply = outside.get("/readyz").await;
    assert_eq!((reply.status, reply.bytes.len()), (503, 0));
    let reply = ask().await;
    assert_eq!((reply.status, &reply.json()["ready"]), (503, &json!(false)));
    assert_eq!(outside.get("/healthz").await.status, 200);
}

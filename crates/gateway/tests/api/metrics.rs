//! Metrics of requests, replicas and the reply cache on the operators' listener.

use reqwest::Method;
use serde_json::json;
use testkit::{Client, Reserved, Scrape, eventually};

use crate::helpers::{Gateway, Upstream};

const REQUESTS: &str = "spaza_http_requests_total";
const CACHED_REPLIES: &str = "spaza_kept_replies_total";

#[actix_web::test]
async fn requests_are_counted_by_route_and_not_by_url() {
    let gateway = Gateway::start().await;
    let browser = gateway.on("mcfunny.localhost");
    let before = Scrape::of(gateway.ops).await;
    for path in [
        "/api/madfunny/secret-27812345678?a=secret",
        "/api/meme/problem",
        "/api/secret",
        "/media/mcfunny/secret.mp4",
        "/img/secret",
        "/assets/small.css",
        "/secret",
        "/",
        "/healthz",
    ] {
        browser.get(path).await;
    }
    browser.post("/api/madfunny/secret", &json!({})).await;
    browser.send(browser.request(Method::from_bytes(b"SECRET").unwrap(), "/api/meme/random")).await;
    let after = Scrape::of(gateway.ops).await;
    for (method, route, status) in [
        ("GET", "/api/madfunny", "200"),
        ("POST", "/api/madfunny", "200"),
        ("GET", "/api/meme", "404"),
        ("GET", "/api", "404"),
        ("GET", "/media/{file}", "401"),
        ("GET", "/img/{picture}", "400"),
        ("GET", "/assets/{file}", "200"),
        ("GET", "(page)", "200"),
        ("GET", "(page)", "404"),
        ("GET", "/healthz", "200"),
        ("GET", "/metrics", "200"),
    ] {
        let labels = [("service", "gateway"), ("method", method), ("route", route), ("status", status)];
        let rise = after.sum(REQUESTS, &labels) - before.sum(REQUESTS, &labels);
        assert!(rise >= 1.0, "{labels:?} rose by {rise} in {after:?}");
    }
    let invented = [("service", "gateway"), ("method", "(other)")];
    assert!(after.sum(REQUESTS, &invented) > before.sum(REQUESTS, &invented), "{after:?}");
    let relayed = [("service", "gateway"), ("route", "/api/madfunny")];
    assert!(after.sum("spaza_http_request_seconds_count", &relayed) >= 2.0);
    assert!(after.sum("spaza_http_request_seconds_sum", &relayed) > 0.0);
    let all = [("service", "gateway"), ("route", "/api/madfunny"), ("le", "+Inf")];
    assert_eq!(
        after.sum("spaza_http_request_seconds_bucket", &all),
        after.sum("spaza_http_request_seconds_count", &relayed)
    );
    let build = [("service", "gateway"), ("version", env!("CARGO_PKG_VERSION")), ("revision", service::REVISION)];
    assert_eq!(after.sum("spaza_build_info", &build), 1.0);
    let metrics = Client::new(gateway.ops, "localhost").get("/metrics").await;
    assert!(!String::from_utf8_lossy(&metrics.bytes).to_lowercase().contains("secret"), "metrics contain a URL");
}

#[actix_web::test]
async fn replicas_and_retries_are_counted() {
    // No other test in this process has three replicas of one service, so only this gateway's gauge can be 2.
    let (first, second, there) = (Reserved::any(), Reserved::any(), Upstream::start().await);
    let urls = format!("http://{},http://{},http://{}", first.addr, second.addr, there.addr);
    let gateway = Gateway::start_with(|config| config.comedy_url = urls.parse().unwrap()).await;
    let browser = gateway.on("mcfunny.localhost");
    let retries = async || Scrape::of(gateway.ops).await.sum("spaza_upstream_retries_total", &[("service", "comedy")]);
    let before = retries().await;
    assert_eq!(browser.get("/api/madfunny/fetchArtist").await.status, 200);
    eventually("the replicas' states", async || {
        let metrics = Scrape::of(gateway.ops).await;
        metrics.sum("spaza_upstream_replicas", &[("service", "comedy"), ("state", "away")]) == 2.0
    })
    .await;
    // Replicas known to be unavailable are tried only if no other is left.
    there.stop().await;
    assert_eq!(browser.get("/api/madfunny/fetchArtist?again").await.status, 503);
    assert!(retries().await > before);
}

#[actix_web::test]
async fn cached_replies_are_counted_by_outcome() {
    let gateway = Gateway::start().await;
    let browser = gateway.on("ttmbhatv.localhost");
    let counts = async || {
        let metrics = Scrape::of(gateway.ops).await;
        ["hit", "miss", "stale", "private"].map(|outcome| metrics.sum(CACHED_REPLIES, &[("outcome", outcome)]))
    };
    let rose = |before: [f64; 4], after: [f64; 4], outcome: usize| after[outcome] > before[outcome];
    let before = counts().await;
    browser.get("/api/tt/own-metrics").await;
    let path = "/api/tt/shown/metrics";
    eventually("a reply from memory", async || {
        browser.get(path).await;
        rose(before, counts().await, 0)
    })
    .await;
    let after = counts().await;
    assert!(rose(before, after, 1) && rose(before, after, 3), "{before:?} {after:?}");
    browser.get(path).await;
    gateway.upstream.set_broken(true);
    eventually("a reply beyond its time", async || {
        browser.get(path).await;
        rose(before, counts().await, 2)
    })
    .await;
}

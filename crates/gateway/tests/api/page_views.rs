//! Replies embedded in pages, and web vitals.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Client, eventually};

use crate::helpers::{Gateway, boot, data};

const HOST: &str = "racedaytv.localhost";

async fn page(browser: &Client, path: &str) -> (String, Vec<String>) {
    let reply = browser.get(path).await;
    let links = reply.headers.get_all("link").iter().map(|link| link.to_str().unwrap().to_owned()).collect();
    (String::from_utf8(reply.bytes).unwrap(), links)
}

#[actix_web::test]
async fn page_embeds_its_first_replies() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    let (text, links) = page(&browser, "/ttredirect?result=active").await;
    assert_eq!(links, ["</assets/app.0123456789.js>; rel=preload; as=script"]);
    // Its stylesheet stands in the page, allowed by its hash; other pages do not have it.
    let style = "<style data-href=\"/assets/small.css\">body{}</style>";
    let hash = "'sha256-fJgEClQWV1hGkK4qHMO0KotTsVnMYMXTq7/suurGyUo='";
    assert!(text.contains(&format!("{style}<script")), "{text}");
    assert!(browser.get("/ttredirect").await.header("content-security-policy").contains(hash));
    let terms = browser.get("/terms").await;
    assert!(!terms.header("content-security-policy").contains(hash));
    assert!(!String::from_utf8(terms.bytes).unwrap().contains(style));
    assert_eq!(boot(&text)["page"], "tt-home");
    let replies = data(&text, "replies").unwrap();
    let shown = &replies["/api/tt/shown/raceday?first"];
    assert_eq!((&shown["label"], &shown["what"]), (&json!("racedaytv"), &json!("<b>")));
    assert!(!text.contains("<b>"), "no reply ends the element it stands in");
    // Replies that are not cached are fetched for each page, without the visitor's cookies and address.
    let own = &replies["/api/tt/own"];
    assert_eq!(own["headers"]["host"], json!(["racedaytv"]));
    assert_eq!((&own["headers"]["cookie"], &own["headers"]["x-forwarded-for"]), (&Value::Null, &Value::Null));

    let (text, links) = page(&browser, "/ttsingle/7").await;
    assert_eq!((boot(&text)["page"].as_str(), links.len()), (Some("tt-video"), 0));
    assert_eq!(data(&text, "replies").unwrap()["/api/tt/shown/7"]["label"], "racedaytv");

    for (path, name) in [("/terms", "terms"), ("/ttsingle/7/8", "not-found"), ("/", "home")] {
        let (text, _) = page(&browser, path).await;
        assert_eq!((boot(&text)["page"].as_str(), data(&text, "replies")), (Some(name), None), "{path}");
    }
}

#[actix_web::test]
async fn concurrent_pages_all_embed_a_private_reply() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    for _ in 0..2 {
        let pages = futures_util::future::join_all((0..20).map(|_| page(&browser, "/ttredirect"))).await;
        for (text, _) in pages {
            assert!(data(&text, "replies").unwrap()["/api/tt/own"].is_object(), "{text}");
        }
    }
}

#[actix_web::test]
async fn page_is_sent_in_the_negotiated_encoding() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    for (takes, packing) in [("gzip, br", "br"), ("gzip", "gzip"), ("identity", "")] {
        let request = browser.request(Method::GET, "/ttredirect").header("accept-encoding", takes);
        let reply = browser.send(request).await;
        assert_eq!(
            (reply.header("content-encoding"), reply.header("vary")),
            (packing, "accept-encoding, accept-language, cookie")
        );
        assert_eq!(reply.bytes.starts_with(b"<!doctype"), packing.is_empty());
    }
}

#[actix_web::test]
async fn page_is_sent_without_replies_of_an_unavailable_service() {
    let gateway = Gateway::start_with(|config| config.tt_url = "http://127.0.0.1:1".parse().unwrap()).await;
    let (text, _) = page(&gateway.on(HOST), "/ttredirect").await;
    assert_eq!((boot(&text)["page"].as_str(), data(&text, "replies")), (Some("tt-home"), None));
}

#[actix_web::test]
async fn web_vitals_are_counted_by_brand_and_page() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    let figure = json!({ "page": "tt-home", "name": "LCP", "value": 812.5, "rating": "good" });
    for _ in 0..2 {
        assert_eq!(browser.post("/api/vitals", &figure).await.status, 204);
    }
    let with = |name: &str, value: Value| {
        let mut changed = figure.clone();
        changed[name] = value;
        changed
    };
    for (body, status) in [
        (with("page", json!("/ttredirect?msisdn=27812345678")), 422),
        (with("page", json!("nothing")), 422),
        (with("value", json!(-1)), 422),
        (with("value", json!(600_001)), 422),
        (with("value", json!(1e308)), 422),
        (with("value", json!("1")), 400),
        (with("name", json!("TTFB")), 400),
        (with("rating", json!("x")), 400),
        (with("msisdn", json!("27812345678")), 400),
        (json!([]), 400),
    ] {
        let reply = browser.post("/api/vitals", &body).await;
        assert_eq!((reply.status, reply.header("content-type")), (status, "application/problem+json"), "{body}");
    }
    let plain = browser.request(Method::POST, "/api/vitals").body("{}");
    assert_eq!(browser.send(plain).await.status, 415);
    assert_eq!(gateway.on("localhost").post("/api/vitals", &figure).await.status, 404);

    let operators = Client::new(gateway.ops, "localhost");
    let line = "spaza_web_vitals_total{brand=\"racedaytv\",page=\"tt-home\",name=\"LCP\",rating=\"good\"} 2";
    eventually("counted", async || {
        String::from_utf8_lossy(&operators.get("/metrics").await.bytes).lines().any(|known| known == line)
    })
    .await;
    assert_eq!(browser.get("/metrics").await.status, 404, "metrics are not public");
}

#[actix_web::test]
async fn playbacks_are_counted_by_brand_engine_and_rendition() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    let played =
        json!({ "v": 2, "msd": 900, "bsa": 2, "bsda": 3500, "spaza-played": 60_000, "spaza-rendition": "360p" });
    let with = |name: &str, value: Value| {
        let mut changed = played.clone();
        changed[name] = value;
        changed
    };
    let failed = json!({ "v": 2, "bsa": 0, "bsda": 0, "ec": "404", "spaza-played": 0, "spaza-rendition": "none" });
    let safari = "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15";
    let chrome =
        "Mozilla/5.0 (Linux; Android 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36";
    for (agent, body, status) in [
        (chrome, played.clone(), 204),
        (chrome, with("ec", json!("mediaError")), 204),
        (safari, failed, 204),
        (safari, with("spaza-rendition", json!("27812345678")), 204),
        (chrome, with("v", json!(1)), 422),
        (chrome, with("msd", json!(600_001)), 422),
        (chrome, with("bsda", json!(86_400_001)), 422),
        (chrome, with("bsa", json!(-1)), 400),
        (chrome, with("msisdn", json!("27812345678")), 400),
    ] {
        let request = browser.request(Method::POST, "/api/vitals").header("user-agent", agent).json(&body);
        assert_eq!(browser.send(request).await.status, status, "{body}");
    }
    let operators = Client::new(gateway.ops, "localhost");
    let plays = |engine: &str, rendition: &str, outcome: &str| {
        format!(
            "spaza_plays_total{{brand=\"racedaytv\",engine=\"{engine}\",rendition=\"{rendition}\",outcome=\"{outcome}\"}} 1"
        )
    };
    let sum = |name: &str, sum: u32| {
        format!("spaza_{name}_total{{brand=\"racedaytv\",engine=\"blink\",rendition=\"360p\"}} {sum}")
    };
    let expected = [
        plays("blink", "360p", "played"),
        plays("blink", "360p", "broken"),
        plays("webkit", "none", "failed"),
        plays("webkit", "other", "played"),
        sum("stalls", 4),
        sum("stalled_milliseconds", 7000),
        sum("played_milliseconds", 120_000),
    ];
    eventually("counted", async || {
        let text = String::from_utf8_lossy(&operators.get("/metrics").await.bytes).into_owned();
        expected.iter().all(|line| text.lines().any(|known| known == line))
    })
    .await;
}

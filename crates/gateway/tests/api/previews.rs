//! Previews: links, the calls of a browser that opened one, and pages.

use std::time::Duration;

use reqwest::Method;
use service::{Preview, timestamp};
use testkit::{Client, Reply};

use crate::helpers::{Gateway, data};

const HOST: &str = "ttmbhatv.localhost";
const LIST: &str = "/api/tt/shown/list";

async fn start() -> Gateway {
    let key = testkit::staff_key().public_key();
    Gateway::start_with(|config| config.staff_token_public_keys = Some(key)).await
}

fn token(service: &str, page: &str, seconds: i64) -> String {
    let preview = Preview {
        preview: 1,
        catalogue: "tt".to_owned(),
        service: service.to_owned(),
        page: page.to_owned(),
        until: timestamp::now().and_utc().timestamp() + seconds,
    };
    preview.sign(&testkit::staff_key()).unwrap()
}

async fn get(browser: &Client, path: &str, headers: &[(&str, &str)]) -> Reply {
    let request =
        headers.iter().fold(browser.request(Method::GET, path), |request, (name, value)| request.header(*name, *value));
    browser.send(request).await
}

fn text(reply: &Reply) -> String {
    String::from_utf8_lossy(&reply.bytes).into_owned()
}

#[actix_web::test]
async fn link_sets_a_cookie_for_its_hour_and_leads_to_its_page() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let token = token("ttmbhatv", "/ttsingle/7/ttmbhatv", 1800);
    let reply = browser.get(&format!("/preview?token={token}")).await;
    assert_eq!((reply.status, reply.header("location")), (303, "/ttsingle/7/ttmbhatv"));
    let cookie = reply.header("set-cookie");
    let (start, age) = cookie.split_once("Max-Age=").unwrap();
    assert_eq!(start, format!("preview={token}; Path=/; "));
    let (seconds, rest) = age.split_once(';').unwrap();
    assert!((1790..=1800).contains(&seconds.parse::<i64>().unwrap()), "{cookie}");
    assert_eq!(rest, " HttpOnly; SameSite=Lax");
    for (name, value) in
        [("cache-control", "no-store"), ("x-robots-tag", "noindex"), ("referrer-policy", "no-referrer")]
    {
        assert_eq!(reply.header(name), value);
    }
    let end = browser.get("/preview/end").await;
    assert_eq!((end.status, end.header("location")), (303, "/"));
    assert_eq!(end.header("set-cookie"), "preview=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    assert_eq!(browser.send(browser.request(Method::POST, "/preview")).await.status, 405);
}

#[actix_web::test]
async fn link_that_is_not_valid_is_403_without_a_cookie() {
    let gateway = start().await;
    let without_keys = Gateway::start().await;
    let good = token("ttmbhatv", "/", 60);
    for (gateway, host, token) in [
        (&gateway, HOST, token("ttmbhatv", "/", -1)),
        (&gateway, HOST, token("raceday", "/", 60)),
        (&gateway, "racedaytv.localhost", good.clone()),
        (&gateway, "unknown.localhost", good.clone()),
        (&gateway, HOST, token("ttmbhatv", "//evil.example", 60)),
        (&gateway, HOST, token("ttmbhatv", "https://evil.example", 60)),
        (&gateway, HOST, good.replacen("public.", "public.A", 1)),
        (&gateway, HOST, String::new()),
        (&without_keys, HOST, good.clone()),
    ] {
        let reply = gateway.on(host).get(&format!("/preview?token={token}")).await;
        assert_eq!((reply.status, reply.header("set-cookie"), reply.header("location")), (403, "", ""), "{token}");
        assert!(text(&reply).contains("This link shows no preview"));
    }
}

#[actix_web::test]
async fn calls_with_a_preview_pass_every_cache_and_strangers_see_their_own_replies() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let token = token("ttmbhatv", "/", 60);
    let cookie = format!("preview={token}");
    browser.get(LIST).await;
    let mut shown = Vec::new();
    for calls in 2..4 {
        let reply = get(&browser, LIST, &[("cookie", &cookie)]).await;
        assert_eq!(
            (reply.header("cache-control"), reply.header("x-robots-tag"), reply.header("etag")),
            ("no-store", "noindex", "")
        );
        assert_eq!(gateway.upstream.seen().len(), calls, "each call reaches the service");
        assert_eq!(gateway.last_seen().header("x-preview"), token);
        shown.push(reply.bytes);
    }
    let public = browser.get(LIST).await;
    assert!(!shown.contains(&public.bytes));
    assert_eq!(public.header("cache-control"), "public, max-age=2");
    assert_eq!(public.header("x-robots-tag"), "");
    // Only the gateway names a preview.
    let before = gateway.upstream.seen().len();
    get(&browser, "/api/tt/other", &[("x-preview", &token), ("X-Preview", &token)]).await;
    assert_eq!((gateway.upstream.seen().len(), gateway.last_seen().header("x-preview")), (before + 1, ""));
    // Not on another brand, not after its time, not for writes and not to the subscription service.
    let old = format!("preview={}", self::token("ttmbhatv", "/", -1));
    get(&gateway.on("racedaytv.localhost"), "/api/tt/other", &[("cookie", &cookie)]).await;
    assert_eq!(gateway.last_seen().header("x-preview"), "");
    get(&browser, "/api/tt/other", &[("cookie", &old)]).await;
    assert_eq!(gateway.last_seen().header("x-preview"), "");
    get(&browser, "/api/subscribe/check-sub?msisdn=1", &[("cookie", &cookie)]).await;
    assert_eq!(gateway.last_seen().header("x-preview"), "");
}

#[actix_web::test]
async fn page_with_a_preview_says_so_and_is_kept_for_no_other() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let token = token("ttmbhatv", "/", 60);
    let cookie = format!("preview={token}");
    let page = "/ttsingle/list";
    let public = browser.get(page).await;
    let shown = get(&browser, page, &[("cookie", &cookie)]).await;
    assert_eq!(
        (shown.status, shown.header("cache-control"), shown.header("x-robots-tag")),
        (200, "no-store", "noindex")
    );
    let whole = text(&shown);
    let (_, body) = whole.split_once("<body").unwrap();
    let (_, after) = body.split_once('>').unwrap();
    assert!(
        after.starts_with("<link rel=\"stylesheet\" href=\"/preview.css\"><div class=\"preview-banner\""),
        "{whole}"
    );
    assert!(whole.contains("Preview of a draft, not public, until ") && whole.contains("href=\"/preview/end\""));
    // Its embedded reply is the preview's own.
    let seen = gateway.upstream.seen();
    let call = seen.iter().rfind(|call| call.address == "/api/tt/shown/list").unwrap();
    assert_eq!(call.header("x-preview"), token);
    assert_ne!(data(&whole, "replies"), data(&text(&public), "replies"));
    tokio::time::sleep(Duration::from_millis(50)).await;
    let again = browser.get(page).await;
    assert!(!text(&again).contains("preview") && again.header("x-robots-tag").is_empty());
}

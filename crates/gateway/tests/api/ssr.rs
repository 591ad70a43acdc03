//! Server-rendered first screens, and the join form without scripts.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;
use testkit::{Client, Reply};

use crate::helpers::{Gateway, boot};

const HOST: &str = "racedaytv.localhost";

/// Renders its input; fails at an address with `fails`.
const SCRIPT: &str = r"
    globalThis.firstLook = (boot) => JSON.stringify({ css: `:root{--bg:${JSON.parse(boot).theme.background}}`, face: 'turf', tone: 'dark' });
    let drawn = 0;
    globalThis.firstScreen = (input) => {
        const { address, boot, replies, problem, msisdn } = JSON.parse(input);
        if (address.includes('fails')) throw new Error('it fails');
        const begin = Date.now();
        if (address.includes('slow')) while (Date.now() < begin + 800);
        if (address === '/changing?') drawn += 1;
        if (drawn > 1) while (Date.now() < begin + 1500);
        const shown = Object.keys(replies).join(' ');
        return `<main>${boot.page} at ${address}; ${shown}; ${problem ?? ''}; ${msisdn ?? ''}</main>`;
    };";

const TEMPLATE: &str = "<!doctype html><html data-face=\"%FACE%\" data-tone=\"%TONE%\"><title>%BRAND_NAME%</title>\
    <link rel=\"stylesheet\" href=\"/assets/small.css\"><!--boot--><body><div id=\"root\"><!--screen--></div>";

async fn start() -> Gateway {
    Gateway::start_with(|config| {
        let write = |name: &str, text: &str| {
            let path = config.frontend_dir.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("index.html", TEMPLATE);
        write("server/first-screen.js", SCRIPT);
        let views = json!([
            { "kind": "tt", "path": "/category/*", "page": "tt-category", "replies": ["/api/tt/shown/{1}"], "screen": true },
            { "kind": "tt", "path": "/changing", "page": "changing", "replies": ["/api/tt/own"], "screen": true },
            { "kind": null, "path": "/join", "page": "join", "screen": true },
            { "kind": null, "path": "/terms", "page": "terms" },
        ]);
        write("first-views.json", &views.to_string());
        config.test_msisdn = Some("0600000000".to_owned());
        config.trusted_proxies = "127.0.0.0/8".parse().unwrap();
    })
    .await
}

/// Gets a page as the client at this address.
async fn get_from(browser: &Client, path: &str, client: &str) -> Reply {
    browser.send(browser.request(Method::GET, path).header("x-forwarded-for", client)).await
}

#[actix_web::test]
async fn pages_that_one_address_opens_do_not_hold_up_others() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let paths: Vec<_> = (0..8).map(|number| format!("/join?page=slow{number}")).collect();
    let opened = join_all(paths.iter().map(|path| get_from(&browser, path, "41.0.0.9")));
    let other = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let began = Instant::now();
        let page = get_from(&browser, "/join?page=first", "41.0.0.10").await;
        (String::from_utf8(page.bytes).unwrap(), began.elapsed())
    };
    let (opened, (page, waited)) = tokio::join!(opened, other);
    assert!(screen(&page).contains("page=first"), "{page}");
    // Eight screens take 800 ms each; the other's is at most the second.
    assert!(waited < Duration::from_millis(3200), "{waited:?}");
    assert!(opened.iter().all(|page| page.status == 200));
}

#[actix_web::test]
async fn one_page_is_rendered_for_all_numbers_and_campaigns() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let of = async |number: usize| {
        let address = format!("/join?page=slow&msisdn=2781234560{number}&ext_ref=ad%22{number}");
        String::from_utf8(browser.get(&address).await.bytes).unwrap()
    };
    assert!(screen(&of(0).await).contains("ext_ref=ad%220&page=slow"));
    // Each rendering takes 800 ms.
    let began = Instant::now();
    for number in 1..9 {
        let page = of(number).await;
        assert!(screen(&page).contains(&format!("ext_ref=ad%22{number}&page=slow")), "{page}");
    }
    assert!(began.elapsed() < Duration::from_millis(800), "{:?}", began.elapsed());
}

fn screen(page: &str) -> &str {
    page.split_once("<div id=\"root\">").unwrap().1.split_once("</div>").unwrap().0
}

#[actix_web::test]
async fn page_contains_its_first_screen() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let of = async |path: &str| String::from_utf8(browser.get(path).await.bytes).unwrap();
    let page = of("/category/7?service=raceday&other=x").await;
    assert_eq!(screen(&page), "<main>tt-category at /category/7?service=raceday; /api/tt/shown/7; ; </main>");
    assert_eq!(boot(&page)["page"], "tt-category");
    assert_eq!(
        screen(&of("/category/7?msisdn=1").await),
        "<main>tt-category at /category/7?msisdn=0; /api/tt/shown/7; ; </main>"
    );
    // Not every page is rendered here, and a failed rendering still sends the page.
    for path in ["/terms", "/category/fails"] {
        assert_eq!(screen(&of(path).await), "", "{path}");
    }
    assert!(screen(&of("/category/8").await).contains("/category/8"), "one failure does not end it");
    // On the demo host the browser adds the brand to its URLs and renders by itself.
    let every = gateway.on("88.localhost").get("/category/7?domain=racedaytv").await;
    assert_eq!(screen(&String::from_utf8(every.bytes).unwrap()), "");
    // The script is not served.
    assert_eq!(browser.get("/server/first-screen.js").await.status, 404);
}

#[actix_web::test]
async fn page_waits_for_its_first_screen_or_uses_the_last_one() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let of = async |path: &str| String::from_utf8(browser.get(path).await.bytes).unwrap();
    assert!(screen(&of("/category/slow").await).contains("/category/slow"), "the first is waited for");
    let first = of("/changing").await;
    assert!(screen(&first).contains("changing at /changing"), "{first}");
    let begun = Instant::now();
    assert_eq!(of("/changing").await, first, "the last one takes its place");
    assert!(begun.elapsed() < Duration::from_millis(1300), "{:?}", begun.elapsed());
}

#[actix_web::test]
async fn page_inlines_its_brands_styles() {
    let gateway = start().await;
    let reply = gateway.on(HOST).get("/terms").await;
    let policy = reply.header("content-security-policy").to_owned();
    let page = String::from_utf8(reply.bytes).unwrap();
    let background = boot(&page)["theme"]["background"].as_str().unwrap().to_owned();
    assert!(page.contains("<html data-face=\"turf\" data-tone=\"dark\">"), "{page}");
    assert!(
        page.contains(&format!("<style data-href=\"/assets/small.css\">body{{}}:root{{--bg:{background}}}</style>")),
        "{page}"
    );
    assert!(policy.contains("style-src 'self' 'sha256-") && !policy.contains("unsafe"), "{policy}");
}

#[actix_web::test]
async fn page_with_missing_replies_is_not_rendered() {
    let gateway = start().await;
    gateway.upstream.set_broken(true);
    let page = gateway.on(HOST).get("/category/7").await;
    assert_eq!((page.status, screen(&String::from_utf8(page.bytes).unwrap())), (200, ""));
}

async fn send(browser: &Client, body: &str) -> Reply {
    let form = browser.request(Method::POST, "/join").header("content-type", "application/x-www-form-urlencoded");
    browser.send(form.header("cookie", "cookies=1").body(body.to_owned())).await
}

#[actix_web::test]
async fn join_form_works_without_scripts() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let redirect = send(&browser, "msisdn=081+234+5678&agree=on&ext_ref=ad-7&shown=300.day.0.").await;
    assert_eq!((redirect.status, redirect.header("location")), (303, "http://network.test/opt-in?id=1"));
    assert_eq!((redirect.header("set-cookie"), redirect.header("cache-control")), ("try=1; HttpOnly", "no-store"));
    let seen = gateway.last_seen();
    assert_eq!(
        (seen.address.as_str(), seen.header("host"), seen.header("content-type")),
        ("/api/subscribe", "racedaytv", "application/json")
    );
    let request: serde_json::Value = serde_json::from_str(&seen.body).unwrap();
    assert_eq!(
        request,
        json!({"msisdn": "081 234 5678", "ext_ref": "ad-7", "channel": "WAP", "svc_id": 153, "shown": "300.day.0."})
    );

    // The service reads the number, in whatever form it was typed.
    for (typed, _) in testkit::corpus("phones") {
        let number: String = url::form_urlencoded::byte_serialize(typed.as_bytes()).collect();
        send(&browser, &format!("msisdn={number}")).await;
        let request: serde_json::Value = serde_json::from_str(&gateway.last_seen().body).unwrap();
        assert_eq!(request["msisdn"].as_str().map(str::trim), Some(typed.trim()));
    }

    for (number, home) in [
        ("0829999999", "/ttredirect?service=raceday&msisdn=0829999999&result=active"),
        // The test number is not sent to the network.
        ("27600000000", "/ttredirect?service=raceday&msisdn=27600000000&result=active"),
        ("0600000000", "/ttredirect?service=raceday&msisdn=0600000000&result=active"),
    ] {
        let redirect = send(&browser, &format!("msisdn={number}")).await;
        assert_eq!((redirect.status, redirect.header("location")), (303, home), "{number}");
    }
}

#[actix_web::test]
async fn failed_join_shows_the_form_with_the_entered_number() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let refused = send(&browser, "msisdn=nonsense").await;
    assert_eq!((refused.status, refused.header("content-type")), (422, "text/html; charset=utf-8"));
    let page = String::from_utf8(refused.bytes).unwrap();
    assert_eq!(screen(&page), "<main>join at /join; ; That is no number.; nonsense</main>");
    assert_eq!((boot(&page)["page"].as_str(), refused.headers.get("retry-after")), (Some("join"), None));
    let often = send(&browser, "msisdn=0824294294").await;
    assert_eq!((often.status, often.header("retry-after")), (429, "77"));
    assert!(screen(std::str::from_utf8(&often.bytes).unwrap()).contains("tried too often"));

    let is_away = async |number: &str| {
        let away = send(&browser, &format!("msisdn={number}")).await;
        let page = String::from_utf8(away.bytes).unwrap();
        assert_eq!((away.status, screen(&page).contains("Please try again")), (503, true), "{page}");
    };
    // Larger than any reply.
    is_away("flood").await;
    gateway.upstream.stop().await;
    is_away("0812345678").await;
    let away = send(&browser, "msisdn=0812345678").await;
    assert!(away.header("retry-after").parse::<u64>().is_ok(), "{:?}", away.headers);
}

#[actix_web::test]
async fn join_form_rejects_other_sites() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let json = browser.request(Method::POST, "/join").json(&json!({"msisdn": "0812345678"}));
    assert_eq!(browser.send(json).await.status, 415);
    let foreign = browser
        .request(Method::POST, "/join")
        .header("origin", "http://evil.example")
        .header("content-type", "application/x-www-form-urlencoded")
        .body("msisdn=0812345678");
    assert_eq!(browser.send(foreign).await.status, 403);
    assert_eq!(send(&gateway.on("nobody.example"), "msisdn=0812345678").await.status, 404);
    assert_eq!(send(&browser, &format!("msisdn={}", "1".repeat(70_000))).await.status, 413);
    assert_eq!(browser.get("/join").await.status, 200);
}

//! Which headers about the client are trusted.

use reqwest::Method;

use crate::helpers::Gateway;

#[actix_web::test]
async fn forwarded_headers_of_a_trusted_proxy_are_used() {
    let gateway = Gateway::start_with(|config| config.trusted_proxies = "127.0.0.0/8".parse().unwrap()).await;
    let browser = gateway.on("memeworld.example.co.za");
    let id = "11111111-1111-4111-8111-111111111111";
    let request = browser
        .request(Method::GET, "/api/subscribe/me")
        .header("x-forwarded-for", "6.6.6.6, 41.0.0.9")
        .header("x-forwarded-proto", "https")
        .header("x-request-id", id);
    let reply = browser.send(request).await;
    let seen = gateway.last_seen();
    assert_eq!(seen.headers["x-forwarded-for"], ["41.0.0.9"]);
    assert_eq!(seen.headers["x-forwarded-proto"], ["https"]);
    assert_eq!((seen.header("x-request-id"), reply.header("x-request-id")), (id, id));

    let page = browser.send(browser.request(Method::GET, "/").header("x-forwarded-proto", "https")).await;
    assert!(page.header("strict-transport-security").contains("max-age="));
    assert_eq!(browser.get("/").await.header("strict-transport-security"), "");
}

#[actix_web::test]
async fn proofs_on_https_are_cookies_of_this_host_alone() {
    let gateway = Gateway::start_with(|config| config.trusted_proxies = "127.0.0.0/8".parse().unwrap()).await;
    let browser = gateway.on("memeworld.example.co.za");
    let set = "browser=3; HttpOnly; Secure; Path=/";
    // Another host of the domain, or a page in clear text, can set the names without the prefix, in any spelling that services decode.
    let planted = "session-memeworld=planted; %62rowser=planted; browser=planted";
    for (proto, cookies, read, written) in [
        (
            "https",
            format!("{planted}; __Host-browser=ours; language=zu"),
            "browser=ours; language=zu",
            format!("__Host-{set}"),
        ),
        ("https", planted.to_owned(), "", format!("__Host-{set}")),
        ("http", "browser=ours; language=zu".to_owned(), "browser=ours; language=zu", set.to_owned()),
    ] {
        let request = browser.request(Method::GET, "/api/subscribe/proof");
        let reply = browser.send(request.header("x-forwarded-proto", proto).header("cookie", cookies)).await;
        assert_eq!(
            (gateway.last_seen().header("cookie"), reply.header("set-cookie")),
            (read, written.as_str()),
            "{proto}"
        );
    }
}

#[actix_web::test]
async fn client_of_a_trusted_proxy_is_found_however_its_address_is_written() {
    let gateway =
        Gateway::start_with(|config| config.trusted_proxies = "127.0.0.0/8, 10.0.0.0/8".parse().unwrap()).await;
    let browser = gateway.on("memeworld.example.co.za");
    for (headers, right) in testkit::corpus("addresses") {
        let mut request = browser.request(Method::GET, "/api/subscribe/me");
        for (name, value) in headers.lines().filter_map(|line| line.split_once(": ")) {
            request = request.header(name, value);
        }
        browser.send(request).await;
        assert_eq!(gateway.last_seen().headers["x-forwarded-for"], [right], "{headers}");
    }
    let request = browser.request(Method::GET, "/api/subscribe/me").header("forwarded", "for=41.0.0.9;proto=https");
    browser.send(request).await;
    assert_eq!(gateway.last_seen().header("x-forwarded-proto"), "https");
}

#[actix_web::test]
async fn msisdn_header_is_accepted_from_the_network_only() {
    let gateway = Gateway::start_with(|config| {
        config.trusted_proxies = "127.0.0.0/8".parse().unwrap();
        config.enrichment.header = "X-MSISDN".parse().unwrap();
        config.enrichment.sources = "41.0.0.0/16".parse().unwrap();
    })
    .await;
    let browser = gateway.on("memeworld.example.co.za");
    for (client, proto, passed) in [
        ("41.0.0.9", "http", "27812345678"),
        ("6.6.6.6", "http", ""),
        // A network cannot add headers to https: the client sent them itself.
        ("41.0.0.9", "https", ""),
    ] {
        let request = browser
            .request(Method::GET, "/api/subscribe/me")
            .header("x-forwarded-for", client)
            .header("x-forwarded-proto", proto);
        browser.send(request.header("x-msisdn", "27812345678")).await;
        assert_eq!(gateway.last_seen().header("x-msisdn"), passed, "{client} {proto}");
    }
}

//! Hosts and brands.

use crate::helpers::{Gateway, boot};

#[actix_web::test]
async fn first_label_of_the_host_selects_the_brand() {
    let gateway = Gateway::start().await;
    for (host, address, label, kind) in [
        ("mcfunny.localhost:8080", "/", "mcfunny", "comedy"),
        ("madfunny.localhost:8080", "/", "madfunny", "comedy"),
        ("memeworld.example.co.za", "/memelogin", "memeworld", "meme"),
        ("DISKI99.localhost", "/", "diski99", "diski"),
        ("demo-ttmbhatv.example.co.za", "/ttlogin?ext_ref=7", "ttmbhatv", "tt"),
        ("demoracedaytv.example.co.za", "/", "racedaytv", "tt"),
        ("demo.madfunny.localhost", "/", "madfunny", "comedy"),
        ("88.example.co.za", "/?domain=memeworld", "memeworld", "meme"),
        ("88.example.co.za", "/memelogin?x=1&domain=demo-memeworld", "memeworld", "meme"),
    ] {
        let page = gateway.on(host).get(address).await;
        assert_eq!(page.status, 200, "{host}{address}");
        let boot = boot(&String::from_utf8(page.bytes).unwrap());
        assert_eq!((boot["label"].as_str(), boot["kind"].as_str()), (Some(label), Some(kind)), "{host}{address}");
    }
}

#[actix_web::test]
async fn services_get_the_label_and_the_unchanged_query() {
    let gateway = Gateway::start().await;
    gateway.on("demo-madfunny.localhost").get_ok("/api/madfunny/fetchArtist?service=Mad%20Funny&domain=x&x=%2F").await;
    let seen = gateway.last_seen();
    assert_eq!(seen.header("host"), "madfunny");
    assert_eq!(seen.address, "/api/madfunny/fetchArtist?service=Mad%20Funny&domain=x&x=%2F");
    gateway.on("88.localhost").get_ok("/api/tt/ttrelated/live?domain=racedaytv").await;
    assert_eq!(gateway.last_seen().header("host"), "racedaytv");
}

#[actix_web::test]
async fn host_without_a_brand_gets_the_directory() {
    let gateway = Gateway::start().await;
    for host in ["127.0.0.1:8080", "localhost", "88.example.com", "nobody.example.com", "[::1]:8080"] {
        let page = gateway.on(host).get("/").await;
        let text = String::from_utf8(page.bytes.clone()).unwrap();
        assert_eq!(page.status, 200, "{host}");
        for label in ["mcfunny", "memeworld", "diski99", "ttmbhatv", "racedaytv"] {
            assert!(text.contains(&format!("href=\"http://{label}.localhost:8080/\"")), "{host} links to {label}");
        }
        assert!(text.contains("<h1>English directory-heading"), "{text}");
        assert!(page.header("content-security-policy").contains("default-src 'none'; style-src 'sha256-"));
        assert_eq!(page.header("x-frame-options"), "DENY");
        assert_eq!(gateway.on(host).get("/login").await.status, 404, "{host}");
        assert_eq!(gateway.on(host).get("/?domain=88").await.status, 200, "{host}");
    }
}

#[actix_web::test]
async fn calls_without_a_brand_work_on_any_host() {
    let gateway = Gateway::start().await;
    for (address, label) in [
        ("/api/meme/random", "memeworld"),
        ("/api/madfunny/fetchArtist?service=mcfunny", "mcfunny"),
        ("/api/diski/fetchArtist?service=diski99", "diski99"),
        ("/api/tt/getCategory/raceday", "ttmbhatv"),
        ("/api/subscribe/notify/sandbox-push", "invalid"),
    ] {
        gateway.on("127.0.0.1:8080").get_ok(address).await;
        assert_eq!(gateway.last_seen().header("host"), label, "{address}");
        gateway.on("88.localhost").get_ok(address).await;
        assert_eq!(gateway.last_seen().header("host"), label, "{address}");
    }
}

#[actix_web::test]
async fn front_end_files_need_no_brand() {
    // On label 88 a page's scripts are requested without `domain`.
    let gateway = Gateway::start().await;
    assert_eq!(gateway.on("88.localhost").get("/assets/app.0123456789.js").await.status, 200);
}

//! Pages and files.

use reqwest::Method;
use serde_json::json;
use testkit::{Client, Reply, eventually};

use crate::helpers::{Gateway, TEMPLATE, boot};

const HOST: &str = "memeworld.localhost:8080";
const SCRIPT: &str = "/assets/app.0123456789.js";

async fn get(browser: &Client, path: &str, headers: &[(&str, &str)]) -> Reply {
    let request =
        headers.iter().fold(browser.request(Method::GET, path), |request, (name, value)| request.header(*name, *value));
    browser.send(request).await
}

#[actix_web::test]
async fn every_path_of_a_brand_returns_its_page() {
    let gateway = Gateway::start_with(|config| config.test_msisdn = Some("0600000000".to_owned())).await;
    for path in [
        "/",
        "/memelogin",
        "/redirectTo?service=memeworld&msisdn=27812345678&result=active",
        "/memeCategory/1/3/memeworld",
        "/terms",
    ] {
        let page = gateway.on(HOST).get(path).await;
        assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"), "{path}");
        assert_eq!(page.header("cache-control"), "no-store");
        let text = String::from_utf8(page.bytes).unwrap();
        assert!(text.contains("<title>MEMEWORLD</title>") && text.contains("content=\"#fffdf5\""), "{text}");
        let boot = boot(&text);
        assert_eq!(boot["svc_id"], 150);
        assert_eq!(boot["service"], "memeworld");
        assert_eq!(boot["join"], "/memelogin");
        assert_eq!(boot["home"], "/redirectTo");
        assert_eq!(boot["price_cents"], 300);
        assert_eq!(boot["test_msisdn"], "27600000000");
        assert_eq!(boot["opt_in_url"], "/api/subscribe/opt-in?svc_id=150");
        assert_eq!(boot["image_prefix"], "/img");
        assert_eq!(boot["helpline"], "080 000 0150");
        assert_eq!(boot["support_email"], "help@memeworld.example");
        assert_eq!(boot["theme"]["accent"], "#6a35ff");
        assert_eq!(boot["name"], "MEMEWORLD");
        assert_eq!(boot["session"], false);
    }
    let head = gateway.on(HOST).send(gateway.on(HOST).request(Method::HEAD, "/")).await;
    assert_eq!((head.status, head.bytes.len()), (200, 0));
}

#[actix_web::test]
async fn pages_name_the_speculation_rules_unless_data_is_saved() {
    const RULES: &str = "/speculation-rules.json";
    let without = Gateway::start().await;
    assert_eq!(without.on(HOST).get("/").await.header("speculation-rules"), "", "a build without the file");
    let gateway = Gateway::start_with(|config| {
        std::fs::write(config.frontend_dir.join("speculation-rules.json"), r#"{"prerender":[]}"#).unwrap();
    })
    .await;
    let browser = gateway.on(HOST);
    assert_eq!(get(&browser, "/terms", &[]).await.header("speculation-rules"), "\"/speculation-rules.json\"");
    assert_eq!(
        get(&browser, "/terms", &[("save-data", "off")]).await.header("speculation-rules"),
        "\"/speculation-rules.json\""
    );
    for value in ["on", "On"] {
        assert_eq!(get(&browser, "/terms", &[("save-data", value)]).await.header("speculation-rules"), "");
    }
    let rules = browser.get(RULES).await;
    assert_eq!((rules.status, rules.header("content-type")), (200, "application/speculationrules+json"));
    assert_eq!(rules.json(), json!({"prerender": []}));
}

#[actix_web::test]
async fn unknown_page_or_item_is_404_with_the_brands_page() {
    let gateway = Gateway::start().await;
    for (host, path, expected) in [
        (HOST, "/terms", 200),
        (HOST, "/no-such-page", 404),
        (HOST, "/terms/more", 404),
        (HOST, "/ttsingle/7", 200),
        (HOST, "/ttsingle/missing", 404),
        ("88.localhost", "/no-such-page?domain=memeworld", 404),
    ] {
        let browser = gateway.on(host);
        // A page does not wait long for its item: on a slow machine only a second request gets it.
        for method in [Method::GET, Method::HEAD] {
            eventually(&format!("{method} {host}{path} is {expected}"), async || {
                let page = browser.send(browser.request(method.clone(), path)).await;
                assert_eq!(page.header("content-type"), "text/html; charset=utf-8", "{host}{path}");
                match method {
                    Method::HEAD => assert!(page.bytes.is_empty(), "{host}{path}"),
                    _ => {
                        assert_eq!(boot(&String::from_utf8(page.bytes).unwrap())["label"], "memeworld", "{host}{path}")
                    }
                }
                page.status == expected
            })
            .await;
        }
    }
    // Whether an item exists is unknown while its service is unavailable.
    gateway.upstream.set_broken(true);
    assert_eq!(gateway.on(HOST).get("/ttsingle/8").await.status, 200);
}

#[actix_web::test]
async fn boot_data_has_session_and_test_number() {
    let gateway = Gateway::start().await;
    for (cookie, expected) in [("session-memeworld=x", true), ("session-diski99=x", false), ("", false)] {
        let page = get(&gateway.on(HOST), "/", &[("cookie", cookie)]).await;
        let boot = boot(&String::from_utf8(page.bytes).unwrap());
        assert_eq!((&boot["session"], &boot["test_msisdn"]), (&json!(expected), &json!(null)), "{cookie}");
    }
}

#[actix_web::test]
async fn boot_data_cannot_end_its_script_element() {
    let family = include_str!("../../../../deploy/brands.toml");
    let hostile = r#"</script><script>alert(1)</script><!-- %THEME_COLOR% <!--boot-->"#;
    let brands = family
        .replace("accent2 = \"#ff3d8b\"", &format!("accent2 = \"#ff3d8b\"\n[brand.copy]\ntagline = \"{hostile}\""))
        .replace("name = \"MEMEWORLD\"", "name = '<b>\"Meme\" & World</b>'");
    let gateway = Gateway::start_with(|config| {
        let file = config.media_dir.join("../brands.toml");
        std::fs::write(&file, brands).unwrap();
        config.brands_file = file;
    })
    .await;
    let page = gateway.on(HOST).get("/").await;
    let text = String::from_utf8(page.bytes).unwrap();
    assert!(text.contains("<title>&lt;b&gt;&quot;Meme&quot; &amp; World&lt;/b&gt;</title>"), "{text}");
    assert!(!text.contains("<script>alert") && !text.contains("<b>"), "{text}");
    assert_eq!(text.matches("</script>").count(), TEMPLATE.matches("</script>").count() + 1);
    assert_eq!(boot(&text)["copy"]["tagline"], hostile);
}

#[actix_web::test]
async fn pages_have_security_headers() {
    let gateway = Gateway::start().await;
    let page = gateway.on(HOST).get("/").await;
    let policy = page.header("content-security-policy");
    for rule in [
        "default-src 'none'",
        "script-src 'self';",
        "style-src 'self';",
        "media-src 'self' blob:",
        "form-action 'self' http://localhost:8090",
        "frame-ancestors 'none'",
    ] {
        assert!(policy.contains(rule), "{rule} in {policy}");
    }
    assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
    assert_eq!(page.header("x-content-type-options"), "nosniff");
    assert_eq!(page.header("referrer-policy"), "strict-origin");
    assert_eq!(page.header("strict-transport-security"), "");
}

#[actix_web::test]
async fn file_is_sent_in_the_negotiated_encoding() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    let script = b"console.log('app')".repeat(100);
    for (accepted, encoding, bytes) in [
        ("gzip, deflate, br, zstd", "br", &b"brotli bytes"[..]),
        ("br;q=0.1, gzip", "gzip", b"gzip bytes"),
        ("gzip", "gzip", b"gzip bytes"),
        ("br", "br", b"brotli bytes"),
        ("identity", "", &script),
        ("br;q=0", "", &script),
    ] {
        let reply = get(&browser, SCRIPT, &[("accept-encoding", accepted)]).await;
        assert_eq!((reply.status, reply.header("content-encoding")), (200, encoding), "{accepted}");
        assert_eq!(reply.bytes, bytes, "{accepted}");
        assert_eq!(reply.header("content-type"), "text/javascript; charset=utf-8");
        assert_eq!(reply.header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(reply.header("vary"), "accept-encoding");
        let fresh =
            get(&browser, SCRIPT, &[("accept-encoding", accepted), ("if-none-match", reply.header("etag"))]).await;
        assert_eq!((fresh.status, fresh.bytes.len()), (304, 0), "{accepted}");
    }
    let plain = get(&browser, SCRIPT, &[]).await;
    assert_eq!((plain.header("content-encoding"), &plain.bytes), ("", &script));
    let small = get(&browser, "/assets/small.css", &[("accept-encoding", "br")]).await;
    assert_eq!((small.header("content-encoding"), small.bytes.as_slice()), ("", &b"body{}"[..]));
    let icon = browser.get("/favicon.svg").await;
    assert_eq!(
        (icon.header("content-type"), icon.header("cache-control")),
        ("image/svg+xml; charset=utf-8", "public, max-age=3600")
    );
}

#[actix_web::test]
async fn missing_file_is_404_and_not_a_page() {
    let gateway = Gateway::start().await;
    for path in [
        "/assets/gone.js",
        "/assets/app.0123456789.js.map",
        "/assets/app.0123456789.js.br",
        "/gone.js",
        "/index.html",
        "/first-views.json",
        "/languages.json",
        "/.hidden",
        "/.env",
        "/.git/config",
        "/wp-login.php",
        "/internal/imports",
        "/metrics",
    ] {
        let reply = gateway.on(HOST).get(path).await;
        assert_eq!((reply.status, reply.header("content-type")), (404, "application/problem+json"), "{path}");
    }
    assert_eq!(gateway.raw_get(HOST, "/assets/../index.html", "").await.0, 400);
    assert_eq!(gateway.raw_get(HOST, "//evil.example", "").await.0, 400);
}

#[actix_web::test]
async fn shell_has_no_data_of_a_request_and_is_sent_once() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    let shell = get(&browser, "/shell", &[("cookie", "session_memeworld=x; news=x")]).await;
    assert_eq!((shell.status, shell.header("cache-control"), shell.header("link")), (200, "no-cache", ""));
    assert_eq!(shell.header("content-type"), "text/html; charset=utf-8");
    assert!(shell.header("content-security-policy").contains("default-src 'none'"));
    let etag = shell.header("etag").to_owned();
    let text = String::from_utf8(shell.bytes).unwrap();
    assert!(text.contains(SCRIPT) && !text.contains("id=\"replies\""), "{text}");
    let data = boot(&text);
    assert_eq!((&data["service"], data.get("session"), data.get("page")), (&json!("memeworld"), None, None));
    let again = get(&browser, "/shell", &[("if-none-match", &etag)]).await;
    assert_eq!((again.status, again.bytes.len(), again.header("etag")), (304, 0, etag.as_str()));
    let other = get(&browser, "/shell", &[("accept-language", "zu")]).await;
    assert_eq!((other.status, other.header("content-language")), (200, "zu"));
    assert_eq!(gateway.on("localhost:8080").get("/shell").await.status, 404, "no brand");
}

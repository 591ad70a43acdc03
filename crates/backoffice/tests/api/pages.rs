//! The front end's files.

use crate::{Browser, PAGE, SCRIPT, spawn_app, spawn_app_with};

testkit::on_each_engine! {
    async fn by_https_proofs_are_cookies_of_this_host_alone_and_metrics_have_another_port(engine) {
        let app = spawn_app_with(engine, |config| {
            config.backoffice_url = "https://staff.spaza.example".to_owned();
            config.ops_bind = Some("127.0.0.1:0".parse().unwrap());
        })
        .await;
        let (mut admin, _) = app.administrator().await;
        assert!(admin.call("GET", "/api/session", None).await.header("strict-transport-security").contains("max-age="));
        let (name, token) = admin.cookies.pop_first().expect("a session");
        assert_eq!(name, "__Host-spaza_staff");
        // Another host of the domain can set this name, so it is no session.
        admin.cookies.insert("spaza_staff".to_owned(), token.clone());
        assert_eq!(admin.call("GET", "/api/session", None).await.status, 401);
        admin.cookies.insert(name, token);
        let reply = admin.call("DELETE", "/api/session", None).await;
        let cookie = reply.header("set-cookie");
        assert!(cookie.contains("; Secure") && cookie.contains("; Path=/") && !cookie.contains("/api") && !cookie.contains("Domain"), "{cookie}");

        assert_eq!(admin.call("GET", "/metrics", None).await.text, PAGE);
        let mut monitoring = Browser::new(app._running.companions[0].addr);
        assert!(monitoring.call("GET", "/metrics", None).await.text.contains("# TYPE"));
    }

    async fn every_address_below_no_api_is_a_file_or_the_page(engine) {
        let app = spawn_app(engine).await;
        let mut browser = Browser::new(app.addr);
        for path in ["/", "/staff", "/invitation/abc", "/../Cargo.toml"] {
            let reply = browser.call("GET", path, None).await;
            assert_eq!((reply.status, reply.text.as_str()), (200, PAGE), "{path}");
            assert_eq!(reply.header("cache-control"), "no-cache");
            let policy = reply.header("content-security-policy");
            assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        }
        let reply = browser.call("GET", "/assets/main.js", None).await;
        assert_eq!((reply.status, reply.text.as_str()), (200, SCRIPT));
        assert!(reply.header("content-type").starts_with("text/javascript"), "{reply:?}");
        assert!(reply.header("cache-control").contains("immutable"));
        assert_eq!(browser.call("GET", "/assets/old.js", None).await.status, 404);
        let reply = browser.call("GET", "/api/unknown", None).await;
        assert_eq!((reply.status, reply.header("content-type")), (404, "application/problem+json"));
    }
}

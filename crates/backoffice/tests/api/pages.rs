//! The front end's files.

use crate::{Browser, PAGE, SCRIPT, spawn_app};

testkit::on_each_engine! {
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

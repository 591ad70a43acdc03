//! Support, as far as it needs no subscription service; `crates/family/tests/process/support.rs` has the rest.

use serde_json::json;

use crate::spawn_app;

testkit::on_each_engine! {
    async fn search_is_logged_with_a_masked_number_even_where_the_service_does_not_answer(engine) {
        let app = spawn_app(engine).await;
        let (mut admin, _) = app.administrator().await;
        let (mut support, _) = app.member(&mut admin, "sipho@spaza.example", &["support"]).await;
        let reply = support.call("POST", "/api/support/search", Some(json!({ "number": "011 234 5678" }))).await;
        assert!(reply.status == 422 && reply.json()["errors"]["number"].is_string(), "{reply:?}");
        let reply = support.call("POST", "/api/support/search", Some(json!({ "number": "081 234 5678" }))).await;
        assert_eq!(reply.status, 503, "{reply:?}");
        assert!(!reply.text.contains("127.0.0.1") && !reply.text.contains("812345678"), "{reply:?}");
        for (typed, right) in testkit::corpus("phones") {
            let reply = support.call("POST", "/api/support/search", Some(json!({ "number": typed }))).await;
            assert_eq!(reply.status, if right == "refused" { 422 } else { 503 }, "{typed:?}: {reply:?}");
        }
        let log = admin.get_ok("/api/audit?action=number.searched").await;
        assert_eq!(log["entries"][0]["staff"], "sipho@spaza.example");
        // One number, in whatever form it was typed.
        for entry in log["entries"].as_array().unwrap() {
            assert_eq!(entry["subject"], "number 1, 27••••••678");
        }
        let export = admin.call("GET", "/api/audit/export", None).await.text;
        assert!(!export.contains("812345678"), "the log has the whole number");
        assert_eq!(admin.get_ok("/api/audit/check").await["intact"], true);
        // A case that the service did not close is not one that was closed.
        let closed = support.call("POST", "/api/support/cases/1/close", Some(json!({ "reason": "settled" }))).await;
        assert_eq!(closed.status, 503, "{closed:?}");
        assert_eq!(admin.get_ok("/api/audit?action=case.closed").await["entries"], json!([]));
    }
}

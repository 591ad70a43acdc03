//! Sensitive calls: the second factor was proved at most ten minutes before.

use serde_json::{Value, json};

use crate::{Browser, FIRST, access::calls_with, code, erasures::Services, spawn_app};

const NEEDED: &str = "urn:spaza:problem:second-factor";

/// Steps of the authenticator in a minute.
const MINUTE: i64 = 2;

/// What shows or exports a full number, moves money, closes a month, erases, or changes roles or ways to sign in.
const SENSITIVE: [&str; 16] = [
    "POST /api/approvals/999999",
    "POST /api/erasures/999999",
    "POST /api/finance/books/unknown/close",
    "POST /api/finance/differences/unknown",
    "POST /api/invitations",
    "POST /api/passkeys",
    "POST /api/passkeys/challenge",
    "POST /api/sign-in/link",
    "POST /api/staff/999999/reset",
    "POST /api/staff/999999/role",
    "POST /api/support/unknown/dossier",
    "POST /api/support/unknown/erasure",
    "POST /api/support/unknown/export",
    "POST /api/support/unknown/refund",
    "POST /api/support/unknown/reveal",
    "PUT /api/staff/999999",
];

testkit::on_each_engine! {
    async fn calls_that_the_document_guards_are_refused_after_eleven_minutes_and_no_others(engine) {
        let app = spawn_app(engine).await;
        let (mut admin, _) = app.administrator().await;
        let roles = ["editor", "publisher", "support", "finance", "administrator"];
        let (mut browser, _) = app.member(&mut admin, "all@spaza.example", &roles).await;
        let (guarded, others): (Vec<_>, Vec<_>) =
            calls_with("x-guard").into_iter().partition(|(.., guard)| guard == "recent");
        let mut listed: Vec<String> = guarded.iter().map(|(method, path, _)| format!("{method} {path}")).collect();
        listed.sort();
        assert_eq!(listed, SENSITIVE);

        browser.move_clock(11).await;
        let state = "SELECT action AS text FROM audit UNION ALL SELECT email FROM staff ORDER BY text";
        let before = app.texts(state).await;
        for (method, path, _) in guarded {
            let reply = browser.call(&method, &path, Some(json!({}))).await;
            assert_eq!((reply.status, &reply.json()["type"]), (403, &json!(NEEDED)), "{method} {path}: {reply:?}");
            assert!(reply.json()["error_message"].as_str().unwrap().contains("confirm"), "{reply:?}");
        }
        assert_eq!(app.texts(state).await, before, "a refused call left something behind");
        for (method, path, _) in others {
            let reply = browser.call(&method, &path, (method != "GET").then(|| json!({}))).await;
            assert!(!reply.text.contains(NEEDED), "{method} {path}: {reply:?}");
        }
    }

    async fn code_proves_the_session_again_for_ten_minutes(engine) {
        let (_services, app, mut pair) = Services::spawn(engine).await;
        let [first_secret, second_secret] = pair.secrets.clone();
        let (reveal, erasure) = (format!("{}/reveal", pair.record), format!("{}/erasure", pair.record));
        let reason = Some(json!({ "reason": "to call back" }));
        pair.first.move_clock(9).await;
        assert_eq!(pair.first.call("POST", &reveal, reason.clone()).await.status, 200, "nine minutes after the sign-in");

        pair.first.move_clock(11).await;
        let refused = pair.first.call("POST", &reveal, reason.clone()).await;
        assert_eq!((refused.status, &refused.json()["type"]), (403, &json!(NEEDED)), "{refused:?}");
        assert!(!refused.text.contains("812345678"), "{refused:?}");
        assert_eq!(pair.first.call("POST", &erasure, reason.clone()).await.json()["type"], NEEDED);
        assert_eq!(app.texts("SELECT action AS text FROM audit WHERE action = 'number.revealed'").await.len(), 1);
        assert_eq!(pair.erasure().await, Value::Null);

        let right = code(&first_secret, 11 * MINUTE);
        let wrong = if right == "123456" { "654321" } else { "123456" };
        assert_eq!(pair.first.prove(wrong).await.status, 401);
        assert_eq!(pair.first.call("POST", &reveal, reason.clone()).await.status, 403, "after a wrong code");
        let proved = pair.first.prove(&right).await;
        assert_eq!(proved.status, 200, "{proved:?}");
        assert!(!proved.header("set-cookie").contains("spaza_staff"), "the session stays: {proved:?}");
        let revealed = pair.first.call("POST", &reveal, reason.clone()).await;
        assert_eq!(revealed.json(), json!({ "number": "27812345678" }));
        assert_eq!(pair.first.call("POST", &erasure, reason.clone()).await.json(), json!({ "state": "waiting" }));
        assert_eq!(pair.first.prove(&right).await.status, 401, "a code counts once");

        // The second person's proof is one of its own.
        let path = format!("/api/erasures/{}", pair.erasure().await["id"]);
        let accept = Some(json!({ "accept": true, "reason": "checked" }));
        assert_eq!(pair.second.call("POST", &path, accept.clone()).await.json()["type"], NEEDED);
        assert_eq!(pair.erasure().await["state"], "waiting");
        assert_eq!(pair.second.prove(&code(&second_secret, 11 * MINUTE)).await.status, 200);
        assert_eq!(pair.second.call("POST", &path, accept).await.status, 204);
        let entries = "SELECT staff AS text FROM audit WHERE action = 'second_factor.proved' ORDER BY id";
        assert_eq!(app.texts(entries).await, ["sipho@spaza.example", "zola@spaza.example"]);
        pair.first.move_clock(22).await;
        assert_eq!(pair.first.call("POST", &reveal, reason).await.status, 403, "eleven minutes after the proof");
    }

    async fn wrong_codes_lock_and_a_session_that_has_ended_is_not_proved(engine) {
        let app = spawn_app(engine).await;
        let (mut admin, secret) = app.administrator().await;
        let mut other_window = admin.clone();
        assert_eq!(Browser::new(app.addr).call("POST", "/api/second-factor", None).await.status, 401);
        assert_eq!(admin.call("POST", "/api/second-factor", None).await.status, 200);
        assert_eq!(other_window.call("DELETE", "/api/session", None).await.status, 204);
        let proof = json!({ "code": code(&secret, 1) });
        assert_eq!(admin.call("POST", "/api/session/second-factor", Some(proof)).await.status, 404);
        assert_eq!(admin.call("GET", "/api/session", None).await.status, 401, "a proof opens no session");

        assert_eq!(admin.sign_in(FIRST, crate::PASSWORD, &code(&secret, 1)).await.status, 200);
        for _ in 0..10 {
            assert_eq!(admin.prove("12345").await.status, 401);
        }
        assert_eq!(admin.prove("12345").await.status, 429);
    }
}

//! Sign-in, sessions, and the limit on failed attempts.

use crate::{Browser, FIRST, PASSWORD, code, spawn_app};

testkit::on_each_engine! {
    async fn sign_in_needs_password_and_unused_code(engine) {
        let app = spawn_app(engine).await;
        let (mut admin, secret) = app.administrator().await;
        let mut browser = Browser::new(app.addr);
        let next = code(&secret, 1);
        let wrong_code = if next == "123456" { "654321" } else { "123456" };
        let mut texts = Vec::new();
        for (email, password, code) in [
            (FIRST, "wrong horse battery", next.as_str()),
            (FIRST, PASSWORD, wrong_code),
            (FIRST, PASSWORD, ""),
            ("unknown@spaza.example", PASSWORD, next.as_str()),
        ] {
            let reply = browser.sign_in(email, password, code).await;
            assert_eq!(reply.status, 401, "{email} {password} {code}: {reply:?}");
            texts.push(reply.json()["error_message"].clone());
        }
        assert!(texts.iter().all(|text| *text == texts[0]), "{texts:?}");

        let reply = browser.sign_in(&FIRST.to_uppercase(), PASSWORD, &next).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        let cookie = reply.header("set-cookie");
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
        assert_eq!(reply.json()["staff"]["email"], FIRST);
        let again = Browser::new(app.addr).sign_in(FIRST, PASSWORD, &next).await;
        assert_eq!(again.status, 401, "a code was accepted twice: {again:?}");

        let sessions = admin.get_ok("/api/sessions").await;
        let sessions = sessions["sessions"].as_array().unwrap().clone();
        assert_eq!(sessions.len(), 2, "{sessions:?}");
        let other = sessions.iter().find(|session| session["current"] == false).unwrap();
        assert_eq!(admin.call("DELETE", &format!("/api/sessions/{}", other["id"]), None).await.status, 204);
        assert_eq!(browser.call("GET", "/api/session", None).await.status, 401);
        assert_eq!(admin.call("DELETE", "/api/session", None).await.status, 204);
        assert_eq!(admin.call("GET", "/api/session", None).await.status, 401);
    }

    async fn ten_failures_lock_the_account_until_a_reset(engine) {
        let app = spawn_app(engine).await;
        let (mut admin, _) = app.administrator().await;
        let (_, secret) = app.member(&mut admin, "sipho@spaza.example", &["support"]).await;
        let mut browser = Browser::new(app.addr);
        for _ in 0..10 {
            assert_eq!(browser.sign_in("sipho@spaza.example", "wrong horse battery", "000000").await.status, 401);
        }
        let reply = browser.sign_in("sipho@spaza.example", PASSWORD, &code(&secret, 1)).await;
        assert_eq!(reply.status, 429, "{reply:?}");
        let seconds: u64 = reply.header("retry-after").parse().unwrap();
        assert!((600..=901).contains(&seconds), "{seconds}");
        let list = admin.get_ok("/api/staff").await;
        let member = list["staff"].as_array().unwrap().iter().find(|member| member["email"] == "sipho@spaza.example").unwrap().clone();
        assert!(member["locked_until"].is_string(), "{member}");

        let reply = admin.call("POST", &format!("/api/staff/{}/reset", member["id"]), None).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        let secret = browser.accept(reply.json()["link"].as_str().unwrap()).await;
        assert_eq!(browser.sign_in("sipho@spaza.example", PASSWORD, &code(&secret, 1)).await.status, 200);
    }

    async fn session_ends_after_an_hour_idle_and_after_twelve(engine) {
        let app = spawn_app(engine).await;
        let (mut admin, _) = app.administrator().await;
        for column in ["last_seen_at", "started_at"] {
            let (mut browser, _) = app.member(&mut admin, &format!("{column}@spaza.example"), &["finance"]).await;
            assert_eq!(browser.call("GET", "/api/session", None).await.status, 200);
            let id = crate::id_of(&mut admin, &format!("{column}@spaza.example")).await;
            app.execute(&format!("UPDATE sessions SET {column} = '2026-01-01 00:00:00' WHERE staff_id = {id}")).await.unwrap();
            assert_eq!(browser.call("GET", "/api/session", None).await.status, 401, "{column}");
        }
    }
}

//! Invitations, roles and removal.

use serde_json::json;

use crate::{Browser, FIRST, PASSWORD, code, id_of, spawn_app, token_of};

testkit::on_each_engine! {
    async fn first_administrators_link_is_replaced_by_each_start_and_works_once(engine) {
        let app = spawn_app(engine).await;
        let old = app.link.clone().unwrap();
        let (second, link) = backoffice::start(app.config.clone()).await.unwrap();
        let link = link.unwrap();
        let mut browser = Browser::new(app.addr);
        assert_eq!(browser.call("GET", &format!("/api/invitations/{}", token_of(&old)), None).await.status, 404);
        browser.accept(&link).await;
        let session = browser.get_ok("/api/session").await;
        assert_eq!(session["staff"]["roles"], json!(["administrator"]));
        assert_eq!(browser.call("GET", &format!("/api/invitations/{}", token_of(&link)), None).await.status, 404);
        second.stop().await;
        let (third, link) = backoffice::start(app.config.clone()).await.unwrap();
        assert_eq!(link, None);
        third.stop().await;
    }

    async fn invitation_checks_its_fields_and_expires(engine) {
        let app = spawn_app(engine).await;
        let path = format!("/api/invitations/{}", token_of(app.link.as_deref().unwrap()));
        let mut browser = Browser::new(app.addr);
        let invitation = browser.get_ok(&path).await;
        assert_eq!(invitation["email"], FIRST);
        assert!(invitation["totp_url"].as_str().unwrap().starts_with("otpauth://totp/"), "{invitation}");
        let secret = invitation["totp_secret"].as_str().unwrap();
        let valid = code(secret, 0);
        for (name, password, code, field) in [
            (" ", PASSWORD, valid.as_str(), "name"),
            ("Thandi", "short", valid.as_str(), "password"),
            ("Thandi", FIRST, valid.as_str(), "password"),
            ("Thandi", &"x".repeat(257), valid.as_str(), "password"),
            ("Thandi", PASSWORD, "12345", "code"),
        ] {
            let reply = browser.call("POST", &path, Some(json!({ "name": name, "password": password, "code": code }))).await;
            assert_eq!(reply.status, 422, "{field}: {reply:?}");
            assert!(reply.json()["errors"][field].is_string(), "{field}: {reply:?}");
        }
        app.execute("UPDATE invitations SET expires_at = '2026-01-01 00:00:00'").await.unwrap();
        let body = json!({ "name": "Thandi", "password": PASSWORD, "code": code(secret, 0) });
        assert_eq!(browser.call("POST", &path, Some(body)).await.status, 404);
    }

    async fn lost_role_or_removal_ends_sessions_and_the_last_administrator_stays(engine) {
        let app = spawn_app(engine).await;
        let (mut admin, _) = app.administrator().await;
        let (mut member, secret) = app.member(&mut admin, "sipho@spaza.example", &["support", "administrator"]).await;
        let (first, second) = (id_of(&mut admin, FIRST).await, id_of(&mut admin, "sipho@spaza.example").await);
        let change = |roles: &[&str], removed: bool| Some(json!({ "roles": roles, "removed": removed }));

        let path = format!("/api/staff/{second}");
        let reply = admin.call("PUT", &path, change(&["support"], false)).await;
        assert_eq!(reply.json()["roles"], json!(["support"]), "{reply:?}");
        assert_eq!(member.call("GET", "/api/session", None).await.status, 401);
        for refused in [change(&["support"], false), change(&["administrator"], true)] {
            assert_eq!(admin.call("PUT", &format!("/api/staff/{first}"), refused).await.status, 409);
        }
        assert_eq!(member.sign_in("sipho@spaza.example", PASSWORD, &code(&secret, 1)).await.status, 200);
        let reply = admin.call("PUT", &path, change(&["support"], true)).await;
        assert_eq!(reply.json()["state"], "removed", "{reply:?}");
        assert_eq!(member.call("GET", "/api/session", None).await.status, 401);
        assert_eq!(admin.call("PUT", &path, change(&["support"], false)).await.status, 409);
        let (mut again, _) = app.member(&mut admin, "sipho@spaza.example", &["finance"]).await;
        assert_eq!(again.get_ok("/api/session").await["staff"]["id"], second);
        let reply = admin.call("POST", "/api/invitations", Some(json!({ "email": FIRST, "name": "X", "roles": ["editor"] }))).await;
        assert!(reply.status == 422 && reply.json()["errors"]["email"].is_string(), "{reply:?}");
    }
}

//! Invitations, roles and removal.

use serde_json::json;

use crate::{ADMIN_TOKEN, Browser, FIRST, PASSWORD, code, id_of, spawn_app, token_of};

/// Steps of the authenticator until a role that was given now is old enough.
const A_DAY_LATER: i64 = 25 * 120;

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

    async fn roles_that_touch_money_need_two_administrators_and_decide_a_day_later(engine) {
        let app = spawn_app(engine).await;
        let (mut admin, _) = app.administrator().await;
        let first = id_of(&mut admin, FIRST).await;
        let change = |roles: &[&str]| Some(json!({ "roles": roles, "removed": false }));
        let decide = |role: &str| Some(json!({ "role": role, "accept": true }));
        let role_of = |id: i64| format!("/api/staff/{id}/role");

        // An administrator alone gives them neither to the own account nor to a second one.
        let all = change(&["editor", "support", "administrator"]);
        let reply = admin.call("PUT", &format!("/api/staff/{first}"), all).await.json();
        assert_eq!(reply["roles"], json!(["editor", "administrator"]), "{reply}");
        assert_eq!((&reply["waiting"][0]["role"], &reply["waiting"][0]["mine"]), (&json!("support"), &json!(true)));
        assert_eq!(admin.call("POST", &role_of(first), decide("support")).await.status, 403);
        let other = json!({ "email": "other@spaza.example", "name": "Other", "roles": ["administrator"] });
        let link = admin.call("POST", "/api/invitations", Some(other)).await.json()["link"].as_str().unwrap().to_owned();
        let mut other = Browser::new(app.addr);
        let other_secret = other.accept(&link).await;
        assert_eq!(other.call("GET", "/api/staff", None).await.status, 403);

        // The machine gives the role at the start; the second administrator then gives what the first one requested.
        let (mut second, _) = app.member(&mut admin, "zola@spaza.example", &["administrator"]).await;
        let (other_id, second_id) = (id_of(&mut admin, "other@spaza.example").await, id_of(&mut admin, "zola@spaza.example").await);
        assert_eq!(second.call("POST", &role_of(first), decide("support")).await.status, 204);
        assert_eq!(second.call("POST", &role_of(first), decide("support")).await.status, 404, "decided twice");
        assert_eq!(second.call("POST", &role_of(other_id), decide("administrator")).await.status, 204);
        assert_eq!(other.call("GET", "/api/staff", None).await.status, 200);
        let granted = app.texts("SELECT staff || ' ' || subject AS text FROM audit WHERE action = 'role.granted'").await;
        assert_eq!(granted, [" zola@spaza.example"]);

        // A role of today decides about nothing yet: no refund, no role.
        app.execute("INSERT INTO numbers (msisdn) VALUES ('27812345601')").await.unwrap();
        let refund = format!(
            "INSERT INTO refunds (number_id, ledger_id, cents, reason, state, staff_id, staff, at) \
             SELECT MIN(id), 1, 6000, 'x', 'waiting', {second_id}, 'zola@spaza.example', '2026-01-01 00:00:00' FROM numbers"
        );
        app.execute(&refund).await.unwrap();
        let id = admin.get_ok("/api/approvals").await["approvals"][0]["id"].as_i64().unwrap();
        let refusal = Some(json!({ "accept": false, "reason": "not ours" }));
        let reply = admin.call("POST", &format!("/api/approvals/{id}"), refusal.clone()).await;
        assert!(reply.status == 403 && reply.text.contains("less than a day"), "{reply:?}");
        second.call("PUT", &format!("/api/staff/{second_id}"), change(&["administrator", "finance"])).await;
        assert_eq!(other.call("POST", &role_of(second_id), decide("finance")).await.status, 403);

        // The administrator sees the link that he makes for an account in use, so its roles are given again.
        let (mut sipho, _) = app.member(&mut admin, "sipho@spaza.example", &["editor", "support"]).await;
        let sipho_id = id_of(&mut admin, "sipho@spaza.example").await;
        let link = admin.call("POST", &format!("/api/staff/{sipho_id}/reset"), None).await.json()["link"].as_str().unwrap().to_owned();
        sipho.accept(&link).await;
        assert_eq!(sipho.get_ok("/api/session").await["staff"]["roles"], json!(["editor"]));
        assert_eq!(admin.call("POST", &role_of(sipho_id), decide("support")).await.status, 403);
        assert_eq!(second.call("POST", &role_of(sipho_id), decide("support")).await.status, 204);

        let later = (service::timestamp::now() + chrono::TimeDelta::hours(25)).and_utc().to_rfc3339();
        let clock = |token: &str| testkit::client().post(format!("http://{}/internal/clock", app.addr)).bearer_auth(token).json(&json!({ "now": later }));
        assert_eq!(clock("no token").send().await.unwrap().status(), 401);
        assert_eq!(clock(ADMIN_TOKEN).send().await.unwrap().status(), 200);
        assert_eq!(other.sign_in("other@spaza.example", PASSWORD, &code(&other_secret, A_DAY_LATER)).await.status, 200);
        assert_eq!(other.call("POST", &role_of(second_id), decide("finance")).await.status, 204);
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

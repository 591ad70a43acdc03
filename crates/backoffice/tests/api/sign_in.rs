//! Sign-in, sessions, and the limit on failed attempts.

use serde_json::json;

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
    async fn secrets_of_second_factors_are_encrypted_and_their_key_rotates(engine) {
        let app = spawn_app(engine).await;
        let (mut admin, secret) = app.administrator().await;
        let body = json!({ "email": "sipho@spaza.example", "name": "Sipho", "roles": ["support"] });
        assert_eq!(admin.call("POST", "/api/invitations", Some(body)).await.status, 201);
        let stored = app.texts("SELECT totp_secret AS text FROM staff WHERE totp_secret IS NOT NULL UNION ALL SELECT totp_secret FROM invitations").await;
        assert_eq!(stored.len(), 3, "an account and two invitations: {stored:?}");
        assert!(stored.iter().all(|stored| stored.starts_with("v4.local.") && !stored.contains(&secret)), "{stored:?}");

        // A new key before the old one: the next sign-in encrypts by it, and the old key is needed no more.
        let new = crate::second_factor_key();
        let rotated = app.restarted(|config| config.second_factor_keys = format!("{new},{}", config.second_factor_keys)).await;
        let reply = Browser::new(rotated.addr).sign_in(FIRST, PASSWORD, &code(&secret, 1)).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        // The code of the next step is accepted once only, so the step is set back.
        app.execute("UPDATE staff SET totp_step = 0").await.unwrap();
        let rotated = app.restarted(|config| config.second_factor_keys = new.clone()).await;
        let reply = Browser::new(rotated.addr).sign_in(FIRST, PASSWORD, &code(&secret, 1)).await;
        assert_eq!(reply.status, 200, "{reply:?}");

        // A row of an earlier release.
        app.execute(&format!("UPDATE staff SET totp_step = 0, totp_secret = '{secret}' WHERE password_hash IS NOT NULL")).await.unwrap();
        let reply = Browser::new(rotated.addr).sign_in(FIRST, PASSWORD, &code(&secret, 1)).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        let stored = app.texts("SELECT totp_secret AS text FROM staff WHERE totp_secret IS NOT NULL").await;
        assert!(stored.iter().all(|stored| stored.starts_with("v4.local.")), "{stored:?}");

        // Another's secret is of no use.
        app.execute("UPDATE staff SET totp_step = 0, totp_secret = (SELECT totp_secret FROM invitations WHERE ended_at IS NULL) WHERE password_hash IS NOT NULL").await.unwrap();
        assert_eq!(Browser::new(rotated.addr).sign_in(FIRST, PASSWORD, &code(&secret, 1)).await.status, 500);
    }

    async fn address_of_a_failure_is_read_however_the_proxy_writes_it(engine) {
        let app = spawn_app(engine).await;
        let behind = app.restarted(|config| config.trusted_proxies = "127.0.0.0/8, 10.0.0.0/8".parse().unwrap()).await;
        for (number, (headers, right)) in testkit::corpus("addresses").into_iter().enumerate() {
            let mut browser = Browser::new(behind.addr);
            let email = format!("{number}@spaza.example");
            let mut request = browser.request("POST".parse().unwrap(), "/api/session").header("sec-fetch-site", "same-origin");
            for (name, value) in headers.lines().filter_map(|line| line.split_once(": ")) {
                request = request.header(name, value);
            }
            let body = json!({ "email": email, "password": PASSWORD, "code": "000000" });
            assert_eq!(browser.send(request.json(&body)).await.status, 401, "{headers}");
            let kept = app.texts(&format!("SELECT address AS text FROM attempts WHERE email = '{email}'")).await;
            assert_eq!(kept, [right], "{headers}");
        }
    }

    async fn failures_count_by_the_address_that_a_trusted_proxy_names(engine) {
        let app = spawn_app(engine).await;
        let (mut admin, secret) = app.administrator().await;
        let behind = app.restarted(|config| config.trusted_proxies = "127.0.0.0/8".parse().unwrap()).await;
        let sign_in = async |email: &str, code: &str, forwarded: &str| {
            let mut browser = Browser::new(behind.addr);
            let body = json!({ "email": email, "password": PASSWORD, "code": code });
            let request = browser
                .request("POST".parse().unwrap(), "/api/session")
                .header("sec-fetch-site", "same-origin")
                .header("x-forwarded-for", forwarded)
                .json(&body);
            browser.send(request).await.status
        };
        let now = service::timestamp::now().format("%Y-%m-%d %H:%M:%S");
        for number in 0..100 {
            app.execute(&format!("INSERT INTO attempts (email, address, at) VALUES ('{number}@spaza.example', '203.0.113.9', '{now}')"))
                .await
                .unwrap();
        }
        // The attacker's own header does not change the address that the proxy appends.
        assert_eq!(sign_in(FIRST, &code(&secret, 1), "198.51.100.1, 203.0.113.9").await, 429);
        assert_eq!(sign_in(FIRST, &code(&secret, 1), "203.0.113.10").await, 200);
        let sessions = admin.get_ok("/api/sessions").await;
        let addresses: Vec<_> = sessions["sessions"].as_array().unwrap().iter().map(|session| session["address"].clone()).collect();
        assert!(addresses.contains(&json!("203.0.113.10")) && addresses.contains(&json!("127.0.0.1")), "{addresses:?}");
        // Wrong passwords of a stranger lock the account where the stranger is, and not for its owner.
        for _ in 0..10 {
            app.execute(&format!("INSERT INTO attempts (email, address, at) VALUES ('{FIRST}', '198.51.100.2', '{now}')")).await.unwrap();
        }
        app.execute("UPDATE staff SET totp_step = 0").await.unwrap();
        assert_eq!(sign_in(FIRST, &code(&secret, 1), "198.51.100.2").await, 429);
        assert_eq!(sign_in(FIRST, &code(&secret, 1), "203.0.113.10").await, 200);
        // Without trust, the connection's address counts.
        let mut direct = Browser::new(app.addr);
        let request = direct
            .request("POST".parse().unwrap(), "/api/session")
            .header("sec-fetch-site", "same-origin")
            .header("x-forwarded-for", "203.0.113.9")
            .json(&json!({ "email": FIRST, "password": PASSWORD, "code": "000000" }));
        assert_eq!(direct.send(request).await.status, 401);
    }
}

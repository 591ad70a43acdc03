//! `POST /api/subscribe`: every case of the specification's table.

use serde_json::json;
use testkit::on_each_engine;

use crate::services::{MEME, Options, TT, number, spawn, spawn_with};

on_each_engine! {
    async fn join_of_new_number_redirects_to_the_network(engine) {
        let services = spawn(engine).await;
        let browser = services.browser("memeworld");
        let msisdn = number("1111");
        let reply = browser.try_to_join(&msisdn, MEME).await;
        assert_eq!((reply.status, reply.header("cache-control")), (200, "no-store"));
        let body = reply.json();
        assert_eq!(body["result"], 1);
        assert!(body["redirectUrl"].as_str().unwrap().starts_with(&format!("http://{}/opt-in/", services.sandbox)));
        assert_eq!(body["subscriptionId"].as_str().unwrap().len(), 32);
        assert_eq!(body.as_object().unwrap().len(), 3);
        let cookie = reply.header("set-cookie");
        assert!(cookie.starts_with("browser=") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
        assert!(!cookie.contains("Domain") && !cookie.contains("Secure"), "{cookie}");
        assert_eq!(services.state_and_causes(&msisdn).await, ("pending".to_owned(), vec!["joined".to_owned()]));
    }

    async fn join_normalises_every_accepted_spelling(engine) {
        let services = spawn(engine).await;
        let national: String = number("4444").chars().skip(2).collect();
        let spellings = [
            national.clone(),
            format!("0{national}"),
            format!("27{national}"),
            format!("+27 {} {} {}", &national[..2], &national[2..5], &national[5..]),
            format!("0027{national}"),
        ];
        let browser = services.browser("memeworld");
        let mut ids = Vec::new();
        let mut page = String::new();
        for spelling in &spellings {
            let (redirect_url, id) = browser.join(spelling, MEME).await;
            assert!(!ids.contains(&id), "every try is its own");
            ids.push(id);
            page = redirect_url;
        }
        assert_eq!(services.count("subscriptions", "1 = 1").await, 1);
        assert_eq!(services.count("tries", "1 = 1").await, 5);
        browser.submit_answer(&page, "confirm").await;
        services.wait_for_state(&format!("27{national}"), "active").await;
        for spelling in &spellings {
            assert_eq!(browser.try_to_join(spelling, MEME).await.json(), json!({"result": 2}), "{spelling}");
        }
    }

    async fn join_of_active_number_reveals_nothing_else(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        let reply = services.browser("memeworld").try_to_join(&msisdn, MEME).await;
        assert_eq!((reply.status, reply.json()), (200, json!({"result": 2})));
        assert_eq!(reply.header("set-cookie"), "");
        // Another service of the same number is a subscription of its own.
        let (_, id) = services.browser("ttmbhatv").join(&msisdn, TT).await;
        assert!(!id.is_empty());
    }

    async fn join_of_pending_suspended_or_cancelled_number_redirects_again(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let browser = services.browser("memeworld");
        let (_, first) = browser.join(&msisdn, MEME).await;
        let (page, second) = browser.join(&msisdn, MEME).await;
        assert_ne!(first, second);
        browser.submit_answer(&page, "confirm").await;
        services.wait_for_state(&msisdn, "active").await;
        for state in ["suspended", "cancelled"] {
            services.execute(format!("UPDATE subscriptions SET state = '{state}'")).await;
            let (page, id) = browser.join(&msisdn, MEME).await;
            // A join request changes no state; the owner's confirmation does.
            assert_eq!(services.state_and_causes(&msisdn).await.0, state);
            browser.submit_answer(&page, "confirm").await;
            assert_eq!(browser.check(&msisdn, &id).await, 1, "{state}");
            assert_eq!(services.state_and_causes(&msisdn).await.0, "active");
        }
        assert_eq!(services.count("subscriptions", "1 = 1").await, 1);
    }

    async fn join_rejects_invalid_requests_with_a_message(engine) {
        let services = spawn(engine).await;
        let browser = services.browser("memeworld");
        let good = json!({"msisdn": "0812345678", "ext_ref": "", "channel": "WAP", "svc_id": MEME});
        for (field, value) in [
            ("msisdn", json!("0112345678")),
            ("msisdn", json!("+44 7911 123456")),
            ("msisdn", json!("")),
            ("svc_id", json!(999)),
            ("channel", json!("SMS")),
            ("ext_ref", json!("x".repeat(257))),
            ("ext_ref", json!("a\u{0}b")),
        ] {
            let mut body = good.clone();
            body[field] = value.clone();
            let reply = browser.post("/api/subscribe", &body).await;
            assert_eq!(reply.status, 422, "{field} {value}");
            assert!(!reply.json()["error_message"].as_str().unwrap().is_empty());
        }
        let browser = browser.with_header("accept-language", "zu");
        let reply = browser.post("/api/subscribe", &json!({"msisdn": "12", "ext_ref": "", "channel": "WAP", "svc_id": MEME})).await;
        assert_eq!((reply.status, reply.header("content-language")), (422, "zu"));
        let text = "Leyo akuyona inombolo yeselula yaseNingizimu Afrika. Sicela uyifake kanje: 0812345678.";
        assert_eq!(reply.json()["error_message"], text);
        for (field, value) in [("msisdn", json!(812345678)), ("svc_id", json!("150x")), ("channel", json!(null))] {
            let mut body = good.clone();
            body[field] = value.clone();
            assert_eq!(browser.post("/api/subscribe", &body).await.status, 400, "{field} {value}");
        }
        assert_eq!(services.count("subscriptions", "1 = 1").await, 0);
    }

    async fn join_with_network_down_stores_nothing(engine) {
        let services = spawn_with(engine, Options { operator_down: true, ..Options::default() }).await;
        let reply = services.browser("memeworld").try_to_join("0812345678", MEME).await;
        assert_eq!(reply.status, 503);
        assert!(!reply.header("retry-after").is_empty());
        assert!(reply.json()["error_message"].as_str().unwrap().contains("network"));
        assert_eq!(reply.header("set-cookie"), "");
        for table in ["subscriptions", "tries", "events", "outbox"] {
            assert_eq!(services.count(table, "1 = 1").await, 0, "{table}");
        }
    }

    async fn cookies_are_secure_on_https_and_reused_by_browser(engine) {
        let services = spawn(engine).await;
        let client = testkit::Client::new(services.addr, "memeworld");
        let request = |cookie: &str| {
            let body = json!({"msisdn": "0812345678", "channel": "WAP", "svc_id": MEME});
            client
                .request(reqwest::Method::POST, "/api/subscribe")
                .header("x-forwarded-proto", "https")
                .header("cookie", cookie)
                .json(&body)
        };
        let first = client.send(request("x=y")).await;
        assert!(first.header("set-cookie").contains("Secure"));
        let kept = first.header("set-cookie").split(';').next().unwrap().to_owned();
        let second = client.send(request(&kept)).await;
        assert!(second.header("set-cookie").starts_with(&kept));
        // A cookie of another format is ignored.
        let third = client.send(request("browser=short")).await;
        assert!(!third.header("set-cookie").starts_with("browser=short"));
    }
}

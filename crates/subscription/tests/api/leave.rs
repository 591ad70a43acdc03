//! `POST /api/subscribe/unsubscribe`: leaving always works.

use std::sync::{Arc, Mutex};

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web::to};
use chrono::{DateTime, Utc};
use serde_json::json;
use testkit::{Client, on_each_engine};

use crate::{
    ledger::{DAY, NOON},
    services::{MEME, Options, PUSH, TT, TestServices, eventually, number, spawn, spawn_with},
};

const LEAVE: &str = "/api/subscribe/unsubscribe";

/// A network that accepts every request but never answers to an SMS; returns the calls it got.
fn answer_all_but_messages(services: &TestServices) -> Arc<Mutex<Vec<String>>> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let network = {
        let heard = heard.clone();
        move || {
            let heard = heard.clone();
            let answer = move |call: HttpRequest| {
                let path = call.path().to_owned();
                heard.lock().unwrap().push(path.clone());
                async move {
                    if path == "/messages" {
                        std::future::pending::<()>().await;
                    }
                    HttpResponse::Ok().json(json!({}))
                }
            };
            App::new().default_service(to(answer))
        }
    };
    let server = HttpServer::new(network).workers(1).disable_signals().bind(services.sandbox).unwrap();
    actix_web::rt::spawn(server.run());
    heard
}

on_each_engine! {
    async fn leave_with_session_cancels_in_one_request(engine) {
        let services = spawn(engine).await;
        for (label, svc_id) in [("memeworld", MEME), ("ttmbhatv", TT)] {
            let msisdn = number("1111");
            let browser = services.joined(label, svc_id, &msisdn).await;
            let reply = browser.post(LEAVE, &json!({"svc_id": svc_id})).await;
            assert_eq!((reply.status, reply.json()), (200, json!({"state": "cancelled"})));
            let me = browser.get("/api/subscribe/me").await.json();
            assert_eq!((me["state"].as_str(), me["next_charge"].is_null()), (Some("cancelled"), true));
            // Idempotent.
            assert_eq!(browser.post(LEAVE, &json!({"svc_id": svc_id})).await.json(), json!({"state": "cancelled"}));
            assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed", "left"]);
            eventually("the goodbye", async || services.inbox(&msisdn).await.iter().any(|sms| sms.contains("not be charged again"))).await;
            eventually("the stop", async || services.count("outbox", "kind = 'stop' AND done_at IS NULL").await == 0).await;
            // The network's own events about the ended subscription change nothing.
            eventually("quiet", async || services.count("notifications", "outcome = 'received'").await == 0).await;
            assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed", "left"]);
        }
    }

    async fn join_after_leave_reuses_the_subscription(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        for (label, svc_id) in [("memeworld", MEME), ("ttmbhatv", TT)] {
            let msisdn = number("1111");
            let paid = async || services.ledger(DAY).await.iter().filter(|row| row.msisdn == msisdn).map(|row| row.status.clone()).collect::<Vec<_>>();
            let browser = services.joined(label, svc_id, &msisdn).await;
            // Before the leave: a charge after it would be refunded.
            eventually("the first charge", async || paid().await == ["settled"]).await;
            browser.post(LEAVE, &json!({"svc_id": svc_id})).await;
            let first = services.account(&msisdn).await["subscriptions"][0]["id"].clone();
            eventually("the stop", async || services.count("outbox", "kind = 'stop' AND done_at IS NULL").await == 0).await;
            let again = services.joined(label, svc_id, &msisdn).await;
            assert_eq!(again.get("/api/subscribe/me").await.json()["state"], "active");
            assert_eq!(services.account(&msisdn).await["subscriptions"][0]["id"], first);
            assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed", "left", "confirmed"]);
            eventually("quiet", async || services.count("notifications", "outcome = 'received'").await == 0).await;
            // The day is paid already.
            assert_eq!(paid().await, ["settled"]);
        }
        services.assert_ledger_matches_network(DAY).await;
    }

    async fn leave_with_network_down_is_recorded_and_notified_later(engine) {
        let services = spawn_with(engine, Options { operator_down: true, ..Options::default() }).await;
        let msisdn = number("1111");
        // The network reports an active subscription, and then becomes unavailable.
        let event = json!({"subscription_id": 4711, "user_msisdn": msisdn, "svc_id": TT, "status_id": 2});
        assert_eq!(services.notify(PUSH, "m1", &event).await.status, 200);
        let client = Client::new(services.addr, "ttmbhatv").with_session(TT, &msisdn);
        assert_eq!(client.post(LEAVE, &json!({"svc_id": TT})).await.json(), json!({"state": "cancelled"}));
        assert_eq!(services.count("outbox", "kind = 'stop' AND done_at IS NULL").await, 1);
        // Its next event about that subscription does not reactivate it.
        services.notify(PUSH, "m2", &event).await;
        assert_eq!(services.state_and_causes(&msisdn).await.0, "cancelled");
        services.start_sandbox().await;
        eventually("the stop", async || services.count("outbox", "kind = 'stop' AND done_at IS NULL").await == 0).await;
    }

    async fn stop_is_not_delayed_by_slow_sms(engine) {
        let services = spawn_with(engine, Options { operator_down: true, ..Options::default() }).await;
        let heard = answer_all_but_messages(&services);
        // More than are sent concurrently.
        let numbers: Vec<String> = (0..40).map(|_| number("1111")).collect();
        for (id, msisdn) in numbers.iter().enumerate() {
            let event = json!({"subscription_id": id, "user_msisdn": msisdn, "svc_id": TT, "status_id": 2});
            assert_eq!(services.notify(PUSH, &format!("m{id}"), &event).await.status, 200);
        }
        eventually("the first welcome", async || !heard.lock().unwrap().is_empty()).await;
        let client = Client::new(services.addr, "ttmbhatv").with_session(TT, &numbers[0]);
        assert_eq!(client.post(LEAVE, &json!({"svc_id": TT})).await.json(), json!({"state": "cancelled"}));
        eventually("the stop", async || services.count("outbox", "kind = 'stop' AND done_at IS NOT NULL").await == 1).await;
    }

    async fn late_stop_does_not_end_a_later_confirmation(engine) {
        let services = spawn(engine).await;
        let sandbox = Client::new(services.sandbox, "localhost");
        for (label, svc_id) in [("memeworld", MEME), ("ttmbhatv", TT)] {
            let msisdn = number("1111");
            let browser = services.joined(label, svc_id, &msisdn).await;
            sandbox.post_as_admin("/internal/outage", &json!({"seconds": 600})).await;
            assert_eq!(browser.post(LEAVE, &json!({"svc_id": svc_id})).await.status, 200);
            assert_eq!(services.browser(label).try_to_join(&msisdn, svc_id).await.status, 503, "the network is away");
            services.execute("UPDATE outbox SET next_at = '2200-01-01 00:00:00' WHERE done_at IS NULL".to_owned()).await;
            sandbox.post_as_admin("/internal/outage", &json!({"seconds": 0})).await;
            services.joined(label, svc_id, &msisdn).await;
            services.execute("UPDATE outbox SET next_at = '2020-01-01 00:00:00' WHERE done_at IS NULL".to_owned()).await;
            eventually("the stop", async || services.count("outbox", "kind = 'stop' AND done_at IS NULL").await == 0).await;
            eventually("quiet", async || services.count("notifications", "outcome = 'received'").await == 0).await;
            assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed", "left", "confirmed"]);
        }
    }

    async fn second_leave_revokes_a_confirmation_in_flight(engine) {
        let services = spawn_with(engine, Options { operator_down: true, ..Options::default() }).await;
        let msisdn = number("1111");
        let yes = |id: i64, at: DateTime<Utc>| {
            json!({"subscription_id": id, "user_msisdn": msisdn, "svc_id": TT, "status_id": 2, "created_at": at.to_rfc3339(), "updated_at": at.to_rfc3339()})
        };
        let client = Client::new(services.addr, "ttmbhatv").with_session(TT, &msisdn);
        let leave = async || assert_eq!(client.post(LEAVE, &json!({"svc_id": TT})).await.json(), json!({"state": "cancelled"}));
        assert_eq!(services.notify(PUSH, "m1", &yes(4711, Utc::now())).await.status, 200);
        leave().await;
        // A second confirmation at the network, whose event arrives after the second leave.
        let second = Utc::now();
        leave().await;
        assert_eq!(services.notify(PUSH, "m2", &yes(4712, second)).await.status, 200);
        assert_eq!(services.state_and_causes(&msisdn).await.1, ["confirmed", "left"]);
        assert_eq!(services.count("outbox", "kind = 'stop' AND body LIKE '%4712%'").await, 1, "the network believes it runs");
        // A confirmation after the leave is applied.
        assert_eq!(services.notify(PUSH, "m3", &yes(4713, Utc::now())).await.status, 200);
        assert_eq!(services.state_and_causes(&msisdn).await.0, "active");
    }

    async fn leave_without_session_needs_confirmation_at_the_network(engine) {
        let services = spawn(engine).await;
        for (label, svc_id) in [("memeworld", MEME), ("ttmbhatv", TT)] {
            let msisdn = number("1111");
            services.joined(label, svc_id, &msisdn).await;
            let stranger = services.browser(label);
            let reply = stranger.post(LEAVE, &json!({"svc_id": svc_id, "msisdn": msisdn})).await;
            let body = reply.json();
            assert_eq!((reply.status, body.as_object().unwrap().len()), (200, 1), "{body}");
            let page = body["redirectUrl"].as_str().unwrap();
            assert_eq!(services.state_and_causes(&msisdn).await.0, "active", "asking ends nothing");
            let back = stranger.submit_answer(page, "confirm").await;
            services.wait_for_state(&msisdn, "cancelled").await;
            assert_eq!(services.state_and_causes(&msisdn).await.1.last().unwrap(), "stopped");
            // A leave does not prove ownership.
            let (_, query) = back.split_once('?').unwrap();
            let reply = stranger.get(&format!("/api/subscribe/check-sub?{query}")).await;
            assert_eq!((reply.json()["result"].as_i64(), reply.header("set-cookie")), (Some(0), ""));
        }
    }

    async fn declined_leave_keeps_the_subscription(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let browser = services.joined("memeworld", MEME, &msisdn).await;
        let reply = services.browser("memeworld").post(LEAVE, &json!({"svc_id": MEME, "msisdn": msisdn})).await;
        browser.submit_answer(reply.json()["redirectUrl"].as_str().unwrap(), "decline").await;
        eventually("the word", async || services.count("tries", "status = 'declined'").await == 1).await;
        assert_eq!(services.state_and_causes(&msisdn).await.0, "active");
    }

    async fn session_ends_only_its_own_subscription(engine) {
        let services = spawn(engine).await;
        let (mine, other) = (number("1111"), number("2222"));
        let browser = services.joined("memeworld", MEME, &mine).await;
        services.joined("memeworld", MEME, &other).await;
        let reply = browser.post(LEAVE, &json!({"svc_id": MEME, "msisdn": other})).await;
        assert!(reply.json()["redirectUrl"].is_string());
        assert_eq!((services.state_and_causes(&mine).await.0, services.state_and_causes(&other).await.0), ("active".to_owned(), "active".to_owned()));
    }

    async fn leave_without_session_and_number_is_401(engine) {
        let services = spawn(engine).await;
        let browser = services.browser("memeworld");
        assert_eq!(browser.post(LEAVE, &json!({"svc_id": MEME})).await.status, 401);
        for typed in ["", " ", "nonsense", "081234567"] {
            let reply = browser.post(LEAVE, &json!({"svc_id": MEME, "msisdn": typed})).await;
            assert_eq!(reply.status, 422, "{typed:?}");
        }
        assert_eq!(browser.post(LEAVE, &json!({"svc_id": 999, "msisdn": "0812345678"})).await.status, 422);
        // A number that never joined gets the same page as one that did.
        let reply = browser.post(LEAVE, &json!({"svc_id": MEME, "msisdn": "0812345678"})).await;
        assert!(reply.json()["redirectUrl"].is_string());
        assert_eq!(services.state_and_causes("0812345678").await.0, "none");
    }

    async fn stop_by_sms_ends_one_service_or_all(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        services.joined("ttmbhatv", TT, &msisdn).await;
        let sandbox = Client::new(services.sandbox, "localhost");
        let states = async || {
            let account = services.account(&msisdn).await;
            [0, 1].map(|at| account["subscriptions"][at]["state"].as_str().unwrap().to_owned())
        };
        let reply = sandbox.post("/sms", &json!({"msisdn": msisdn, "text": " Stop ", "svc_id": TT})).await;
        assert_eq!(reply.json()["stopped"], 1);
        eventually("one ended", async || states().await == ["active", "cancelled"]).await;
        sandbox.post("/sms", &json!({"msisdn": msisdn, "text": "STOP"})).await;
        eventually("all ended", async || states().await == ["cancelled", "cancelled"]).await;
    }
}

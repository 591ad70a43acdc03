//! What a pull network is asked to charge, and what it really charged: every row of the table of numbers.

use std::time::Duration;

use operator::ChargeRequest;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::on_each_engine;

use crate::network::{DAY, MEME, TT, charge_request, spawn, start};

pub fn outcome(reply: &testkit::Reply) -> String {
    assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.bytes));
    reply.json()["outcome"].as_str().unwrap().to_owned()
}

on_each_engine! {
    async fn repeated_charge_requests_charge_once(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        assert_eq!(network.client().get("/charges/k1").await.status, 404, "it was never made");
        let first = network.charge("k1", "27812341111").await.json();
        assert_eq!((first["key"].as_str(), first["outcome"].as_str()), (Some("k1"), Some("charged")));
        assert!(first["network_ref"].is_string() && first["at"].is_string());
        assert_eq!(network.charge("k1", "27812341111").await.json(), first);
        assert_eq!(network.client().get_ok("/charges/k1").await, first);
        let listed = network.charges(DAY).await;
        assert_eq!(listed.len(), 1);
        let expected = json!({"msisdn": "27812341111", "svc_id": MEME, "cents": 300, "key": "k1", "day": DAY, "at": listed[0]["at"]});
        assert_eq!(listed[0], expected);
        // What was charged stays charged, also when its subscription has ended; nothing new is.
        let _ = network.client().post("/sms", &json!({"msisdn": "0812341111", "text": "STOP"})).await;
        assert_eq!(outcome(&network.charge("k1", "27812341111").await), "charged");
        assert_eq!(outcome(&network.charge("k2", "27812341111").await), "refused");
        assert_eq!(network.charges(DAY).await.len(), 1);
    }

    async fn many_copies_of_one_key_at_once_are_one_charge(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        let charge = charge_request("k1", "27812341111");
        let client = network.client();
        let copies: Vec<_> = (0..100)
            .map(|_| {
                let (client, charge) = (client.clone(), charge.clone());
                actix_web::rt::spawn(async move { client.send_until_accepted(Method::POST, "/charges", &charge).await })
            })
            .collect();
        for copy in copies {
            assert_eq!(outcome(&copy.await.unwrap()), "charged");
        }
        assert_eq!(network.charges(DAY).await.len(), 1);
    }

    async fn without_a_running_subscription_a_charge_is_refused(engine) {
        let network = spawn(engine).await;
        network.joined("0812342222", TT).await;
        assert_eq!(outcome(&network.charge("k1", "27812341111").await), "refused");
        assert_eq!(outcome(&network.charge("k2", "27812342222").await), "refused", "it runs for another service");
        assert_eq!(network.client().get_ok("/charges/k1").await["outcome"], "refused");
        assert_eq!(network.client().get_ok("/charges/k1").await["network_ref"], Value::Null);
        assert_eq!(network.charges(DAY).await, [] as [Value; 0]);
        // A failure is not for ever.
        network.joined("0812341111", MEME).await;
        assert_eq!(outcome(&network.charge("k1", "27812341111").await), "charged");
        assert_eq!(network.client().get_ok("/charges/k1").await["outcome"], "charged");
    }

    async fn a_number_in_0002_has_nothing_to_charge(engine) {
        let network = spawn(engine).await;
        network.joined("0812340002", MEME).await;
        assert_eq!(outcome(&network.charge("k1", "27812340002").await), "refused");
    }

    async fn a_number_in_0003_has_no_funds(engine) {
        let network = spawn(engine).await;
        network.joined("0812340003", MEME).await;
        for _ in 0..3 {
            let reply = network.charge("k1", "27812340003").await;
            assert_eq!((outcome(&reply).as_str(), &reply.json()["network_ref"]), ("insufficient_funds", &Value::Null));
        }
        assert_eq!(network.client().get_ok("/charges/k1").await["outcome"], "insufficient_funds");
        assert_eq!(network.charges(DAY).await, [] as [Value; 0]);
    }

    async fn a_number_in_0004_is_neither_charged_nor_answered(engine) {
        let network = spawn(engine).await;
        network.joined("0812340004", MEME).await;
        let client = network.client();
        let charge = client.request(Method::POST, "/charges").json(&charge_request("k1", "27812340004"));
        let error = charge.timeout(Duration::from_secs(2)).send().await.unwrap_err();
        assert!(error.is_timeout(), "{error:?}");
        assert_eq!(network.client().get("/charges/k1").await.status, 404);
        assert_eq!(network.charges(DAY).await, [] as [Value; 0]);
    }

    async fn a_number_in_0005_is_charged_and_the_reply_is_lost(engine) {
        let network = spawn(engine).await;
        network.joined("0812340005", MEME).await;
        assert_eq!(network.charge_raw("k1", "27812340005").await, b"", "the connection is cut without a byte");
        assert_eq!(network.charges(DAY).await.len(), 1);
        assert_eq!(network.client().get_ok("/charges/k1").await["outcome"], "charged");
        // Also after a restart: it was durable before the connection was cut.
        let again = start(&network.place, network.receiver_addr).await;
        let client = testkit::Client::new(again.addr, "localhost");
        assert_eq!(outcome(&client.post("/charges", &charge_request("k1", "27812340005")).await), "charged");
        assert_eq!(network.charges(DAY).await.len(), 1);
        assert_eq!(network.charge_raw("k2", "27812340005").await, b"", "every day's first charge");
    }

    async fn a_number_in_0006_is_busy_twice_for_each_key(engine) {
        let network = spawn(engine).await;
        network.joined("0812340006", MEME).await;
        for key in ["k1", "k2"] {
            for _ in 0..2 {
                let reply = network.charge(key, "27812340006").await;
                assert_eq!((reply.status, reply.header("content-type")), (503, "application/problem+json"));
                assert_eq!(network.client().get(&format!("/charges/{key}")).await.status, 404);
            }
            assert_eq!(outcome(&network.charge(key, "27812340006").await), "charged");
        }
        assert_eq!(network.charges(DAY).await.len(), 2);
    }

    async fn a_number_in_0007_is_charged_as_any_other(engine) {
        let network = spawn(engine).await;
        network.joined("0812340007", MEME).await;
        assert_eq!(outcome(&network.charge("k1", "27812340007").await), "charged");
    }

    async fn a_day_is_listed_whole_or_in_pages(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        for number in 0..25 {
            network.charge(&format!("k{number}"), "27812341111").await;
        }
        let all = network.charges(DAY).await;
        let (mut next, mut paged) = (format!("/charges?day={DAY}&limit=10"), Vec::new());
        let mut pages = 0;
        while !next.is_empty() {
            let reply = network.client().get(&next).await;
            paged.extend(reply.json().as_array().unwrap().clone());
            let link = reply.header("link");
            assert!(link.is_empty() || link.ends_with("; rel=\"next\""), "{link}");
            next = link.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
            pages += 1;
        }
        assert_eq!((pages, all.len(), &paged), (3, 25, &all));
        assert_eq!(network.charges("2031-06-01").await, [] as [Value; 0]);
        for (query, status) in [("day=today", 422), ("day=2031-5-31", 422), ("", 400)] {
            assert_eq!(network.client().get(&format!("/charges?{query}")).await.status, status, "{query}");
        }
        for limit in ["0", "10001", "many"] {
            assert_eq!(network.client().get(&format!("/charges?day={DAY}&limit={limit}")).await.status, 400, "{limit}");
        }
    }

    async fn invalid_requests_are_refused(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        network.joined("0812342222", MEME).await;
        network.charge("taken", "27812341111").await;
        let long = "k".repeat(129);
        for (field, value, status) in [
            ("key", json!(""), 422),
            ("key", json!("a\u{0}b"), 422),
            ("key", json!(long), 422),
            ("key", json!("taken"), 422),
            ("msisdn", json!("nonsense"), 422),
            ("svc_id", json!(999), 422),
            ("cents", json!(0), 422),
            ("cents", json!("300"), 400),
            ("day", json!("today"), 422),
        ] {
            let mut charge = charge_request("k1", "27812342222");
            charge[field] = value.clone();
            assert_eq!(network.client().post("/charges", &charge).await.status, status, "{field} {value}");
        }
        assert_eq!(network.client().get("/charges/%00").await.status, 404);
        assert_eq!(network.charges(DAY).await.len(), 1);
        // The words are those of the wire contract.
        let whole: ChargeRequest = serde_json::from_value(charge_request("k", "27812341111")).unwrap();
        assert!(whole.network_subscription_id.is_none());
    }
}

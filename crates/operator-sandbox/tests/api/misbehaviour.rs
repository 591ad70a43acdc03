//! `POST /internal/misbehave`: calls, charges, lists, refunds and SMSes of one network that go wrong.

use std::time::{Duration, Instant};

use futures_util::future::join;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::{eventually, on_each_engine};

use crate::{
    charges::outcome,
    network::{DAY, MEME, TT, charge_request, spawn},
};

fn refund(key: &str) -> Value {
    json!({"key": key, "charge_key": "k1", "msisdn": "27812341111", "svc_id": MEME, "cents": 300, "reason": "asked"})
}

fn sms(key: &str, svc_id: i32) -> Value {
    json!({"key": key, "msisdn": "27812341111", "svc_id": svc_id, "text": "Hello"})
}

on_each_engine! {
    async fn the_switch_needs_the_token_and_a_network_and_known_fields(engine) {
        let network = spawn(engine).await;
        let good = json!({"network": "sandbox-pull"});
        assert_eq!(network.client().post("/internal/misbehave", &good).await.status, 401);
        for (body, status) in [
            (&good, 204),
            (&json!({"network": "elsewhere"}), 422),
            (&json!({}), 422),
            (&json!({"network": "sandbox-pull", "unavailible": true}), 400),
            (&json!({"network": "sandbox-pull", "list": "party"}), 400),
        ] {
            assert_eq!(network.client().post_as_admin("/internal/misbehave", body).await.status, status, "{body}");
        }
    }

    async fn a_network_with_a_speed_limit_wants_further_charges_later(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        network.misbehave(json!({"network": "sandbox-pull", "charges_per_second": 1, "list": "twice"})).await;
        let charge = async |key: &str| network.client().post("/charges", &charge_request(key, "27812341111")).await;
        let mut replies = Vec::new();
        for key in ["k1", "k2", "k3"] {
            replies.push(charge(key).await);
        }
        let later = replies.iter().find(|reply| reply.status == 429).expect("two of three are within one second");
        assert_eq!(later.header("retry-after"), "1");
        eventually("the next second takes one", async || charge("k9").await.status == 200).await;
        let listed = network.charges(DAY).await;
        let (last, before) = (&listed[listed.len() - 1], &listed[listed.len() - 2]);
        assert_eq!(last["key"], before["key"]);
        assert_ne!(last["at"], before["at"]);
    }

    async fn a_hung_network_answers_no_call_and_does_nothing(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        network.joined("0812341111", TT).await;
        let reference = network.opt_in("0812342222", MEME, "verify").await;
        network.charge("k1", "27812341111").await;
        network.misbehave(json!({"network": "sandbox-pull", "hang_seconds": 600})).await;
        let opt_in = json!({
            "msisdn": "27812342222", "svc_id": MEME, "service": "x", "price_cents": 300, "ext_ref": "",
            "subscription_id": "t", "return_url": "http://brand.localhost/", "kind": "verify",
        });
        let stop = json!({"msisdn": "27812341111", "svc_id": MEME, "network_subscription_id": "1"});
        for (path, body) in [
            ("/charges", &charge_request("k2", "27812341111")),
            ("/refunds", &refund("r1")),
            ("/messages", &sms("m1", MEME)),
            ("/stops", &stop),
            ("/opt-ins", &opt_in),
        ] {
            assert!(network.hangs(Method::POST, path, body).await, "{path}");
        }
        let of_day = format!("/charges?day={DAY}");
        for path in ["/charges/k1", "/charges/k2", &format!("/opt-ins/{reference}"), &of_day] {
            assert!(network.hangs(Method::GET, path, &Value::Null).await, "{path}");
        }
        // The other network answers.
        assert_eq!(network.client().post("/messages", &sms("m2", TT)).await.status, 204);
        assert_eq!(network.client().get_ok(&format!("{of_day}&network=sandbox-push")).await, json!([]));
        // A call that hangs is cut when the network no longer hangs.
        let ends = async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            network.misbehave(json!({"network": "sandbox-pull"})).await;
        };
        assert_eq!(join(network.charge_raw("k3", "27812341111"), ends).await.0, b"");
        assert_eq!(network.charges(DAY).await.len(), 1);
        assert_eq!(network.client().get("/charges/k3").await.status, 404);
    }

    async fn a_hung_call_is_cut_when_its_time_is_over(engine) {
        let network = spawn(engine).await;
        network.misbehave(json!({"network": "sandbox-pull", "hang_seconds": 1})).await;
        let start = Instant::now();
        assert_eq!(network.charge_raw("k1", "27812341111").await, b"");
        assert!(start.elapsed() >= Duration::from_secs(1));
    }

    async fn an_unavailable_network_answers_503(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        network.misbehave(json!({"network": "sandbox-pull", "unavailable": true})).await;
        assert_eq!(network.charge("k1", "27812341111").await.status, 503);
        assert_eq!(network.client().get("/charges/k1").await.status, 503);
        assert_eq!(network.client().post("/messages", &sms("m1", MEME)).await.status, 503);
        assert_eq!(network.client().post("/messages", &sms("m2", TT)).await.status, 204);
        let text = json!({"msisdn": "27812341111", "text": "STOP"});
        assert_eq!(network.client().post("/sms", &text).await.status, 200, "people still reach it");
        network.misbehave(json!({"network": "sandbox-pull"})).await;
        assert_eq!(network.client().get("/charges/k1").await.status, 404, "nothing was done");
    }

    async fn a_charge_reply_names_another_charge(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        let right = network.charge("k1", "27812341111").await.json();
        for (switch, field, value) in [
            ("wrong_key", "key", json!("k1-other")),
            ("wrong_amount", "cents", json!(301)),
            ("wrong_number", "msisdn", json!("27812341112")),
            ("unknown_outcome", "outcome", json!("unknown")),
        ] {
            network.misbehave(json!({"network": "sandbox-pull", switch: true})).await;
            let mut expected = right.clone();
            expected[field] = value;
            assert_eq!(network.charge("k1", "27812341111").await.json(), expected);
            assert_eq!(network.client().get_ok("/charges/k1").await, expected);
        }
        network.misbehave(json!({"network": "sandbox-push", "wrong_key": true})).await;
        network.misbehave(json!({"network": "sandbox-pull", "numeric_refs": true})).await;
        let numeric = network.charge("k1", "27812341111").await.json();
        assert_eq!(json!(format!("charge-{}", numeric["network_ref"].as_i64().unwrap())), right["network_ref"]);
        assert!(network.client().post("/refunds", &refund("r1")).await.json()["network_ref"].is_i64());
        assert_eq!(network.charges(DAY).await.len(), 1);
    }

    async fn an_accepted_charge_tells_its_result_later(engine) {
        let network = spawn(engine).await;
        for (msisdn, result) in [("27812341111", "charged"), ("27812340003", "insufficient_funds")] {
            network.joined(msisdn, MEME).await;
            network.misbehave(json!({"network": "sandbox-pull", "accept_seconds": 2})).await;
            assert_eq!(outcome(&network.charge(msisdn, msisdn).await), "accepted");
            let status = async || network.client().get_ok(&format!("/charges/{msisdn}")).await["outcome"].clone();
            assert_eq!(status().await, "accepted");
            assert_eq!(outcome(&network.charge(msisdn, msisdn).await), "accepted", "the same charge again");
            eventually("the result", async || status().await == result).await;
            let notified = async || {
                let received = network.receiver.received();
                received.iter().any(|one| one.body["event"] == "charge" && one.body["key"] == msisdn)
            };
            eventually("its notification", notified).await;
        }
        assert_eq!(network.charges(DAY).await.len(), 1);
    }

    async fn a_garbled_reply_is_no_json(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        network.misbehave(json!({"network": "sandbox-pull", "garbled": true})).await;
        for reply in [network.charge("k1", "27812341111").await, network.client().get("/charges/k1").await] {
            assert_eq!((reply.status, reply.header("content-type")), (200, "text/html"));
            assert!(serde_json::from_slice::<Value>(&reply.bytes).is_err());
        }
        assert_eq!(network.charges(DAY).await.len(), 1);
    }

    async fn a_network_that_refuses_all_knows_no_subscription(engine) {
        let network = spawn(engine).await;
        let reference = network.opt_in("0812341111", MEME, "opt_in").await;
        network.tap(&reference, "confirm").await;
        network.misbehave(json!({"network": "sandbox-pull", "refuse_all": true})).await;
        let reply = network.charge("k1", "27812341111").await.json();
        let named = ["key", "outcome", "msisdn", "svc_id", "cents"].map(|field| reply[field].clone());
        assert_eq!(named, [json!("k1"), json!("refused"), json!("27812341111"), json!(MEME), json!(300)]);
        let opt_in = async || network.client().get_ok(&format!("/opt-ins/{reference}")).await["active"].as_bool();
        assert_eq!(opt_in().await, Some(false));
        network.misbehave(json!({"network": "sandbox-pull"})).await;
        assert_eq!(opt_in().await, Some(true));
        assert_eq!(network.charge("k1", "27812341111").await.json()["outcome"], "charged");
    }

    async fn so_many_numbers_of_a_hundred_have_no_airtime(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        for (percent, outcome) in [(12, "insufficient_funds"), (100, "insufficient_funds"), (11, "charged")] {
            network.misbehave(json!({"network": "sandbox-pull", "no_airtime_percent": percent})).await;
            assert_eq!(network.charge("k1", "27812341111").await.json()["outcome"], outcome, "{percent}");
        }
    }

    async fn a_delayed_charge_is_made_before_its_reply(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        network.misbehave(json!({"network": "sandbox-pull", "charge_delay_ms": 60_000})).await;
        assert!(network.hangs(Method::POST, "/charges", &charge_request("k1", "27812341111")).await);
        eventually("the charge", async || network.charges(DAY).await.len() == 1).await;
        assert_eq!(network.client().get_ok("/charges/k1").await["outcome"], "charged");
    }

    async fn the_list_of_a_day_goes_wrong(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        network.joined("0812342222", TT).await;
        network.charge("k1", "27812341111").await;
        network.run_day(DAY).await;
        let services = async |query: &str| -> Vec<Value> {
            let reply = network.client().get_ok(&format!("/charges?day={DAY}{query}")).await;
            reply.as_array().unwrap().iter().map(|row| row["svc_id"].clone()).collect()
        };
        assert_eq!(services("").await, [json!(MEME), json!(TT)]);
        assert_eq!(services("&network=sandbox-pull").await, [json!(MEME)]);
        assert_eq!(network.client().get(&format!("/charges?day={DAY}&network=elsewhere")).await.status, 422);

        network.misbehave(json!({"network": "sandbox-pull", "list": "empty"})).await;
        assert_eq!(services("").await, [json!(TT)]);
        assert_eq!(services("&network=sandbox-push").await, [json!(TT)]);
        assert_eq!(services("&network=sandbox-pull&limit=10").await, [] as [Value; 0]);

        network.misbehave(json!({"network": "sandbox-pull", "list": "endless"})).await;
        for query in ["", "&limit=1", "&limit=1&after=1"] {
            let address = format!("/charges?day={DAY}{query}");
            let reply = network.client().get(&address).await;
            assert_eq!(reply.header("link"), format!("<{address}>; rel=\"next\""));
        }

        network.misbehave(json!({"network": "sandbox-pull", "list": "bad_row"})).await;
        let rows = network.charges(DAY).await;
        assert_eq!((rows.len(), &rows[0]["key"], rows[2]["cents"].is_string()), (3, &json!("k1"), true));

        network.misbehave(json!({"network": "sandbox-pull", "list": "error"})).await;
        assert_eq!(network.client().get(&format!("/charges?day={DAY}&limit=10")).await.status, 500);
        assert_eq!(services("&network=sandbox-push").await, [json!(TT)]);
    }

    async fn a_network_that_forgets_its_charges_answers_404(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        network.charge("k1", "27812341111").await;
        network.misbehave(json!({"network": "sandbox-pull", "forget_charges": true})).await;
        assert_eq!(network.client().get("/charges/k1").await.status, 404);
        assert_eq!(network.charges(DAY).await.len(), 1, "the list still has it");
    }

    async fn a_refund_is_refused_or_made_in_part(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        network.charge("k1", "27812341111").await;
        network.misbehave(json!({"network": "sandbox-pull", "refund": "refuse"})).await;
        assert_eq!(network.client().post("/refunds", &refund("r1")).await.status, 422);
        network.misbehave(json!({"network": "sandbox-pull", "refund": "part"})).await;
        for _ in 0..2 {
            assert_eq!(network.client().post("/refunds", &refund("r1")).await.json()["cents"], 100);
        }
        let listed = network.client().get_ok(&format!("/refunds?day={DAY}")).await;
        assert_eq!((listed.as_array().unwrap().len(), &listed[0]["cents"]), (1, &json!(100)));
    }

    async fn an_sms_is_refused_or_slow(engine) {
        let network = spawn(engine).await;
        network.misbehave(json!({"network": "sandbox-pull", "sms": "refuse"})).await;
        assert_eq!(network.client().post("/messages", &sms("m1", MEME)).await.status, 422);
        assert_eq!(network.client().post("/messages", &sms("m2", TT)).await.status, 204);
        network.misbehave(json!({"network": "sandbox-pull", "sms": "slow"})).await;
        let start = Instant::now();
        assert_eq!(network.client().post("/messages", &sms("m1", MEME)).await.status, 204);
        assert!(start.elapsed() >= Duration::from_millis(300));
    }
}

//! Opt-in requests, and the notifications of their answers.

use serde_json::json;
use testkit::on_each_engine;

use crate::network::{MEME, TT, spawn};

on_each_engine! {
    async fn a_pull_network_tells_of_the_answer(engine) {
        let network = spawn(engine).await;
        let reference = network.opt_in("0812341111", MEME, "opt_in").await;
        let status = network.client().get_ok(&format!("/opt-ins/{reference}")).await;
        assert_eq!((status["status"].as_str(), status["active"].as_bool()), (Some("pending"), Some(false)));
        let back = network.tap(&reference, "confirm").await;
        assert_eq!(
            back,
            "http://brand.localhost:8080/DoiRedirect?kept=1&msisdn=27812341111&subscription_id=our-try&ext_ref=ad+7%26x%3D1"
        );
        let status = network.client().get_ok(&format!("/opt-ins/{reference}")).await;
        assert_eq!((status["status"].as_str(), status["active"].as_bool()), (Some("confirmed"), Some(true)));
        let received = network.receiver.receives(1).await;
        assert_eq!(received[0].network, "sandbox-pull");
        insta::assert_json_snapshot!("opt_in_event", received[0].body, { ".reference" => "[reference]", ".decided_at" => "[time]" });
    }

    async fn a_push_network_tells_of_its_subscription_and_its_charge(engine) {
        let network = spawn(engine).await;
        let reference = network.opt_in("0812341111", TT, "opt_in").await;
        network.tap(&reference, "confirm").await;
        let received = network.receiver.receives(2).await;
        assert!(received.iter().all(|one| one.network == "sandbox-push"));
        let times = ["[time]"];
        insta::assert_json_snapshot!("subscription_event", received[0].body, {
            ".created_at" => times[0], ".updated_at" => times[0], ".last_billed_at" => times[0], ".next_billing_at" => times[0],
        });
        insta::assert_json_snapshot!("billing_event", received[1].body, {
            ".billing_ref" => "[ref]", ".billed_at" => times[0],
            ".subscription.created_at" => times[0], ".subscription.updated_at" => times[0],
            ".subscription.last_billed_at" => times[0], ".subscription.next_billing_at" => times[0],
        });
    }

    async fn an_answer_counts_once(engine) {
        let network = spawn(engine).await;
        let reference = network.opt_in("0812341111", TT, "opt_in").await;
        let first = network.tap(&reference, "confirm").await;
        assert_eq!(network.tap(&reference, "decline").await, first);
        assert_eq!(network.tap(&reference, "confirm").await, first);
        network.receiver.receives(2).await;
        assert_eq!(network.client().get_ok(&format!("/opt-ins/{reference}")).await["status"], "confirmed");
    }

    async fn a_number_in_0002_declines_whatever_is_tapped(engine) {
        let network = spawn(engine).await;
        for (svc_id, received) in [(MEME, 1), (TT, 2)] {
            let reference = network.opt_in("0812340002", svc_id, "opt_in").await;
            network.tap(&reference, "confirm").await;
            assert_eq!(network.client().get_ok(&format!("/opt-ins/{reference}")).await["status"], "declined");
            assert_eq!(network.receiver.receives(received).await[received - 1].body["status"], "declined");
        }
        // It may still end what it never had.
        let reference = network.opt_in("0812340002", MEME, "leave").await;
        network.tap(&reference, "confirm").await;
        assert_eq!(network.client().get_ok(&format!("/opt-ins/{reference}")).await["status"], "confirmed");
    }

    async fn a_number_in_0007_gets_events_twice_and_out_of_order(engine) {
        let network = spawn(engine).await;
        let reference = network.opt_in("0812340007", TT, "opt_in").await;
        network.tap(&reference, "confirm").await;
        let received = network.receiver.receives(4).await;
        let kinds: Vec<bool> = received.iter().map(|one| one.body["billing_ref"].is_string()).collect();
        assert_eq!(kinds, [true, false, true, false]);
        assert_eq!(received[0].body, received[2].body);
        assert_ne!(received[0].webhook_id, received[2].webhook_id);
        assert_eq!((received[0].body["amount"].as_str(), received[1].body["svc_id"].as_str()), (Some("300"), Some("152")));
    }

    async fn a_leave_or_a_stop_ends_what_runs_and_tells(engine) {
        let network = spawn(engine).await;
        let opt_in = network.opt_in("0812341111", TT, "opt_in").await;
        network.tap(&opt_in, "confirm").await;
        let received = network.receiver.receives(2).await;
        let stop = json!({"msisdn": "27812341111", "svc_id": TT, "network_subscription_id": received[0].body["subscription_id"].to_string()});
        let wrong = json!({"msisdn": "27812341111", "svc_id": TT, "network_subscription_id": "999999"});
        assert_eq!(network.client().post("/stops", &wrong).await.status, 204);
        assert_eq!(network.client().get_ok(&format!("/opt-ins/{opt_in}")).await["active"], true);
        for _ in 0..2 {
            assert_eq!(network.client().post("/stops", &stop).await.status, 204);
        }
        assert_eq!(network.receiver.receives(3).await[2].body["status_id"], 8);
        let status = network.client().get_ok(&format!("/opt-ins/{opt_in}")).await;
        assert_eq!((status["status"].as_str(), status["active"].as_bool()), (Some("confirmed"), Some(false)));
    }

    async fn invalid_requests_are_refused(engine) {
        let network = spawn(engine).await;
        let good = json!({
            "msisdn": "0812341111", "svc_id": MEME, "service": "x", "price_cents": 300, "ext_ref": "",
            "subscription_id": "t", "return_url": "http://brand.localhost/", "kind": "opt_in",
        });
        for (field, value, status) in [
            ("msisdn", json!("nonsense"), 422),
            ("svc_id", json!(999), 422),
            ("return_url", json!("javascript:alert(1)"), 422),
            ("kind", json!("party"), 400),
        ] {
            let mut body = good.clone();
            body[field] = value;
            assert_eq!(network.client().post("/opt-ins", &body).await.status, status, "{field}");
        }
        assert_eq!(network.client().get("/opt-ins/nothing").await.status, 404);
        assert_eq!(network.client().get("/opt-ins/%00").await.status, 404);
        let passed_on = network.client().post("/sms", &json!({"msisdn": "0812341111", "text": "HELLO"})).await;
        assert_eq!((passed_on.status, passed_on.json()), (200, json!({"passed_on_by": "sandbox-pull"})));
    }
}

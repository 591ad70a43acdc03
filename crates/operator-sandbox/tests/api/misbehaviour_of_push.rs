//! `POST /internal/misbehave`: events of a push network, stops and subscription ids that go wrong.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use testkit::on_each_engine;

use crate::network::{DAY, MEME, Network, TT, spawn};

/// Runs the day with a switch on; the billing events that it leads to.
async fn billing_events(network: &Network, misbehaviour: Value, expected: [u64; 3], count: usize) -> Vec<Value> {
    network.misbehave(misbehaviour).await;
    let before = network.receiver.received().len();
    assert_eq!(network.run_day(DAY).await, expected);
    let received = network.receiver.receives(before + 1 + count).await.split_off(before);
    received.into_iter().map(|one| one.body).filter(|body| !body["billing_ref"].is_null()).collect()
}

/// Stops a service by SMS; the notification that it leads to.
async fn stop_event(network: &Network, svc_id: i32) -> Value {
    let before = network.receiver.received().len();
    let text = json!({"msisdn": "27812341111", "text": "STOP", "svc_id": svc_id});
    assert_eq!(network.client().post("/sms", &text).await.json()["stopped"], 1);
    network.receiver.receives(before + 1).await.pop().unwrap().body
}

on_each_engine! {
    async fn a_result_that_is_not_success_charges_nothing(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", TT).await;
        network.receiver.receives(2).await;
        let mut refs = Vec::new();
        for result in ["PENDING", "GRACE", "REFUNDED"] {
            let switch = json!({"network": "sandbox-push", "push_results": result});
            let events = billing_events(&network, switch, [1, 0, 1], 1).await;
            assert_eq!((events.len(), &events[0]["result_name"]), (1, &json!(result)));
            refs.push(events[0]["billing_ref"].clone());
        }
        assert_eq!(network.charges(DAY).await, [] as [Value; 0]);
        let events = billing_events(&network, json!({"network": "sandbox-push"}), [1, 1, 0], 1).await;
        assert_eq!(events[0]["result_name"], "SUCCESS");
        assert!(refs.iter().all(|one| *one == events[0]["billing_ref"]), "the last event about it counts");
        assert_eq!(network.charges(DAY).await.len(), 1);
    }

    async fn an_amount_is_sent_as_it_was_given(engine) {
        let network = spawn(engine).await;
        for (number, amount) in [json!("3.00"), json!(-300), json!(0), json!(300_000), json!(null)].iter().enumerate() {
            let before = network.receiver.received().len();
            network.misbehave(json!({"network": "sandbox-push", "push_amount": amount})).await;
            network.joined(&format!("081234111{number}"), TT).await;
            let received = network.receiver.receives(before + 2).await;
            assert_eq!(received.last().unwrap().body.get("amount"), Some(amount));
        }
    }

    async fn a_day_is_charged_twice(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", TT).await;
        network.receiver.receives(2).await;
        let events = billing_events(&network, json!({"network": "sandbox-push", "push_twice": true}), [1, 1, 0], 2).await;
        assert!(events.iter().all(|event| event["result_name"] == "SUCCESS"));
        let listed: Vec<Value> = network.charges(DAY).await.iter().map(|charge| charge["key"].clone()).collect();
        let refs: Vec<Value> = events.iter().map(|event| event["billing_ref"].clone()).collect();
        assert_eq!((refs.len(), &listed), (2, &refs));
        assert_ne!(refs[0], refs[1]);
        assert_eq!(network.run_day(DAY).await, [0, 0, 0]);
    }

    async fn a_charge_fails_and_then_succeeds_under_one_ref(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", TT).await;
        network.receiver.receives(2).await;
        let switch = json!({"network": "sandbox-push", "failed_then_success": true});
        let events = billing_events(&network, switch, [1, 1, 0], 2).await;
        assert_eq!((&events[0]["result_name"], &events[1]["result_name"]), (&json!("FAILED"), &json!("SUCCESS")));
        assert_eq!(events[0]["billing_ref"], events[1]["billing_ref"]);
        assert_eq!(network.charges(DAY).await.len(), 1);
    }

    async fn a_stop_names_its_service_otherwise(engine) {
        testkit::away_from_midnight().await;
        let network = spawn(engine).await;
        for (name, svc_id) in [("sandbox-pull", MEME), ("sandbox-push", TT)] {
            for (switch, expected) in
                [("stop_without_svc_id", None), ("stop_svc_id_as_text", Some(json!(svc_id.to_string())))]
            {
                let before = network.receiver.received().len();
                network.joined("0812341111", svc_id).await;
                // The day of a push subscription is charged once.
                let charged = svc_id == TT && switch == "stop_without_svc_id";
                network.receiver.receives(before + 1 + usize::from(charged)).await;
                network.misbehave(json!({"network": name, switch: true})).await;
                let event = stop_event(&network, svc_id).await;
                assert_eq!(event.get("svc_id"), expected.as_ref(), "{name} {switch}");
                assert_eq!(event["user_msisdn"], "27812341111");
            }
        }
    }

    async fn a_stop_is_dated_in_the_future(engine) {
        let network = spawn(engine).await;
        for (name, svc_id, field, count) in [("sandbox-pull", MEME, "at", 1), ("sandbox-push", TT, "updated_at", 4)] {
            network.misbehave(json!({"network": name, "stop_in_future": true})).await;
            network.joined("0812341111", svc_id).await;
            network.receiver.receives(count).await;
            let event = stop_event(&network, svc_id).await;
            let text = event[field].as_str().unwrap();
            let ahead = DateTime::parse_from_rfc3339(text).unwrap().with_timezone(&Utc) - Utc::now();
            assert!(text.ends_with('Z') && ahead > TimeDelta::minutes(115) && ahead <= TimeDelta::hours(2), "{text}");
        }
    }

    async fn another_amount_is_charged(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", TT).await;
        network.receiver.receives(2).await;
        let events = billing_events(&network, json!({"network": "sandbox-push", "push_cents": 400}), [1, 1, 0], 1).await;
        assert_eq!((&events[0]["amount"], &network.charges(DAY).await[0]["cents"]), (&json!(400), &json!(400)));
    }

    async fn times_are_written_otherwise_and_notifications_come_again(engine) {
        let network = spawn(engine).await;
        let now = Utc::now();
        for (number, times) in ["rubbish", "bare", "behind"].into_iter().enumerate() {
            let before = network.receiver.received().len();
            let faults = json!({"network": "sandbox-pull", "times": times, "repeat_notifications": true, "stop_svc_id": 88123});
            network.misbehave(faults).await;
            let msisdn = format!("081234111{number}");
            network.joined(&msisdn, MEME).await;
            let received = network.receiver.receives(before + 2).await.split_off(before);
            assert_eq!(received[0].body, received[1].body);
            assert_ne!(received[0].webhook_id, received[1].webhook_id);
            let text = received[0].body["decided_at"].as_str().unwrap();
            let zone = if times == "bare" { format!("{}Z", text.replace(' ', "T")) } else { text.to_owned() };
            match DateTime::parse_from_rfc3339(&zone) {
                Ok(at) => {
                    let behind = TimeDelta::minutes(if times == "behind" { 10 } else { 0 });
                    let off = now - behind - at.with_timezone(&Utc);
                    assert!(off.abs() < TimeDelta::minutes(5), "{times}: {text}");
                }
                Err(_) => assert_eq!((times, text), ("rubbish", "0000-00-00 00:00:00")),
            }
            let stopped = json!({"msisdn": msisdn, "text": "STOP", "svc_id": MEME});
            assert_eq!(network.client().post("/sms", &stopped).await.json()["stopped"], 1);
            let event = network.receiver.receives(before + 4).await.pop().unwrap().body;
            assert_eq!(event["svc_id"], 88123);
        }
    }

    async fn a_rejoin_gets_a_new_id(engine) {
        testkit::away_from_midnight().await;
        let network = spawn(engine).await;
        for (name, svc_id) in [("sandbox-pull", MEME), ("sandbox-push", TT)] {
            network.misbehave(json!({"network": name, "new_id_on_rejoin": true})).await;
            let mut ids = Vec::new();
            let mut active = Vec::new();
            let first = network.opt_in("0812341111", svc_id, "opt_in").await;
            let references = [first, network.opt_in("0812341111", svc_id, "opt_in").await];
            for reference in &references {
                network.tap(reference, "confirm").await;
            }
            for reference in &references {
                let opt_in = network.client().get_ok(&format!("/opt-ins/{reference}")).await;
                ids.push(opt_in["network_subscription_id"].clone());
                active.push(opt_in["active"].as_bool().unwrap());
            }
            assert_ne!(ids[0], ids[1]);
            assert_eq!(active, [false, true]);
        }
        // A pull opt-in is one event each; a push one is a subscription event each, and one charge.
        let received = network.receiver.receives(5).await;
        assert!(received.iter().all(|one| one.body["event"] != "stop" && one.body["status_id"] != 8));
    }
}

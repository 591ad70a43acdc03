//! `POST /api/subscribe/notify/{network}`: accepted only when signed, stored unchanged, applied once in any order.

use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use testkit::{Client, away_from_midnight, on_each_engine};

use crate::services::{MEME, Options, PULL, PUSH, TT, TestServices, eventually, number, spawn, spawn_with};

fn subscription_event(msisdn: &str, id: i64, status_id: i64) -> Value {
    json!({
        "subscription_id": id, "user_msisdn": msisdn, "svc_id": TT, "svc_name": "ttmbhatv", "ext_ref": null,
        "channel_name": "WAP", "status_id": status_id, "billing_rate": 300, "billing_cycle": "DAILY",
    })
}

fn billing_event(msisdn: &str, id: i64, billing_ref: &str, result_name: &str) -> Value {
    json!({
        "amount": 300, "billing_ref": billing_ref, "result_id": 1, "result_name": result_name,
        "subscription": subscription_event(msisdn, id, 2),
    })
}

fn opt_in_event(msisdn: &str, reference: &str, status: &str) -> Value {
    json!({
        "event": "opt_in", "kind": "opt_in", "reference": reference, "subscription_id": null, "user_msisdn": msisdn,
        "svc_id": MEME, "status": status,
    })
}

async fn outcomes(services: &TestServices, outcome: &str) -> i64 {
    services.count("notifications", &format!("outcome = '{outcome}'")).await
}

on_each_engine! {
    async fn unsigned_notification_is_401_and_not_stored(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let client = Client::new(services.addr, "memeworld");
        let body = opt_in_event(&msisdn, "r1", "confirmed");
        let reply = client.post(&format!("/api/subscribe/notify/{PULL}"), &body).await;
        assert_eq!((reply.status, reply.header("content-type")), (401, "application/problem+json"));
        let forged = client
            .request(reqwest::Method::POST, &format!("/api/subscribe/notify/{PULL}"))
            .header("webhook-id", "m1")
            .header("webhook-timestamp", chrono::Utc::now().timestamp())
            .header("webhook-signature", "v1,bm8=")
            .json(&body);
        assert_eq!(client.send(forged).await.status, 401);
        // A minute beyond the five allowed, so that the seconds before the check do not matter.
        for seconds_off in [-360, 360] {
            let reply = services.notify_raw(PULL, "m1", body.to_string().into_bytes(), seconds_off).await;
            assert_eq!(reply.status, 401, "{seconds_off}");
        }
        assert_eq!(services.count("notifications", "1 = 1").await, 0);
        assert_eq!(services.state_and_causes(&msisdn).await.0, "none");
        // None of them has claimed the id.
        assert_eq!(services.notify(PULL, "m1", &body).await.status, 200);
        assert_eq!(services.state_and_causes(&msisdn).await.0, "active");
    }

    async fn duplicate_is_200_without_effect(engine) {
        let services = spawn_with(engine, Options { operator_down: true, ..Options::default() }).await;
        let msisdn = number("1111");
        for _ in 0..3 {
            assert_eq!(services.notify(PULL, "m1", &opt_in_event(&msisdn, "r1", "confirmed")).await.status, 200);
        }
        assert_eq!(services.state_and_causes(&msisdn).await, ("active".to_owned(), vec!["confirmed".to_owned()]));
        assert_eq!((outcomes(&services, "applied").await, outcomes(&services, "duplicate").await), (1, 2));
    }

    async fn concurrent_copies_are_applied_once(engine) {
        away_from_midnight().await;
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let body = billing_event(&msisdn, 77, "b1", "SUCCESS");
        // Some with the same id, some with ids of their own; as many concurrent ones as a process may have connections.
        let copies = (0..1000).map(|copy| {
            let (services, body) = (&services, &body);
            async move { services.notify(PUSH, &format!("m{}", copy % 4), body).await.status }
        });
        let replies: Vec<_> = stream::iter(copies).buffer_unordered(200).collect().await;
        assert_eq!(replies, [200; 1000]);
        assert_eq!(services.state_and_causes(&msisdn).await, ("active".to_owned(), vec!["confirmed".to_owned()]));
        assert_eq!(services.count("billing_events", "1 = 1").await, 1);
        assert_eq!(services.account(&msisdn).await["month_spend_cents"], 300);
    }

    async fn unreadable_notification_is_stored_for_review(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let bodies: Vec<Vec<u8>> = vec![
            b"not json".to_vec(),
            b"{}".to_vec(),
            vec![0, 159, 146, 150],
            subscription_event("0112345678", 1, 2).to_string().into_bytes(),
            subscription_event(&msisdn, 1, 3).to_string().into_bytes(),
            // A pull network may not report on a push network's service.
            opt_in_event(&msisdn, "r1", "confirmed").to_string().into_bytes(),
        ];
        for (index, body) in bodies.iter().enumerate() {
            let reply = services.notify_raw(PUSH, &format!("m{index}"), body.clone(), 0).await;
            assert_eq!(reply.status, 200, "{index}");
        }
        assert_eq!(outcomes(&services, "not_understood").await, 6);
        assert_eq!(services.state_and_causes(&msisdn).await.0, "none");
        // It delays nothing.
        assert_eq!(services.notify(PUSH, "m9", &subscription_event(&msisdn, 1, 2)).await.status, 200);
        assert_eq!(services.state_and_causes(&msisdn).await.0, "active");
    }

    async fn unknown_network_is_404(engine) {
        let services = spawn(engine).await;
        assert_eq!(services.notify("unknown", "m1", &json!({})).await.status, 404);
        assert_eq!(services.count("notifications", "1 = 1").await, 0);
    }

    async fn events_in_any_order_end_in_the_same_state(engine) {
        let services = spawn(engine).await;
        let events = |msisdn: &str| {
            [
                subscription_event(msisdn, 5, 2),
                billing_event(msisdn, 5, &format!("b-{msisdn}"), "SUCCESS"),
                subscription_event(msisdn, 5, 8),
            ]
        };
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let msisdn = number("1111");
            let mut events = events(&msisdn);
            let seconds_ago = |seconds| (chrono::Utc::now() - chrono::TimeDelta::seconds(seconds)).to_rfc3339();
            events[0]["created_at"] = seconds_ago(3).into();
            events[1]["subscription"]["created_at"] = seconds_ago(3).into();
            events[1]["billed_at"] = seconds_ago(2).into();
            events[2]["updated_at"] = seconds_ago(1).into();
            for (step, index) in order.iter().enumerate() {
                // Each event twice.
                for copy in 0..2 {
                    let id = format!("m-{msisdn}-{step}-{copy}");
                    assert_eq!(services.notify(PUSH, &id, &events[*index]).await.status, 200);
                }
            }
            assert_eq!(services.state_and_causes(&msisdn).await.0, "cancelled", "{order:?}");
            assert_eq!(services.count("billing_events", &format!("billing_ref = 'b-{msisdn}'")).await, 1, "{order:?}");
            // Nothing was ever open to the person whose end arrived first.
            let refunds = format!("kind = 'refund' AND subscription_id = (SELECT id FROM subscriptions WHERE msisdn = '{msisdn}')");
            assert_eq!(services.count("ledger", &refunds).await, i64::from(order[0] == 2), "{order:?}");
        }
    }

    async fn end_of_old_network_subscription_keeps_the_new_one(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        for (index, (id, status_id, expected)) in
            [(1, 2, "active"), (1, 8, "cancelled"), (2, 2, "active"), (1, 8, "active"), (1, 2, "active"), (2, 4, "cancelled"), (2, 2, "cancelled")]
                .into_iter()
                .enumerate()
        {
            let event = subscription_event(&msisdn, id, status_id);
            assert_eq!(services.notify(PUSH, &format!("m{index}"), &event).await.status, 200);
            assert_eq!(services.state_and_causes(&msisdn).await.0, expected, "step {index}");
        }
        let (_, causes) = services.state_and_causes(&msisdn).await;
        assert_eq!(causes, ["confirmed", "stopped", "confirmed", "churned"]);
    }

    async fn repeated_and_reordered_events_join_normally(engine) {
        let services = spawn(engine).await;
        let msisdn = number("0007");
        let browser = services.joined("ttmbhatv", TT, &msisdn).await;
        // Four events: each twice, the charge's first.
        eventually("four notifications", async || services.count("notifications", "outcome <> 'received'").await == 4).await;
        assert_eq!(outcomes(&services, "not_understood").await, 0);
        assert_eq!(services.count("billing_events", "1 = 1").await, 1);
        assert_eq!(services.state_and_causes(&msisdn).await, ("active".to_owned(), vec!["joined".to_owned(), "confirmed".to_owned()]));
        assert_eq!(browser.get("/api/subscribe/me").await.json()["total_cents"], 300);
        eventually("the welcome", async || services.count("outbox", "done_at IS NULL").await == 0).await;
        assert_eq!(services.inbox(&msisdn).await.len(), 1, "one welcome");
    }

    async fn failed_billing_event_enters_a_failed_charge(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        services.notify(PUSH, "m1", &billing_event(&msisdn, 1, "b1", "INSUFFICIENT_FUNDS")).await;
        assert_eq!(services.account(&msisdn).await["month_spend_cents"], 0);
        assert_eq!(services.count("billing_events", "result = 'failed'").await, 1);
        assert_eq!(services.count("ledger", "reason = 'insufficient funds'").await, 1);
        // A result without a known meaning is neither a success nor a clear no: it is set aside.
        services.notify(PUSH, "m2", &billing_event(&number("2222"), 2, "b2", "BLOCKED")).await;
        assert_eq!(outcomes(&services, "not_understood").await, 1);
        assert_eq!(services.count("ledger", "1 = 1").await, 1);
    }
}

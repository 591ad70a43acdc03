//! `POST /internal/reconcile`: ledger and network's list, put right in the customer's favour.

use serde_json::{Value, json};
use testkit::{Client, on_each_engine};

use crate::{
    books::{DAY, NOON},
    family::{Family, MEME, TT, eventually, number, spawn},
};

/// What a reconciliation says, without what differs from run to run.
async fn reconcile(family: &Family, day: &str) -> Vec<(String, String)> {
    let reply = family.admin("/internal/reconcile", &json!({"day": day})).await;
    assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.bytes));
    let differences = reply.json()["differences"].as_array().unwrap().clone();
    let text = |difference: &Value, name: &str| difference[name].as_str().unwrap().to_owned();
    differences.iter().map(|difference| (text(difference, "type"), text(difference, "repair"))).collect()
}

fn difference(kind: &str, repair: &str) -> (String, String) {
    (kind.to_owned(), repair.to_owned())
}

async fn refunds_heard(family: &Family) {
    eventually("the refunds", async || family.count("outbox", "kind = 'refund' AND done_at IS NULL").await == 0).await;
}

on_each_engine! {
    async fn what_agrees_stays(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        for (label, svc_id) in [("memeworld", MEME), ("ttmbhatv", TT)] {
            let msisdn = number("1111");
            family.joined(label, svc_id, &msisdn).await;
            family.wait_for_charge(DAY, &msisdn, "settled").await;
        }
        let reply = family.admin("/internal/reconcile", &json!({"day": DAY})).await;
        assert_eq!(reply.json(), json!({"day": DAY, "listed": 2, "agreed": 2, "differences": [], "more": 0}));
        assert_eq!(family.admin("/internal/reconcile", &json!({"day": "soon"})).await.status, 422);
        assert_eq!(Client::new(family.addr, "localhost").post("/internal/reconcile", &json!({"day": DAY})).await.status, 401);
    }

    async fn what_the_network_charged_is_settled_or_given_back(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        let (owed, lost, left) = (number("1111"), number("2222"), number("3333"));
        for msisdn in [&owed, &lost, &left] {
            family.joined("memeworld", MEME, msisdn).await;
            family.wait_for_charge(DAY, msisdn, "settled").await;
        }
        let of = |msisdn: &str| format!("subscription_id = (SELECT id FROM subscriptions WHERE msisdn = '{msisdn}')");
        family.execute(format!("UPDATE ledger SET status = 'failed', reason = 'lost' WHERE {}", of(&owed))).await;
        family.execute(format!("DELETE FROM ledger WHERE {}", of(&lost))).await;
        // This one had left before the network charged it by itself.
        family.execute(format!("DELETE FROM ledger WHERE {}", of(&left))).await;
        family.execute(format!("UPDATE events SET to_state = 'cancelled' WHERE {}", of(&left))).await;
        let mut found = reconcile(&family, DAY).await;
        found.sort();
        assert_eq!(
            found,
            [
                difference("charged_after_leaving", "refunded"),
                difference("charged_not_recorded", "settled"),
                difference("charged_not_settled", "settled"),
            ]
        );
        family.assert_books_agree(DAY).await;
        refunds_heard(&family).await;
        assert_eq!(family.account(&left).await["month_spend_cents"], 0);
        assert_eq!(family.account(&lost).await["month_spend_cents"], 300);
        assert_eq!(reconcile(&family, DAY).await, [], "once");
    }

    async fn what_was_charged_twice_is_given_back_once(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        let msisdn = number("1111");
        family.joined("ttmbhatv", TT, &msisdn).await;
        family.wait_for_charge(DAY, &msisdn, "settled").await;
        family.execute_at_sandbox(format!(
            "INSERT INTO charges (charge_key, msisdn, svc_id, cents, day, at) VALUES ('second', '{msisdn}', {TT}, 300, '{DAY}', '2060-02-27 11:00:00')"
        )).await;
        for _ in 0..2 {
            assert_eq!(reconcile(&family, DAY).await, [difference("charged_twice", "refunded")]);
            refunds_heard(&family).await;
        }
        assert_eq!(family.count("outbox", "kind = 'refund'").await, 1);
        let lines = family.ledger(DAY).await;
        assert_eq!(lines.len(), 1, "the ledger has the one that was owed: {lines:?}");
        let refunds = Client::new(family.sandbox, "localhost").get_ok(&format!("/refunds?day={DAY}")).await;
        assert_eq!(refunds.as_array().map(Vec::len), Some(1), "{refunds}");
    }

    async fn what_the_network_never_charged_is_countered(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        let msisdn = number("1111");
        family.joined("memeworld", MEME, &msisdn).await;
        family.wait_for_charge(DAY, &msisdn, "settled").await;
        family.execute_at_sandbox("DELETE FROM charges".to_owned()).await;
        assert_eq!(reconcile(&family, DAY).await, [difference("never_charged", "countered")]);
        assert_eq!(family.account(&msisdn).await["month_spend_cents"], 0);
        assert_eq!(family.count("outbox", "kind = 'refund'").await, 0, "there is nothing to give back");
        assert_eq!(reconcile(&family, DAY).await, []);
    }

    async fn a_second_push_billing_of_a_day_is_kept_out_of_the_ledger(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        let msisdn = number("1111");
        for billing_ref in ["b1", "b2"] {
            let event = json!({
                "amount": 300, "billing_ref": billing_ref, "result_name": "SUCCESS", "billed_at": NOON,
                "subscription": {"subscription_id": 5, "user_msisdn": msisdn, "svc_id": TT, "status_id": 2},
            });
            assert_eq!(family.notify(crate::family::PUSH, billing_ref, &event).await.status, 200);
        }
        assert_eq!(family.count("billing_events", "result = 'success'").await, 2);
        let lines = family.ledger(DAY).await;
        assert_eq!((lines.len(), lines[0].key.as_str()), (1, "b1"));
        assert_eq!(family.account(&msisdn).await["month_spend_cents"], 300);
    }
}

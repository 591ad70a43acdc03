//! Charges that the network makes by itself, and what it may tell of them.

use serde_json::{Value, json};
use testkit::eventually;

use super::{NAME, Network};
use crate::{
    ledger::{DAY, NEXT, morning},
    services::{MEME, number},
};

/// Waits until every notification that arrived has been processed, and at least this many.
async fn notified(network: &Network, at_least: i64) {
    let count = async |condition: &str| network.services.count("notifications", condition).await;
    eventually("the notifications", async || {
        count("outcome <> 'received'").await >= at_least && count("outcome = 'received'").await == 0
    })
    .await;
}

pub async fn a_number_without_airtime_is_suspended(network: &Network) {
    let (services, msisdn) = (&network.services, number("0003"));
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "failed").await;
    assert_eq!(network.state(&msisdn).await, "active");
    services.set_clocks("2060-02-28T00:00:01+02:00").await;
    services.wait_for_state(&msisdn, "suspended").await;
    assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed", "unpaid"]);
}

pub async fn a_charge_reported_twice_is_settled_once(network: &Network) {
    let (services, msisdn) = (&network.services, number("0005"));
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    eventually("the copy", async || services.count("notifications", "outcome = 'duplicate'").await >= 1).await;
    services.set_clocks(&morning(NEXT)).await;
    network.bill(NEXT).await;
    services.wait_for_charge(NEXT, &msisdn, "settled").await;
    for day in [DAY, NEXT] {
        services.assert_ledger_matches_network(day).await;
    }
}

pub async fn events_out_of_order_are_settled_once(network: &Network) {
    let (services, msisdn) = (&network.services, number("0007"));
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    notified(network, 4).await;
    assert_eq!(services.count("notifications", "outcome = 'not_understood'").await, 0);
    services.assert_ledger_matches_network(DAY).await;
}

pub async fn a_second_charge_of_a_day_is_refunded(network: &Network) {
    let msisdn = number("0008");
    network.joined(&msisdn).await;
    network.services.wait_for_charge(DAY, &msisdn, "settled").await;
    eventually("the refund", async || network.charged_and_refunded(DAY).await == (600, 300)).await;
    let paid = async || network.services.account(&msisdn).await["month_spend_cents"].clone();
    assert_eq!(paid().await, 300);
}

/// The network may report an id that we have not seen: what it says began before the leave.
pub async fn a_late_event_of_another_id_starts_nothing_again(network: &Network) {
    let (services, msisdn) = (&network.services, number("1111"));
    let browser = network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    notified(network, 2).await;
    assert_eq!(browser.post("/api/subscribe/unsubscribe", &json!({"svc_id": MEME})).await.status, 200);
    let before = services.count("notifications", "1 = 1").await;
    let subscription = |id: &str| {
        json!({
            "subscription_id": id, "user_msisdn": msisdn, "svc_id": MEME, "svc_name": "memeworld", "status_id": 2, "billing_rate": 300,
            "last_billed_at": "2060-02-26T08:00:00+02:00",
        })
    };
    let mut undated = subscription("late-3");
    undated.as_object_mut().unwrap().remove("last_billed_at");
    let bill = |reference: &str, subscription: Value| {
        json!({
            "amount": "3.00", "billing_ref": reference, "result_id": 1, "result_name": "SUCCESS",
            "billed_at": "2060-02-26T08:00:00+02:00", "subscription": subscription,
        })
    };
    for (id, event) in [
        ("late-1", subscription("late-1")),
        ("late-2", bill("late-bill-2", subscription("late-2"))),
        ("late-3", bill("late-bill-3", undated)),
    ] {
        assert_eq!(services.notify(NAME, id, &event).await.status, 200, "{id}");
    }
    notified(network, before + 3).await;
    assert_eq!(network.state(&msisdn).await, "cancelled");
    // The network has these subscriptions, and would charge for them.
    for id in ["late-1", "late-2", "late-3"] {
        let stop = format!("kind = 'stop' AND body LIKE '%{id}%'");
        assert_eq!(services.count("outbox", &stop).await, 1, "{id}");
    }
}

pub async fn a_charge_of_another_amount_settles_nothing(network: &Network) {
    let (services, msisdn) = (&network.services, number("1111"));
    network.misbehave(json!({"push_amount": "4.00"})).await;
    network.joined(&msisdn).await;
    notified(network, 2).await;
    assert_eq!(services.count("notifications", "outcome = 'not_understood'").await, 1);
    assert_eq!(services.count("ledger", "status = 'settled'").await, 0);
}

//! Days that are charged in part: each amount has a key of its own, and only one of them is ever charged.

use serde_json::json;
use testkit::eventually;

use super::Network;
use crate::{
    ledger::{DAY, NEXT, morning},
    services::number,
};

/// How many charges of the tests' day are in this state.
async fn charges(network: &Network, condition: &str) -> i64 {
    network.services.count("ledger", &format!("kind = 'charge' AND day = '{DAY}' AND {condition}")).await
}

pub async fn a_low_airtime_is_charged_in_part_once_a_day(network: &Network) {
    let (services, msisdn) = (&network.services, number("0013"));
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    network.bill(DAY).await;
    services.set_clocks(&morning(NEXT)).await;
    for _ in 0..2 {
        network.bill(NEXT).await;
    }
    for day in [DAY, NEXT] {
        assert_eq!(network.charged_and_refunded(day).await, (200, 0));
        services.assert_ledger_matches_network(day).await;
    }
    let (compared, differences) = network.reconcile(DAY).await;
    assert_eq!((&compared["agreed"], differences), (&json!(1), Vec::new()));
    assert_eq!(network.state(&msisdn).await, "active");
}

pub async fn a_lost_no_is_queried_before_a_smaller_amount_is_tried(network: &Network) {
    let (services, msisdn) = (&network.services, number("0013"));
    // Each reply comes after the service has stopped waiting: to R3 that there is no airtime, to R2 that it is charged.
    network.misbehave(json!({"charge_delay_ms": 4000})).await;
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    network.behave().await;
    network.bill(DAY).await;
    assert_eq!(network.charged_and_refunded(DAY).await, (200, 0));
    services.assert_ledger_matches_network(DAY).await;
}

pub async fn a_lost_no_without_a_payment_is_the_only_amount_of_its_day(network: &Network) {
    let (services, msisdn) = (&network.services, number("0013"));
    network.misbehave(json!({"charge_delay_ms": 4000})).await;
    network.joined(&msisdn).await;
    eventually("no payment", async || charges(network, "status = 'failed' AND unanswered").await == 1).await;
    network.behave().await;
    network.bill(DAY).await;
    assert_eq!(charges(network, "status = 'failed' AND failures = 1 AND cents = 300").await, 1);
    assert_eq!(network.charged_and_refunded(DAY).await, (0, 0), "R2 is not tried while R3 may be charged");
    services.set_clocks(&morning(NEXT)).await;
    network.bill(NEXT).await;
    assert_eq!(network.charged_and_refunded(NEXT).await, (200, 0));
}

pub async fn a_part_is_refunded_as_it_was_charged(network: &Network) {
    let (services, msisdn) = (&network.services, number("0013"));
    network.joined(&msisdn).await;
    let charge = services.wait_for_charge(DAY, &msisdn, "settled").await;
    let request = json!({"ledger_id": charge.id, "reason": "a customer asked"});
    assert_eq!(services.admin("/internal/refund", &request).await.status, 200);
    let refund = network.wait_for_refund(DAY, &msisdn, "settled").await;
    assert_eq!((charge.cents, refund.cents), (200, 200));
    assert_eq!(network.charged_and_refunded(DAY).await, (200, 200));
}

pub async fn a_part_that_the_ledger_lost_is_settled_at_its_amount(network: &Network) {
    let (services, msisdn) = (&network.services, number("0013"));
    network.joined(&msisdn).await;
    let charge = services.wait_for_charge(DAY, &msisdn, "settled").await;
    // As if the ledger had been left at the price, which was refused.
    services
        .execute(
            "UPDATE ledger SET status = 'failed', failures = 1, cents = 300, network_ref = NULL, \
             charge_key = substr(charge_key, 1, length(charge_key) - length('.200'))"
                .to_owned(),
        )
        .await;
    let settled = ("charged_not_settled".to_owned(), "settled".to_owned());
    assert_eq!(network.reconcile(DAY).await.1, [settled]);
    services.assert_ledger_matches_network(DAY).await;
    let (compared, differences) = network.reconcile(DAY).await;
    assert_eq!((&compared["agreed"], differences), (&json!(1), Vec::new()));
    // The refund finds the charge of that amount.
    let request = json!({"ledger_id": charge.id, "reason": "a customer asked"});
    assert_eq!(services.admin("/internal/refund", &request).await.status, 200);
    network.wait_for_refund(DAY, &msisdn, "settled").await;
    assert_eq!(network.charged_and_refunded(DAY).await, (200, 200));
}

pub async fn each_pass_requests_each_amount_again(network: &Network) {
    let (services, msisdn) = (&network.services, number("0003"));
    // Each no comes after the network has accepted the request; the network keeps the failures of each amount.
    network.misbehave(json!({"accept_seconds": 1})).await;
    network.joined(&msisdn).await;
    for failures in 1..=2 {
        let failed = format!("status = 'failed' AND failures = {failures} AND cents = 300");
        eventually("a no to each amount", async || charges(network, &failed).await == 1).await;
        assert_eq!(services.count_in_sandbox("failed_charges", &format!("tries = {failures}")).await, 3);
        network.bill(DAY).await;
    }
    assert_eq!(network.charged_and_refunded(DAY).await, (0, 0));
}

pub async fn a_result_that_comes_later_leads_to_a_smaller_amount(network: &Network) {
    let (services, msisdn) = (&network.services, number("0013"));
    network.misbehave(json!({"accept_seconds": 1})).await;
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    assert_eq!(network.charged_and_refunded(DAY).await, (200, 0));
    services.assert_ledger_matches_network(DAY).await;
}

pub async fn an_amount_that_got_no_answer_is_the_only_one_of_its_day(network: &Network) {
    let (services, msisdn) = (&network.services, number("0013"));
    // The reply is lost, and the network does not know the key: the request may still be under way.
    network.misbehave(json!({"charge_delay_ms": 4000, "forget_charges": true})).await;
    network.joined(&msisdn).await;
    eventually("not made", async || charges(network, "status = 'failed' AND unanswered").await == 1).await;
    network.behave().await;
    for _ in 0..2 {
        network.bill(DAY).await;
    }
    assert_eq!(charges(network, "status = 'failed' AND failures = 2 AND cents = 300").await, 1);
    assert_eq!(network.charged_and_refunded(DAY).await, (0, 0), "R2 is not tried while R3 may be charged");
    // Another day is another charge.
    services.set_clocks(&morning(NEXT)).await;
    network.bill(NEXT).await;
    assert_eq!(network.charged_and_refunded(NEXT).await, (200, 0));
}

pub async fn an_unanswered_part_is_tried_again_under_its_own_key(network: &Network) {
    let (services, msisdn) = (&network.services, number("0013"));
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    // As if the process had died when it had sent R2, and the network had not got it. The network forgets first: a query may follow at once.
    services.execute_in_sandbox("DELETE FROM charges".to_owned()).await;
    services
        .execute(
            "UPDATE ledger SET status = 'pending', network_ref = NULL, claim = 'dead', sent_at = '2026-01-01 00:00:00'"
                .to_owned(),
        )
        .await;
    let charge = services.wait_for_charge(DAY, &msisdn, "settled").await;
    assert!(charge.cents == 200 && charge.key.ends_with(".200"), "{charge:?}");
    assert_eq!(charges(network, "unanswered").await, 1);
    assert_eq!(network.charged_and_refunded(DAY).await, (200, 0));
}

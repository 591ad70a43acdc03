//! Charges that the service requests, and everything that may go wrong with one: it is made at most once, and only the network's clear no
//! counts against a person.

use serde_json::json;
use testkit::eventually;

use super::Network;
use crate::{
    ledger::{DAY, NEXT, morning},
    services::number,
};

/// How many charges of a day have this status, without a failure that counts.
async fn without_failures(network: &Network, day: &str, status: &str) -> i64 {
    let rows = format!("kind = 'charge' AND day = '{day}' AND status = '{status}' AND failures = 0");
    network.services.count("ledger", &rows).await
}

pub async fn a_number_without_airtime_is_suspended(network: &Network) {
    let (services, msisdn) = (&network.services, number("0003"));
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "failed").await;
    services.set_clocks(&morning(NEXT)).await;
    for _ in 0..3 {
        services.pass(NEXT).await;
    }
    services.wait_for_state(&msisdn, "suspended").await;
    assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed", "unpaid"]);
    assert_eq!(network.charged_and_refunded(NEXT).await, (0, 0));
}

pub async fn an_unanswered_charge_is_not_made_and_suspends_no_subscriber(network: &Network) {
    let (services, msisdn) = (&network.services, number("0004"));
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "unknown").await;
    eventually("not made", async || without_failures(network, DAY, "failed").await == 1).await;
    services.set_clocks(&morning(NEXT)).await;
    network.bill(NEXT).await;
    eventually("not made", async || without_failures(network, NEXT, "failed").await == 1).await;
    assert_eq!(network.state(&msisdn).await, "active");
    assert_eq!(network.charged_and_refunded(DAY).await, (0, 0));
}

pub async fn a_lost_reply_is_queried_and_charged_once(network: &Network) {
    let (services, msisdn) = (&network.services, number("0005"));
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    services.set_clocks(&morning(NEXT)).await;
    for _ in 0..2 {
        network.bill(NEXT).await;
    }
    services.wait_for_charge(NEXT, &msisdn, "settled").await;
    for day in [DAY, NEXT] {
        assert_eq!(network.charged_and_refunded(day).await, (300, 0));
        services.assert_ledger_matches_network(day).await;
    }
}

pub async fn a_busy_network_is_tried_again(network: &Network) {
    let (services, msisdn) = (&network.services, number("0006"));
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "failed").await;
    assert_eq!(without_failures(network, DAY, "failed").await, 1, "a busy network is no failure of the subscriber");
    assert_eq!(services.pass(DAY).await, [1, 0, 1, 0, 0]);
    assert_eq!(services.pass(DAY).await, [1, 1, 0, 0, 0]);
    services.assert_ledger_matches_network(DAY).await;
    assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed"]);
}

pub async fn a_reply_that_names_no_clear_result_settles_nothing(network: &Network) {
    let services = &network.services;
    let faults = ["unknown_outcome", "garbled", "wrong_key", "wrong_amount", "wrong_number"];
    // A reply of Parlay X names no charge.
    let count = if network.is_parlay_x { 2 } else { 5 };
    for (made, fault) in (1..=count).zip(faults) {
        network.misbehave(json!({ fault: true })).await;
        let msisdn = number("1111");
        network.joined(&msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "unknown").await;
        network.bill(DAY).await;
        assert_eq!(without_failures(network, DAY, "unknown").await, made, "{fault}");
        assert_eq!(network.state(&msisdn).await, "active");
    }
    network.behave().await;
    eventually("all settled", async || without_failures(network, DAY, "settled").await == count).await;
    assert_eq!(network.charged_and_refunded(DAY).await, (count * 300, 0));
    services.assert_ledger_matches_network(DAY).await;
}

pub async fn an_accepted_charge_is_settled_when_its_result_is_there(network: &Network) {
    let (services, msisdn) = (&network.services, number("1111"));
    network.misbehave(json!({"accept_seconds": 4})).await;
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "unknown").await;
    assert_eq!(services.count("ledger", "reason LIKE 'accepted%'").await, 1);
    // It is not sent again.
    assert_eq!(services.pass(DAY).await, [0, 0, 0, 0, 0]);
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    services.assert_ledger_matches_network(DAY).await;
    // The network reported that the result is there, and the charge was queried because of it.
    eventually("its notification", async || services.count("notifications", "outcome = 'received'").await == 0).await;
    assert_eq!(services.count("notifications", "outcome = 'not_understood'").await, 0);
    assert_eq!(network.charged_and_refunded(DAY).await, (300, 0));
}

pub async fn an_accepted_charge_that_fails_is_failed(network: &Network) {
    let (services, msisdn) = (&network.services, number("0003"));
    network.misbehave(json!({"accept_seconds": 2})).await;
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "unknown").await;
    services.wait_for_charge(DAY, &msisdn, "failed").await;
    assert_eq!(services.count("ledger", "failures = 1").await, 1, "its result is a clear no");
    assert_eq!(network.charged_and_refunded(DAY).await, (0, 0));
}

pub async fn a_subscription_that_the_network_does_not_have_ends(network: &Network) {
    let (services, msisdn) = (&network.services, number("1111"));
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    services.set_clocks(&morning(NEXT)).await;
    network.misbehave(json!({"refuse_all": true})).await;
    assert_eq!(services.pass(NEXT).await, [1, 0, 1, 0, 0]);
    services.wait_for_state(&msisdn, "cancelled").await;
    assert_eq!(network.charged_and_refunded(NEXT).await, (0, 0));
}

pub async fn an_unavailable_network_suspends_no_subscriber(network: &Network) {
    let (services, msisdn) = (&network.services, number("1111"));
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    services.set_clocks(&morning(NEXT)).await;
    network.misbehave(json!({"unavailable": true})).await;
    for _ in 0..3 {
        assert_eq!(services.pass(NEXT).await, [1, 0, 1, 0, 0]);
    }
    assert_eq!((network.state(&msisdn).await.as_str(), without_failures(network, NEXT, "failed").await), ("active", 1));
    network.behave().await;
    assert_eq!(services.pass(NEXT).await, [1, 1, 0, 0, 0]);
    services.assert_ledger_matches_network(NEXT).await;
}

//! What only a network with CAMARA's APIs has: access tokens that end, and payments that are denied or cancelled and followed by another.

use serde_json::json;

use super::Network;
use crate::{
    ledger::{DAY, NEXT, morning},
    services::number,
};

pub async fn an_access_token_that_the_network_refuses_is_renewed(network: &Network) {
    let (services, msisdn) = (&network.services, number("1111"));
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    network.misbehave(json!({"forget_tokens": true})).await;
    services.set_clocks(&morning(NEXT)).await;
    assert_eq!(services.pass(NEXT).await, [1, 1, 0, 0, 0]);
    services.assert_ledger_matches_network(NEXT).await;
}

pub async fn a_denied_payment_is_followed_by_another_in_the_next_pass(network: &Network) {
    let (services, msisdn) = (&network.services, number("0003"));
    network.misbehave(json!({"accept_seconds": 1})).await;
    network.joined(&msisdn).await;
    for failures in 1..=2 {
        let failed = format!("kind = 'charge' AND day = '{DAY}' AND status = 'failed' AND failures = {failures}");
        testkit::eventually("the network's no", async || services.count("ledger", &failed).await == 1).await;
        assert_eq!(services.count("ledger", "network_ref IS NOT NULL").await, 1, "the network's id is kept");
        services.pass(DAY).await;
    }
    assert_eq!(network.charged_and_refunded(DAY).await, (0, 0));
}

pub async fn a_refund_without_the_networks_id_finds_the_payment(network: &Network) {
    let (services, msisdn) = (&network.services, number("1111"));
    network.joined(&msisdn).await;
    let charge = services.wait_for_charge(DAY, &msisdn, "settled").await;
    // As for a charge that the day's list has settled.
    services.execute("UPDATE ledger SET network_ref = charge_key".to_owned()).await;
    let request = json!({"ledger_id": charge.id, "reason": "a customer asked"});
    assert_eq!(services.admin("/internal/refund", &request).await.status, 200);
    network.wait_for_refund(DAY, &msisdn, "settled").await;
    assert_eq!(network.charged_and_refunded(DAY).await, (300, 300));
}

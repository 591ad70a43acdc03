//! Refunds.

use serde_json::json;

use super::Network;
use crate::{ledger::DAY, services::number};

/// A number that has paid, and requests to refund its charge.
async fn refund_of_a_paid_day(network: &Network, msisdn: &str, requests: usize) {
    network.joined(msisdn).await;
    let charge = network.services.wait_for_charge(DAY, msisdn, "settled").await;
    let request = json!({"ledger_id": charge.id, "reason": "a customer asked"});
    for _ in 0..requests {
        assert_eq!(network.services.admin("/internal/refund", &request).await.status, 200);
    }
}

pub async fn a_refund_is_made_once(network: &Network) {
    let msisdn = number("1111");
    refund_of_a_paid_day(network, &msisdn, 2).await;
    let refund = network.wait_for_refund(DAY, &msisdn, "settled").await;
    assert_eq!((refund.cents, refund.network_ref.is_empty()), (300, network.is_parlay_x), "{refund:?}");
    assert_eq!(network.charged_and_refunded(DAY).await, (300, 300));
    assert_eq!(network.services.account(&msisdn).await["month_spend_cents"], 0);
}

pub async fn a_refused_refund_is_failed(network: &Network) {
    let msisdn = number("0011");
    refund_of_a_paid_day(network, &msisdn, 2).await;
    network.wait_for_refund(DAY, &msisdn, "failed").await;
    assert_eq!(network.charged_and_refunded(DAY).await, (300, 0));
}

pub async fn a_partial_refund_is_recorded_as_it_was_made(network: &Network) {
    let msisdn = number("1111");
    network.misbehave(json!({"refund": "part"})).await;
    refund_of_a_paid_day(network, &msisdn, 1).await;
    assert_eq!(network.wait_for_refund(DAY, &msisdn, "settled").await.cents, 100);
    assert_eq!(network.charged_and_refunded(DAY).await, (300, 100));
}

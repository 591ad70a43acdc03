//! Ends of a subscription, here and at the network: nothing is charged afterwards.

use serde_json::json;
use testkit::eventually;

use super::Network;
use crate::{
    ledger::{DAY, NEXT, morning},
    services::{Browser, MEME, number},
};

const LEAVE: &str = "/api/subscribe/unsubscribe";

/// A number that has joined and paid.
async fn paid(network: &Network, msisdn: &str) -> Browser {
    let browser = network.joined(msisdn).await;
    network.services.wait_for_charge(DAY, msisdn, "settled").await;
    assert_eq!(network.running_at_network(msisdn).await, 1);
    browser
}

/// Asserts that the next day charges nothing.
async fn assert_next_day_is_free(network: &Network) {
    network.services.set_clocks(&morning(NEXT)).await;
    network.bill(NEXT).await;
    assert_eq!(network.charged_and_refunded(NEXT).await, (0, 0));
}

pub async fn a_leave_ends_the_networks_subscription(network: &Network) {
    let msisdn = number("1111");
    let browser = paid(network, &msisdn).await;
    assert_eq!(browser.post(LEAVE, &json!({"svc_id": MEME})).await.json(), json!({"state": "cancelled"}));
    eventually("the network's end", async || network.running_at_network(&msisdn).await == 0).await;
    let sms = async || network.services.inbox(&msisdn).await;
    eventually("the goodbye", async || sms().await.iter().any(|sms| sms.contains("not be charged again"))).await;
    assert_next_day_is_free(network).await;
    assert_eq!(network.services.state_and_causes(&msisdn).await.1, ["joined", "confirmed", "left"]);
}

pub async fn a_leave_while_the_network_is_away_is_reported_later(network: &Network) {
    let msisdn = number("1111");
    let browser = paid(network, &msisdn).await;
    network.misbehave(json!({"unavailable": true})).await;
    assert_eq!(browser.post(LEAVE, &json!({"svc_id": MEME})).await.json(), json!({"state": "cancelled"}));
    let waiting = async || network.services.count("outbox", "kind = 'stop' AND done_at IS NULL").await;
    eventually("a failed attempt", async || {
        network.services.count("outbox", "kind = 'stop' AND attempts > 0").await == 1
    })
    .await;
    assert_eq!(waiting().await, 1);
    network.behave().await;
    eventually("the stop", async || waiting().await == 0).await;
    assert_eq!(network.running_at_network(&msisdn).await, 0);
    assert_next_day_is_free(network).await;
}

pub async fn a_stop_by_sms_ends_the_subscription_once(network: &Network) {
    let msisdn = number("1111");
    paid(network, &msisdn).await;
    network.send_stop(&msisdn).await;
    network.services.wait_for_state(&msisdn, "cancelled").await;
    assert_next_day_is_free(network).await;
    assert_eq!(network.services.state_and_causes(&msisdn).await.1, ["joined", "confirmed", "stopped"]);
    // A later join is another subscription, which the old STOP does not end.
    network.joined(&msisdn).await;
    network.services.wait_for_charge(NEXT, &msisdn, "settled").await;
    assert_eq!((network.state(&msisdn).await.as_str(), network.running_at_network(&msisdn).await), ("active", 1));
}

pub async fn a_leave_by_the_networks_page_ends_the_subscription(network: &Network) {
    let msisdn = number("1111");
    paid(network, &msisdn).await;
    let other_phone = network.services.browser("memeworld");
    let reply = other_phone.post(LEAVE, &json!({"msisdn": msisdn, "svc_id": MEME})).await;
    assert_eq!(reply.status, 200);
    other_phone.submit_answer(reply.json()["redirectUrl"].as_str().unwrap(), "confirm").await;
    network.services.wait_for_state(&msisdn, "cancelled").await;
    assert_eq!(network.running_at_network(&msisdn).await, 0);
    assert_next_day_is_free(network).await;
}

//! Joins and proofs by the network's pages.

use serde_json::json;

use super::Network;
use crate::{
    ledger::DAY,
    services::{MEME, number},
};

pub async fn a_confirmed_join_is_active_and_charged_once(network: &Network) {
    let (services, msisdn) = (&network.services, number("1111"));
    let browser = network.joined(&msisdn).await;
    let charge = services.wait_for_charge(DAY, &msisdn, "settled").await;
    assert_eq!((charge.cents, charge.network_ref.is_empty()), (300, network.is_parlay_x), "{charge:?}");
    assert_eq!(
        services.state_and_causes(&msisdn).await,
        ("active".to_owned(), vec!["joined".to_owned(), "confirmed".to_owned()])
    );
    // The day is paid, and so is the same day after a leave and a second join.
    network.bill(DAY).await;
    browser.post("/api/subscribe/unsubscribe", &json!({"svc_id": MEME})).await;
    testkit::eventually("the stop", async || services.count("outbox", "kind = 'stop' AND done_at IS NULL").await == 0)
        .await;
    network.joined(&msisdn).await;
    network.bill(DAY).await;
    assert_eq!(network.charged_and_refunded(DAY).await, (300, 0));
    services.assert_ledger_matches_network(DAY).await;
}

pub async fn a_declined_join_charges_nothing(network: &Network) {
    for (ending, tapped) in [("0002", "confirm"), ("1111", "decline")] {
        let msisdn = number(ending);
        let browser = network.services.browser("memeworld");
        let (page, id) = browser.join(&msisdn, MEME).await;
        assert_eq!(browser.check(&msisdn, &id).await, 0);
        browser.submit_answer(&page, tapped).await;
        assert_eq!(browser.check(&msisdn, &id).await, 0);
        assert!(!browser.has_session());
        assert_eq!(network.state(&msisdn).await, "pending");
        network.bill(DAY).await;
    }
    assert_eq!(network.charged_and_refunded(DAY).await, (0, 0));
}

pub async fn a_join_while_the_network_is_away_is_503_and_leaves_nothing(network: &Network) {
    let (services, msisdn) = (&network.services, number("1111"));
    for faults in [json!({"unavailable": true}), json!({"hang_seconds": 60})] {
        network.misbehave(faults).await;
        let reply = services.browser("memeworld").try_to_join(&msisdn, MEME).await;
        assert_eq!((reply.status, reply.header("content-type")), (503, "application/problem+json"));
        assert!(!reply.header("retry-after").is_empty() && reply.json()["error_message"].is_string());
        assert_eq!(services.count("tries", "1 = 1").await, 0);
        assert_eq!(network.state(&msisdn).await, "none");
    }
    network.behave().await;
    network.joined(&msisdn).await;
}

pub async fn a_verify_opens_a_session_and_charges_nothing(network: &Network) {
    let (services, msisdn) = (&network.services, number("1111"));
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    let phone = services.browser("memeworld");
    let reply = phone.post("/api/subscribe/verify", &json!({"msisdn": msisdn, "svc_id": MEME})).await;
    assert_eq!(reply.status, 200);
    let back = phone.submit_answer(reply.json()["redirectUrl"].as_str().unwrap(), "confirm").await;
    let (_, query) = back.split_once("/DoiRedirect?").unwrap();
    assert_eq!(phone.get(&format!("/api/subscribe/check-sub?{query}")).await.json()["result"], 1);
    assert!(phone.has_session());
    assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed"]);
    assert_eq!(network.charged_and_refunded(DAY).await, (300, 0));
}

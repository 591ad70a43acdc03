//! The comparison with the network's own list of a day.

use serde_json::json;

use super::{NAME, Network};
use crate::{
    ledger::DAY,
    services::{MEME, number},
};

fn difference(kind: &str, repair: &str) -> (String, String) {
    (kind.to_owned(), repair.to_owned())
}

/// Charges this many numbers.
async fn charged(network: &Network, count: usize) {
    network.services.make_active(MEME, NAME, count, "2060-02-26 10:00:00").await;
    network.bill(DAY).await;
    let settled = async || network.services.count("ledger", "kind = 'charge' AND status = 'settled'").await;
    testkit::eventually("the charges", async || settled().await == i64::try_from(count).unwrap()).await;
}

pub async fn a_charge_that_the_ledger_lost_is_settled(network: &Network) {
    let (services, msisdn) = (&network.services, number("1111"));
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    services.execute("UPDATE ledger SET status = 'failed', reason = 'lost', network_ref = NULL".to_owned()).await;
    assert_eq!(network.reconcile(DAY).await.1, [difference("charged_not_settled", "settled")]);
    services.assert_ledger_matches_network(DAY).await;
    let (of_network, differences) = network.reconcile(DAY).await;
    assert_eq!((&of_network["state"], &of_network["agreed"], differences), (&json!("repaired"), &json!(1), Vec::new()));
}

pub async fn a_charge_that_was_never_made_is_countered(network: &Network) {
    charged(network, 200).await;
    let first = "DELETE FROM charges WHERE id = (SELECT MIN(id) FROM charges)";
    network.services.execute_in_sandbox(first.to_owned()).await;
    assert_eq!(network.reconcile(DAY).await.1, [difference("never_charged", "countered")]);
    assert_eq!(network.reconcile(DAY).await.1, [], "once");
    assert_eq!(network.services.count("outbox", "kind = 'refund'").await, 0, "there is nothing to give back");
}

pub async fn a_list_of_several_pages_is_read_to_its_end(network: &Network) {
    charged(network, 1010).await;
    let (of_network, differences) = network.reconcile(DAY).await;
    assert_eq!(differences, []);
    let counts = ["state", "listed", "agreed", "settled"].map(|name| of_network[name].clone());
    assert_eq!(counts, [json!("repaired"), json!(1010), json!(1010), json!(1010)]);
}

pub async fn a_list_that_fails_changes_nothing(network: &Network) {
    let (services, msisdn) = (&network.services, number("1111"));
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    for fault in ["error", "endless"] {
        network.misbehave(json!({"list": fault})).await;
        let (of_network, differences) = network.reconcile(DAY).await;
        assert_eq!((&of_network["state"], differences), (&json!("failed"), Vec::new()), "{fault}: {of_network}");
    }
    services.assert_ledger_matches_network(DAY).await;
}

pub async fn an_unreadable_row_is_one_difference(network: &Network) {
    let (services, msisdn) = (&network.services, number("1111"));
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    network.misbehave(json!({"list": "bad_row"})).await;
    let (of_network, differences) = network.reconcile(DAY).await;
    assert_eq!(differences, [difference("unreadable_row", "none")]);
    assert_eq!((&of_network["state"], &of_network["agreed"]), (&json!("repaired"), &json!(1)));
}

//! What only a network that knows its SIMs has: a join without typing, and the signal that a SIM was swapped.

use serde_json::json;
use testkit::{Scrape, eventually};

use super::{NAME, Network};
use crate::{
    ledger::DAY,
    services::{Browser, MEME, number},
    verify_number::{come_back, tap},
};

/// The calls of a kind to the network, as the metrics of all tests of this process count them.
async fn calls(network: &Network, kind: &str, outcome: &str) -> f64 {
    let labels = [("network", NAME), ("kind", kind), ("outcome", outcome)];
    Scrape::of(network.services.addr).await.sum("spaza_network_calls_total", &labels)
}

/// Confirms on the network's page, and checks it as the site does.
async fn confirm(browser: &Browser, page: &str) -> i64 {
    let back = browser.submit_answer(page, "confirm").await;
    let (_, query) = back.split_once("/DoiRedirect?").unwrap();
    browser.get(&format!("/api/subscribe/check-sub?{query}")).await.json()["result"].as_i64().unwrap()
}

pub async fn a_join_by_the_sims_number_is_active_and_charged_once(network: &Network) {
    let (services, msisdn) = (&network.services, number("1111"));
    let browser = services.browser("memeworld");
    let back = tap(&browser, &msisdn).await;
    assert!(!back.contains(&msisdn[2..]), "{back}");
    let page = come_back(&browser, &back).await;
    assert!(page.contains("/opt-in/") && !page.contains(&msisdn[2..]), "{page}");
    let shown = testkit::client().get(&page).send().await.unwrap().text().await.unwrap();
    assert!(shown.contains(&msisdn[8..]) && !shown.contains(&msisdn[2..]), "the number is masked: {shown}");
    // Nothing is charged until the person has confirmed.
    assert_eq!(network.state(&msisdn).await, "pending");
    assert_eq!(network.charged_and_refunded(DAY).await, (0, 0));
    assert_eq!((confirm(&browser, &page).await, browser.has_session()), (1, true));
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    network.bill(DAY).await;
    assert_eq!(network.charged_and_refunded(DAY).await, (300, 0));
    services.assert_ledger_matches_network(DAY).await;
    let consent = services.account(&msisdn).await["subscriptions"][0]["consents"][0].clone();
    assert_eq!(
        (&consent["network"], &consent["ext_ref"], &consent["sim_swapped"]),
        (&json!(NAME), &json!("ad 7"), &json!(false))
    );
    assert!(consent["wording"].as_str().unwrap().ends_with("JOIN Use the number of this SIM"), "{consent}");

    // Another browser with the same SIM is in at once, by the SIM alone; nothing is charged for it.
    let other = services.browser("memeworld");
    let home = come_back(&other, &tap(&other, &msisdn).await).await;
    let (_, query) = home.split_once("http://memeworld.localhost:8080/DoiRedirect?").unwrap();
    assert_eq!(other.get(&format!("/api/subscribe/check-sub?{query}")).await.json()["result"], 1);
    assert!(other.has_session());
    other.post("/api/subscribe/unsubscribe", &json!({"svc_id": MEME})).await;
    assert_eq!(network.state(&msisdn).await, "cancelled");
    assert_eq!(network.charged_and_refunded(DAY).await, (300, 0));
}

pub async fn a_browser_without_this_networks_sim_is_back_at_the_form(network: &Network) {
    let (services, browser) = (&network.services, network.services.browser("memeworld"));
    let back = tap(&browser, "").await;
    assert!(back.contains("error=interaction_required"), "{back}");
    assert_eq!(come_back(&browser, &back).await, "/memelogin?ext_ref=ad+7&sim=unknown");
    // The SIM of another network.
    let elsewhere = number("1111");
    let moved = json!({"msisdn": elsewhere, "network": "sandbox-push"});
    assert_eq!(network.sandbox().post_as_admin("/internal/numbers", &moved).await.status, 204);
    assert_eq!(come_back(&browser, &tap(&browser, &elsewhere).await).await, "/memelogin?ext_ref=ad+7&sim=unknown");
    assert_eq!(services.count("tries", "1 = 1").await + services.count("subscriptions", "1 = 1").await, 0);
    // Typing goes on as before.
    network.joined(&number("2222")).await;
}

pub async fn a_network_that_does_not_tell_the_number_leads_back_to_the_form(network: &Network) {
    let (services, msisdn) = (&network.services, number("1111"));
    let browser = services.browser("memeworld");
    for (faults, sim) in [
        (json!({"unavailable": true}), "failed"),
        (json!({"hang_seconds": 60}), "failed"),
        (json!({"wrong_audience": true}), "unknown"),
    ] {
        let back = tap(&browser, &msisdn).await;
        network.misbehave(faults.clone()).await;
        let form = come_back(&browser, &back).await;
        network.behave().await;
        assert_eq!(form, format!("/memelogin?ext_ref=ad+7&sim={sim}"), "{faults}");
        // The same address once more: it counts once, whatever came of it.
        assert_eq!(come_back(&browser, &back).await, "/memelogin?sim=failed", "{faults}");
    }
    assert_eq!(services.count("tries", "1 = 1").await, 0);
    let page = come_back(&browser, &tap(&browser, &msisdn).await).await;
    assert_eq!(confirm(&browser, &page).await, 1);
}

pub async fn a_swapped_sim_is_kept_and_opens_no_session_by_itself(network: &Network) {
    let (services, msisdn) = (&network.services, number("0015"));
    let browser = network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    let consents = async || services.account(&msisdn).await["subscriptions"][0]["consents"].as_array().unwrap().clone();
    assert!(consents().await.iter().all(|consent| consent["sim_swapped"] == true), "typed, too");
    // The SIM alone opens nothing: the subscriber has to confirm on the network's page.
    let thief = services.browser("memeworld");
    let page = come_back(&thief, &tap(&thief, &msisdn).await).await;
    assert!(page.contains("/opt-in/"), "{page}");
    assert!(!thief.has_session() && browser.has_session());
    assert_eq!(consents().await.iter().filter(|consent| consent["kind"] == "verify").count(), 1);
    assert_eq!((confirm(&thief, &page).await, thief.has_session()), (1, true));
    let evidence = "cause = 'joined' AND evidence LIKE '%\"sim_swapped\":true%'";
    assert_eq!(services.count("events", evidence).await, 1);
    assert_eq!(network.charged_and_refunded(DAY).await, (300, 0));
}

pub async fn a_network_that_does_not_tell_of_swaps_delays_no_join(network: &Network) {
    let (services, msisdn) = (&network.services, number("0015"));
    let failed = calls(network, "sim_swap", "failed").await;
    network.misbehave(json!({"checks_unavailable": true})).await;
    network.joined(&msisdn).await;
    assert!(calls(network, "sim_swap", "failed").await > failed, "counted");
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    assert_eq!(services.count("tries", "sim_swapped").await, 0);
}

pub async fn a_number_that_was_given_to_another_person_begins_anew(network: &Network) {
    let (services, msisdn) = (&network.services, number("0016"));
    let former = network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    services.set_clocks("2060-03-01T12:00:00+02:00").await;
    // Where the network does not tell, it is the same person's, who is active.
    network.misbehave(json!({"checks_unavailable": true})).await;
    let other = services.browser("memeworld");
    assert_eq!(other.try_to_join(&msisdn, MEME).await.json()["result"], 2);
    network.behave().await;
    let texts = services.inbox(&msisdn).await.len();
    let other = services.browser("memeworld");
    let (page, id) = other.join(&msisdn, MEME).await;
    other.submit_answer(&page, "confirm").await;
    eventually("active by the new person", async || other.check(&msisdn, &id).await == 1).await;
    let me = other.get("/api/subscribe/me").await.json();
    assert_eq!((&me["state"], me["total_cents"].as_i64() <= Some(300)), (&json!("active"), true), "{me}");
    assert_ne!(former.get("/api/subscribe/me").await.json()["state"], "active");
    let (state, causes) = services.state_and_causes(&msisdn).await;
    assert_eq!(
        (state.as_str(), &causes[causes.len() - 3..]),
        ("active", &["confirmed", "recycled", "confirmed"].map(str::to_owned)[..])
    );
    assert!(
        services.inbox(&msisdn).await.iter().skip(texts).all(|text| !text.contains("left")),
        "no SMS of the former owner"
    );
    assert_eq!(network.running_at_network(&msisdn).await, 1);
    // On the day of the proof nothing is asked.
    assert_eq!(services.browser("memeworld").try_to_join(&msisdn, MEME).await.json()["result"], 2);
}

pub async fn a_number_that_is_proved_is_its_former_owners_no_more(network: &Network) {
    let (services, msisdn) = (&network.services, number("0016"));
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    services.set_clocks("2060-03-01T12:00:00+02:00").await;
    let verified =
        services.browser("memeworld").post("/api/subscribe/verify", &json!({"msisdn": msisdn, "svc_id": MEME})).await;
    assert_eq!(verified.status, 409, "there is nothing of this person's");
    assert_eq!(network.state(&msisdn).await, "cancelled");
    network.bill("2060-03-01").await;
    assert_eq!(network.charged_and_refunded("2060-03-01").await, (0, 0));
}

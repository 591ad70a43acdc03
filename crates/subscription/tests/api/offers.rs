//! A brand on several networks: which offer a number gets, and what the visitor has seen of it.

use std::path::PathBuf;

use serde_json::{Value, json};
use testkit::{Client, eventually, on_each_engine};

use crate::{
    ledger::{DAY, NEXT, NOON, morning},
    services::{BRANDS_FILE, Browser, MEME, Options, TestServices, spawn_with},
};

/// Ranges of the two networks, and of neither.
const FIRST: &str = "2781100";
const SECOND: &str = "2782200";
const NEITHER: &str = "2783300";

/// MEMEWORLD on two networks: R3 on the first, R4.50 on the second. `keys` of the brand stand before its offers.
fn brands_file(keys: &str) -> PathBuf {
    let text = std::fs::read_to_string(BRANDS_FILE).unwrap();
    let offers = "offer = [{ network = \"sandbox-pull\" }, { network = \"second\", price_cents = 450 }]";
    let second = format!(
        "[network.second]\nadapter = \"rest\"\nname = \"Second Mobile\"\nranges = [\"{SECOND}\"]\naddresses = \"10.0.0.0/8\"\n\n[[brand]]\n"
    );
    let first = format!("[network.sandbox-pull]\nranges = [\"{FIRST}\"]");
    let own = "svc_id = 150\nnetwork = \"sandbox-pull\"";
    assert!(text.contains(own));
    let text = text
        .replace(own, &format!("svc_id = 150\n{keys}{offers}"))
        .replacen("[[brand]]\n", &second, 1)
        .replacen("[network.sandbox-pull]", &first, 1);
    let path = tempfile::tempdir().unwrap().keep().join("brands.toml");
    std::fs::write(&path, text).unwrap();
    path
}

/// Each network at an address of its own, the lookup at the sandbox, and the networks' header.
fn with_lookup(config: &mut subscription::Config) {
    config.number_lookup_url = Some(format!("{}/numbers", config.operator_url));
    without_lookup(config);
    config.enrichment.header = "X-MSISDN".parse().unwrap();
    config.enrichment.sources = "10.0.0.0/8".parse().unwrap();
}

fn without_lookup(config: &mut subscription::Config) {
    config.operator_url.push_str("/networks/{network}");
}

async fn spawn(engine: testkit::Engine, keys: &str, settings: fn(&mut subscription::Config)) -> TestServices {
    let options = Options { settings: Some(settings), brands_file: Some(brands_file(keys)), ..Options::default() };
    spawn_with(engine, options).await
}

async fn join_at(browser: &Browser, msisdn: &str, network: Option<&str>) -> Value {
    let mut body = json!({"msisdn": msisdn, "ext_ref": "", "channel": "WAP", "svc_id": MEME});
    if let Some(network) = network {
        body["network"] = json!(network);
    }
    let reply = browser.post("/api/subscribe", &body).await;
    assert_eq!(reply.status, 200, "{}", reply.json());
    reply.json()
}

/// The networks that a reply lets the visitor choose from.
fn choices(reply: &Value) -> Vec<(&str, i64)> {
    assert_eq!((reply["result"].as_i64(), reply.get("redirectUrl")), (Some(3), None), "{reply}");
    let networks = reply["networks"].as_array().unwrap().iter();
    networks.map(|one| (one["network"].as_str().unwrap(), one["price_cents"].as_i64().unwrap())).collect()
}

/// Whether a reply leads to a page.
fn leads_on(reply: &Value) -> bool {
    assert!(reply["result"] == 1 || reply["result"] == 3, "{reply}");
    reply["result"] == 1 && reply["redirectUrl"].is_string() && reply.get("networks").is_none()
}

async fn moves(services: &TestServices, msisdn: &str, network: &str) {
    let body = json!({ "msisdn": msisdn, "network": network });
    let reply = Client::new(services.sandbox, "localhost").post_as_admin("/internal/numbers", &body).await;
    assert_eq!(reply.status, 204);
}

on_each_engine! {
    async fn visitor_chooses_where_nothing_names_the_network_and_pays_the_price_of_the_button(engine) {
        let services = spawn(engine, "", without_lookup).await;
        let browser = services.browser("memeworld");
        let msisdn = format!("{NEITHER}1111");
        let reply = join_at(&browser, &msisdn, None).await;
        assert_eq!(choices(&reply), [("sandbox-pull", 300), ("second", 450)]);
        assert_eq!((&reply["networks"][1]["name"], &reply["networks"][1]["period"]), (&json!("Second Mobile"), &json!("day")));
        assert_eq!(services.count("tries", "1 = 1").await, 0, "nothing was agreed to yet");

        let reply = join_at(&browser, &msisdn, Some("second")).await;
        assert!(leads_on(&reply));
        browser.submit_answer(reply["redirectUrl"].as_str().unwrap(), "confirm").await;
        assert_eq!(browser.check(&msisdn, reply["subscriptionId"].as_str().unwrap()).await, 1);
        eventually("the charge", async || {
            services.count("ledger", "status = 'settled' AND cents = 450 AND network = 'second'").await == 1
        })
        .await;
        let subscription = services.account(&msisdn).await["subscriptions"][0].clone();
        assert_eq!(subscription["price_cents"], 450);
        let consent = &subscription["consents"][0];
        assert_eq!((&consent["price_cents"], &consent["network"]), (&json!(450), &json!("second")));
        assert!(consent["wording"].as_str().unwrap().contains("R4.50/day"), "{consent}");
        eventually("the welcome", async || {
            services.inbox(&msisdn).await.iter().any(|text| text.contains("R4.50"))
        })
        .await;

        // A network on which the brand is not sold.
        let body = json!({"msisdn": format!("{NEITHER}2222"), "ext_ref": "", "channel": "WAP", "svc_id": MEME, "network": "sandbox-push"});
        assert_eq!(browser.post("/api/subscribe", &body).await.status, 422);
    }

    async fn range_chooses_the_network_but_never_a_price_that_was_not_shown(engine) {
        let services = spawn(engine, "", without_lookup).await;
        let browser = services.browser("memeworld");
        assert!(leads_on(&join_at(&browser, &format!("{FIRST}1111"), None).await));
        let dearer = format!("{SECOND}1111");
        assert_eq!(choices(&join_at(&browser, &dearer, None).await), [("second", 450)]);
        assert!(leads_on(&join_at(&browser, &dearer, Some("second")).await));
        // A number may have left the network of its range.
        assert!(leads_on(&join_at(&browser, &dearer, Some("sandbox-pull")).await));
        assert_eq!(services.count("tries", "network = 'second' AND price_cents = 450").await, 1);
        assert_eq!(services.count("tries", "network = 'sandbox-pull' AND price_cents = 300").await, 2);
    }

    async fn network_of_the_entry_is_that_of_every_other_number(engine) {
        let services = spawn(engine, "network = \"sandbox-pull\"\n", without_lookup).await;
        let browser = services.browser("memeworld");
        assert!(leads_on(&join_at(&browser, &format!("{NEITHER}1111"), None).await));
        assert_eq!(choices(&join_at(&browser, &format!("{SECOND}1111"), None).await), [("second", 450)]);
    }

    async fn lookup_and_header_decide_against_the_range_and_the_visitor(engine) {
        let services = spawn(engine, "", with_lookup).await;
        let browser = services.browser("memeworld").at("203.0.113.9");
        let moved = format!("{FIRST}1111");
        moves(&services, &moved, "second").await;
        for chosen in [None, Some("sandbox-pull")] {
            assert_eq!(choices(&join_at(&browser, &moved, chosen).await), [("second", 450)], "{chosen:?}");
        }
        assert!(leads_on(&join_at(&browser, &moved, Some("second")).await));
        // A number that the lookup does not know, and one on a network without an offer.
        assert!(leads_on(&join_at(&browser, &format!("{FIRST}2222"), None).await));
        let elsewhere = format!("{FIRST}3333");
        moves(&services, &elsewhere, "sandbox-push").await;
        assert_eq!(browser.try_to_join(&elsewhere, MEME).await.status, 422);

        // The network's own header names it, over http and from its own addresses only.
        let named = format!("{FIRST}4444");
        let at_network = services.browser("memeworld").with_header("x-msisdn", &named);
        assert_eq!(choices(&join_at(&at_network, &named, None).await), [("second", 450)]);
        let forged = services.browser("memeworld").with_header("x-msisdn", &named).at("203.0.113.7");
        assert!(leads_on(&join_at(&forged, &named, None).await));
        let of_another = format!("{FIRST}5555");
        assert!(leads_on(&join_at(&at_network, &of_another, None).await));
    }

    async fn failed_lookup_leaves_the_choice_to_the_range(engine) {
        let services = spawn(engine, "", |config| {
            without_lookup(config);
            config.number_lookup_url = Some("http://127.0.0.1:9/numbers".to_owned());
        })
        .await;
        let browser = services.browser("memeworld");
        assert!(leads_on(&join_at(&browser, &format!("{FIRST}1111"), None).await));
        assert_eq!(choices(&join_at(&browser, &format!("{NEITHER}1111"), None).await).len(), 2);
    }

    async fn moved_number_ends_at_the_old_network_and_an_unmoved_one_stays(engine) {
        let services = spawn(engine, "", with_lookup).await;
        services.set_clocks(NOON).await;
        let (moved, staying) = (format!("{FIRST}1111"), format!("{FIRST}2222"));
        for msisdn in [&moved, &staying] {
            services.joined("memeworld", MEME, msisdn).await;
            services.wait_for_charge(DAY, msisdn, "settled").await;
        }
        moves(&services, &moved, "second").await;
        let browser = services.browser("memeworld").at("203.0.113.9");
        assert_eq!(choices(&join_at(&browser, &moved, None).await), [("second", 450)]);
        assert_eq!(services.state_and_causes(&moved).await.0, "cancelled");
        assert_eq!(services.state_and_causes(&moved).await.1.last().unwrap(), "moved");
        assert_eq!(join_at(&browser, &staying, None).await, json!({"result": 2}));
        // The range, or a choice, is no proof that a number has moved.
        assert_eq!(join_at(&browser, &staying, Some("second")).await, json!({"result": 2}));
        assert_eq!(services.state_and_causes(&staying).await.0, "active");
    }

    async fn network_of_rows_of_an_earlier_release_is_filled_in(engine) {
        let services = spawn(engine, "network = \"second\"\n", without_lookup).await;
        services.set_clocks(NOON).await;
        let msisdn = format!("{FIRST}1111");
        let browser = services.browser("memeworld");
        let reply = join_at(&browser, &msisdn, Some("sandbox-pull")).await;
        // The page's price is that of the second network: the visitor agrees to the first one's by its button.
        assert!(leads_on(&reply));
        browser.submit_answer(reply["redirectUrl"].as_str().unwrap(), "confirm").await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        services.execute("UPDATE subscriptions SET network = ''".to_owned()).await;
        services.set_clocks(&morning(NEXT)).await;
        services.pass(NEXT).await;
        services.wait_for_charge(NEXT, &msisdn, "settled").await;
        // By the network's own subscription, not by the brand's network.
        assert_eq!(services.count("subscriptions", "network = 'sandbox-pull'").await, 1);
        assert_eq!(services.count("ledger", "network = 'sandbox-pull' AND status = 'settled'").await, 2);
    }
}

//! The monthly limit of a number over all services: what would exceed it is not charged, and suspends no subscriber.

use std::path::PathBuf;

use serde_json::{Value, json};
use testkit::{Client, Engine, on_each_engine};

use crate::{
    ledger::{DAY, NEXT, NOON, morning},
    services::{BRANDS_FILE, MEME, Options, PULL, TT, eventually, number, spawn_with, subscription_config},
};

const COMEDY: i32 = 148;
const DISKI: i32 = 151;

/// `brands.toml` with a monthly limit of the pull network.
fn with_limit_at_network(cents: i64) -> PathBuf {
    let text = std::fs::read_to_string(BRANDS_FILE).unwrap();
    let entry = format!("[network.{PULL}]\n");
    assert!(text.contains(&entry));
    let path = tempfile::tempdir().unwrap().keep().join("brands.toml");
    std::fs::write(&path, text.replace(&entry, &format!("{entry}month_limit_cents = {cents}\n"))).unwrap();
    path
}

/// `brands.toml` with a monthly limit.
fn with_limit(cents: i64) -> PathBuf {
    let text = std::fs::read_to_string(BRANDS_FILE).unwrap();
    let path = tempfile::tempdir().unwrap().keep().join("brands.toml");
    std::fs::write(&path, format!("month_limit_cents = {cents}\n{text}")).unwrap();
    path
}

fn options(cents: i64) -> Options {
    let settings: fn(&mut subscription::Config) = |config| config.billing_times = "06:00".parse().unwrap();
    Options { brands_file: Some(with_limit(cents)), settings: Some(settings), ..Options::default() }
}

on_each_engine! {
    async fn charge_beyond_the_limit_waits_for_the_next_month(engine) {
        let services = spawn_with(engine, options(700)).await;
        services.set_clocks(NOON).await;
        let (msisdn, other) = (number("1111"), number("1112"));
        services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        services.joined("mcfunny", COMEDY, &msisdn).await;
        eventually("two charges", async || services.charges(DAY).await.len() == 2).await;
        // The third service would make R9 of R7: it is free until the month is over.
        let browser = services.joined("diski99", DISKI, &msisdn).await;
        eventually("the limit", async || {
            services.count("ledger", "reason = 'the number''s monthly limit is reached' AND status = 'pending'").await == 1
        })
        .await;
        for _ in 0..3 {
            assert_eq!(services.pass(DAY).await, [1, 0, 0, 0, 1]);
        }
        let me = browser.get("/api/subscribe/me").await.json();
        assert_eq!((&me["state"], &me["total_cents"], &me["limit_reached"]), (&json!("active"), &json!(0), &json!(true)));
        assert_eq!(me["next_charge"], "2060-03-01 04:00:00");

        // Another number has a limit of its own.
        services.joined("memeworld", MEME, &other).await;
        services.wait_for_charge(DAY, &other, "settled").await;

        // The next day ends without a charge of this number, and nothing is unpaid.
        services.set_clocks(&morning(NEXT)).await;
        assert_eq!(services.pass(NEXT).await, [4, 1, 0, 0, 3]);
        services.set_clocks("2060-02-29T12:00:00+02:00").await;
        assert_eq!(services.pass("2060-02-29").await, [4, 0, 0, 0, 4]);
        let states = async || -> Vec<Value> {
            let account = services.account(&msisdn).await;
            account["subscriptions"].as_array().unwrap().iter().map(|one| one["state"].clone()).collect()
        };
        assert_eq!(states().await, ["active", "active", "active"]);
        services.set_clocks(&morning("2060-03-01")).await;
        assert_eq!(services.pass("2060-03-01").await, [4, 3, 0, 0, 1]);
        assert_eq!(states().await, ["active", "active", "active"]);
        assert_eq!(services.account(&msisdn).await["month_spend_cents"], 600);
        for day in [DAY, NEXT, "2060-02-29", "2060-03-01"] {
            services.assert_ledger_matches_network(day).await;
        }
    }

    async fn charge_that_a_network_makes_by_itself_counts(engine) {
        let services = spawn_with(engine, options(500)).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        services.joined("ttmbhatv", TT, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        services.joined("memeworld", MEME, &msisdn).await;
        assert_eq!(services.pass(DAY).await, [1, 0, 0, 0, 1]);
        assert_eq!(services.charges(DAY).await.len(), 1);
    }

    async fn a_network_has_a_limit_of_its_own(engine) {
        let brands_file = Some(with_limit_at_network(500));
        let services = spawn_with(engine, Options { brands_file, ..options(700) }).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        // R6 at this network would exceed its R5. Another network is not concerned.
        let browser = services.joined("mcfunny", COMEDY, &msisdn).await;
        services.joined("ttmbhatv", TT, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        assert_eq!(services.pass(DAY).await, [1, 0, 0, 0, 1]);
        assert_eq!(browser.get("/api/subscribe/me").await.json()["limit_reached"], true);
        eventually("two charges", async || services.charges(DAY).await.len() == 2).await;
        services.assert_ledger_matches_network(DAY).await;
    }

    async fn two_replicas_stay_within_a_networks_limit_together(engine) {
        replicas_charge_each_number_once(engine, with_limit_at_network(500), 46_500).await;
    }

    async fn two_services_charged_at_once_by_two_replicas_stay_within_the_limit(engine) {
        replicas_charge_each_number_once(engine, with_limit(500), 500).await;
    }
}

/// Two services of each number, charged at once by two replicas, of which the limit allows one.
async fn replicas_charge_each_number_once(engine: Engine, brands_file: PathBuf, limit: i64) {
    const NUMBERS: usize = 150;
    let options = Options { brands_file: Some(brands_file.clone()), ..options(limit) };
    let services = spawn_with(engine, options).await;
    let mut config = subscription_config(&services.store, &services.secret);
    config.operator_url = format!("http://{}", services.sandbox);
    config.brands_file = brands_file;
    let second = Client::new(subscription::start(config).await.unwrap().addr, "localhost");
    services.set_clocks(NOON).await;
    assert_eq!(second.post_as_admin("/internal/clock", &json!({"now": NOON})).await.status, 200);
    for svc_id in [MEME, COMEDY] {
        services.make_active(svc_id, PULL, NUMBERS, "2060-02-26 10:00:00").await;
    }
    let body = json!({"day": DAY});
    let (mine, other) = futures_util::join!(services.pass(DAY), second.post_as_admin("/internal/billing/run", &body));
    assert_eq!((other.status, mine[0].max(other.json()["due"].as_i64().unwrap())), (200, 300));
    services.pass(DAY).await;
    let charges = services.charges(DAY).await;
    let numbers: std::collections::BTreeSet<_> = charges.iter().map(|one| one["msisdn"].to_string()).collect();
    assert_eq!((charges.len(), numbers.len()), (NUMBERS, NUMBERS), "each number is charged once");
    services.assert_ledger_matches_network(DAY).await;
}

//! Offers with a free first day, and offers whose days are charged in part when airtime is low: what a person reads, and what is charged.

use std::path::PathBuf;

use serde_json::{Value, json};
use testkit::{Engine, on_each_engine};

use crate::{
    ledger::{DAY, NEXT, NOON, days_after, morning},
    services::{BRANDS_FILE, Browser, MEME, Options, PULL, TestServices, eventually, number, spawn_with},
};

const LEAVE: &str = "/api/subscribe/unsubscribe";
const FREE: &str = "First day free, once per number; the first R3 is charged on 28 February.";
const PARTS: &str = "R3, or R2 or R1 when airtime is low.";

/// `brands.toml` with other offers of MEMEWORLD: on its own network with these keys, and on another one with the same.
fn with_offer(keys: &str) -> PathBuf {
    let text = std::fs::read_to_string(BRANDS_FILE).unwrap();
    let entry = format!("svc_id = 150\nnetwork = \"{PULL}\"\n");
    assert!(text.contains(&entry));
    let offers = format!("{entry}offer = [{{ network = \"{PULL}\", {keys} }}, {{ network = \"second\", {keys} }}]\n");
    let text =
        text.replace(&entry, &offers).replacen("[[brand]]\n", "[network.second]\nadapter = \"rest\"\n\n[[brand]]\n", 1);
    let file = tempfile::tempdir().unwrap().keep().join("brands.toml");
    std::fs::write(&file, text).unwrap();
    file
}

async fn spawn(engine: Engine, keys: &str) -> TestServices {
    let settings: fn(&mut subscription::Config) = |config| {
        config.billing_times = "06:00".parse().unwrap();
        config.operator_url.push_str("/networks/{network}");
    };
    let options = Options { brands_file: Some(with_offer(keys)), settings: Some(settings), ..Options::default() };
    let services = spawn_with(engine, options).await;
    services.set_clocks(NOON).await;
    services
}

async fn me(browser: &Browser) -> Value {
    browser.get("/api/subscribe/me").await.json()
}

/// Leaves, and waits until the network knows.
async fn leave(services: &TestServices, browser: &Browser) {
    assert_eq!(browser.post(LEAVE, &json!({"svc_id": MEME})).await.json()["state"], "cancelled");
    eventually("the stop", async || services.count("outbox", "kind = 'stop' AND done_at IS NULL").await == 0).await;
}

/// Joins on a network's page; the page's text and the browser with its session.
async fn join_at(services: &TestServices, msisdn: &str, network: &str) -> (String, Browser) {
    let browser = services.browser("memeworld");
    let body = json!({"msisdn": msisdn, "ext_ref": "", "channel": "WAP", "svc_id": MEME, "network": network});
    let reply = browser.post("/api/subscribe", &body).await.json();
    let (page, id) = (reply["redirectUrl"].as_str().unwrap(), reply["subscriptionId"].as_str().unwrap());
    let shown = reqwest::get(page).await.unwrap().text().await.unwrap();
    browser.submit_answer(page, "confirm").await;
    assert_eq!(browser.check(msisdn, id).await, 1);
    (shown, browser)
}

async fn cents_of(services: &TestServices, day: &str) -> Vec<i64> {
    services.assert_ledger_matches_network(day).await;
    services.charges(day).await.iter().map(|charge| charge["cents"].as_i64().unwrap()).collect()
}

async fn pass_on(services: &TestServices, day: &str) -> [i64; 5] {
    services.set_clocks(&morning(day)).await;
    services.pass(day).await
}

on_each_engine! {
    async fn first_day_is_free_and_the_second_is_charged(engine) {
        let services = spawn(engine, "free_days = 1").await;
        let msisdn = number("1111");
        let (shown, browser) = join_at(&services, &msisdn, PULL).await;
        for part in ["R3.00", "per day", "First day free, once per number; the first R3.00 is charged on 28 February."] {
            assert!(shown.contains(part), "{part}: {shown}");
        }
        let account = services.account(&msisdn).await;
        let subscription = &account["subscriptions"][0];
        let consent = &subscription["consents"][0];
        let wording = consent["wording"].as_str().unwrap();
        assert!(wording.contains("R3/day") && wording.ends_with(FREE), "{wording}");
        assert_eq!((&consent["free_days"], &consent["parts"]), (&json!(1), &json!("")));
        assert_eq!((&subscription["free_until"], &subscription["state"]), (&json!(NEXT), &json!("active")));
        eventually("the welcome", async || {
            let texts = services.inbox(&msisdn).await;
            texts.iter().any(|text| text.contains("R3/day incl. VAT") && text.ends_with(FREE))
        })
        .await;
        let shown = me(&browser).await;
        assert_eq!((&shown["state"], &shown["total_cents"]), (&json!("active"), &json!(0)));
        assert_eq!((&shown["free_until"], &shown["next_charge"]), (&json!(NEXT), &json!("2060-02-28 04:00:00")));
        assert_eq!(services.pass(DAY).await, [0, 0, 0, 0, 0]);
        assert_eq!(services.ledger(DAY).await, []);
        assert_eq!(services.charges(DAY).await, Vec::<Value>::new());

        assert_eq!(pass_on(&services, NEXT).await, [1, 1, 0, 0, 0]);
        assert_eq!(cents_of(&services, NEXT).await, [300]);
        let shown = me(&browser).await;
        assert_eq!((&shown["total_cents"], &shown["free_until"]), (&json!(300), &Value::Null));
        assert_eq!(pass_on(&services, "2060-02-29").await, [1, 1, 0, 0, 0]);
        assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed"]);
    }

    async fn leaving_in_the_free_time_costs_nothing(engine) {
        let services = spawn(engine, "free_days = 1").await;
        let msisdn = number("1111");
        let (_, browser) = join_at(&services, &msisdn, PULL).await;
        leave(&services, &browser).await;
        assert_eq!(services.pass(DAY).await, [0, 0, 0, 0, 0]);
        assert_eq!(pass_on(&services, NEXT).await, [0, 0, 0, 0, 0]);
        for day in [DAY, NEXT] {
            assert_eq!((services.ledger(day).await.len(), services.charges(day).await.len()), (0, 0));
        }
    }

    async fn a_number_is_free_once_also_on_another_network(engine) {
        let services = spawn(engine, "free_days = 1").await;
        let (again, moved) = (number("1111"), number("2222"));
        for msisdn in [&again, &moved] {
            let (_, browser) = join_at(&services, msisdn, PULL).await;
            leave(&services, &browser).await;
        }
        // On the same day the day is still free, and the page says until when.
        let (shown, browser) = join_at(&services, &again, PULL).await;
        assert!(shown.contains("is charged on 28 February."), "{shown}");
        assert_eq!(me(&browser).await["free_until"], NEXT);
        assert_eq!(services.ledger(DAY).await, []);
        assert_eq!(pass_on(&services, NEXT).await, [1, 1, 0, 0, 0]);
        leave(&services, &browser).await;
        // Later it is charged at once, and so is the other number, on another network.
        let later = days_after(DAY, 5);
        services.set_clocks(&morning(&later)).await;
        for (msisdn, network) in [(&again, PULL), (&moved, "second")] {
            let (shown, browser) = join_at(&services, msisdn, network).await;
            assert!(!shown.contains("free") && shown.contains("R3.00"), "{shown}");
            services.wait_for_charge(&later, msisdn, "settled").await;
            assert_eq!(me(&browser).await["free_until"], Value::Null);
            let account = services.account(msisdn).await;
            assert_eq!(account["subscriptions"][0]["consents"][0]["free_days"], 0, "{account}");
            leave(&services, &browser).await;
        }
        assert_eq!(cents_of(&services, &later).await, [300, 300]);
    }

    async fn number_that_had_the_service_before_gets_no_free_day(engine) {
        let services = spawn(engine, "free_days = 1").await;
        let msisdn = number("1111");
        let (_, browser) = join_at(&services, &msisdn, PULL).await;
        leave(&services, &browser).await;
        // As a release before free days has left the row.
        services.execute("UPDATE subscriptions SET free_until = '', network = ''".to_owned()).await;
        let (shown, _) = join_at(&services, &msisdn, PULL).await;
        assert!(!shown.contains("free"), "{shown}");
        services.wait_for_charge(DAY, &msisdn, "settled").await;
    }

    async fn a_day_is_charged_in_part_where_airtime_is_low(engine) {
        let services = spawn(engine, "parts = [300, 200, 100]").await;
        let msisdn = number("0013");
        let (shown, browser) = join_at(&services, &msisdn, PULL).await;
        assert!(shown.contains("R3.00, or R2.00 or R1.00 when airtime is low."), "{shown}");
        let charge = services.wait_for_charge(DAY, &msisdn, "settled").await;
        assert!(charge.cents == 200 && charge.key.ends_with(".200"), "{charge:?}");
        let account = services.account(&msisdn).await;
        let consent = &account["subscriptions"][0]["consents"][0];
        assert!(consent["wording"].as_str().unwrap().ends_with(PARTS), "{consent}");
        assert_eq!((&consent["parts"], &account["subscriptions"][0]["parts"]), (&json!("300,200,100"), &json!([300, 200, 100])));
        eventually("the welcome", async || services.inbox(&msisdn).await.iter().any(|text| text.ends_with(PARTS))).await;
        // The day is paid: nothing is owed for the rest.
        assert_eq!(services.pass(DAY).await, [0, 0, 0, 0, 0]);
        assert_eq!(pass_on(&services, NEXT).await, [1, 1, 0, 0, 0]);
        assert_eq!(services.pass(NEXT).await, [0, 0, 0, 0, 0]);
        for day in [DAY, NEXT] {
            assert_eq!(cents_of(&services, day).await, [200]);
            assert_eq!(services.ledger(day).await.len(), 1);
        }
        let shown = me(&browser).await;
        assert_eq!((&shown["total_cents"], &shown["price_cents"], &shown["state"]), (&json!(400), &json!(300), &json!("active")));
        assert_eq!(shown["parts"], json!([300, 200, 100]));
        assert_eq!(services.account(&msisdn).await["month_spend_cents"], 400);
        assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed"]);

        // Reconciling, the books and a refund know what was charged.
        let reply = services.admin("/internal/reconcile", &json!({"day": DAY})).await.json();
        assert_eq!(reply["differences"], json!([]), "{reply}");
        let books = services.books(&format!("from={DAY}&to={DAY}&recount=true")).await;
        let text = books.to_string();
        assert!(text.contains("\"price_cents\":200") && !text.contains("\"price_cents\":300"), "{text}");
        let refund = services.admin("/internal/refund", &json!({"ledger_id": charge.id, "reason": "a test", "made_by": "Ada"})).await;
        assert_eq!((refund.status, &refund.json()["cents"]), (200, &json!(200)));
        eventually("the refund", async || services.count("ledger", "kind = 'refund' AND status = 'settled'").await == 1).await;
        assert_eq!(me(&browser).await["total_cents"], 200);
    }

    async fn every_amount_is_refused_once_a_pass_and_then_the_day_is_unpaid(engine) {
        let services = spawn(engine, "parts = [300, 200, 100]").await;
        let msisdn = number("0003");
        join_at(&services, &msisdn, PULL).await;
        let failed = services.wait_for_charge(DAY, &msisdn, "failed").await;
        assert_eq!((failed.cents, failed.key.contains('.')), (300, false), "the next pass begins with the price");
        assert_eq!(services.count("ledger", "failures = 1 AND attempts = 3").await, 1, "one failure for three amounts");
        assert_eq!(services.pass(DAY).await, [1, 0, 1, 0, 0]);
        assert_eq!(services.count("ledger", "failures = 2 AND attempts = 6").await, 1);
        assert_eq!(services.state_and_causes(&msisdn).await.0, "active");
        assert_eq!(services.pass(DAY).await, [1, 0, 1, 0, 0]);
        services.wait_for_state(&msisdn, "suspended").await;
        // With airtime again, the whole price is charged.
        for statement in ["UPDATE subscriptions SET msisdn = '27831110013'"] {
            services.execute(statement.to_owned()).await;
            services.execute_in_sandbox(statement.to_owned()).await;
        }
        assert_eq!(pass_on(&services, NEXT).await, [1, 1, 0, 0, 0]);
        assert_eq!(cents_of(&services, NEXT).await, [200]);
        services.wait_for_state("27831110013", "active").await;
    }

    async fn no_part_is_charged_without_consent(engine) {
        let services = spawn(engine, "price_cents = 300").await;
        let msisdn = number("0013");
        join_at(&services, &msisdn, PULL).await;
        services.wait_for_charge(DAY, &msisdn, "failed").await;
        assert_eq!(services.pass(DAY).await, [1, 0, 1, 0, 0]);
        assert_eq!(services.charges(DAY).await, Vec::<Value>::new());
    }
}

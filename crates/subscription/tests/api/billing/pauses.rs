//! Staff pause charges and resume them: of a network, of a brand, or all.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Client, Engine, Scrape, eventually, on_each_engine};

use crate::{
    ledger::{DAY, NEXT, NOON, morning},
    services::{MEME, PULL, PUSH, TT, TestServices, number, spawn, subscription_config},
};

/// Another brand of the same network.
const DISKI: i32 = 151;

impl TestServices {
    /// `call` is "pause" or "resume".
    async fn change_charges(&self, call: &str, scope: Value) -> Value {
        let mut order = scope;
        order["reason"] = json!("replies are mixed up");
        let reply = self.finance(Method::POST, &format!("/internal/charges/{call}"), Some(&order)).await;
        assert_eq!(reply.status, 200, "{order}");
        reply.json()
    }

    /// Whether every row of the day is settled, by one request each.
    async fn is_charged_once(&self, day: &str, charges: i64) -> bool {
        let of_day = format!("day = '{day}' AND kind = 'charge' AND status = 'settled'");
        self.count("ledger", &of_day).await == charges
            && self.count("ledger", &format!("{of_day} AND attempts > 1")).await == 0
    }
}

/// Longer than a first charge waits.
async fn a_while() {
    tokio::time::sleep(Duration::from_secs(3)).await;
}

on_each_engine! {
    async fn paused_network_is_charged_once_after_it_resumes(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        services.change_charges("pause", json!({"network": PULL})).await;
        let (waits, goes) = (number("1111"), number("1111"));
        let browser = services.joined("memeworld", MEME, &waits).await;
        services.joined("ttmbhatv", TT, &goes).await;
        services.wait_for_charge(DAY, &goes, "settled").await;
        services.make_active(MEME, PULL, 5, "2060-02-26 10:00:00").await;
        assert_eq!(services.pass(DAY).await, [6, 0, 0, 0, 6]);
        a_while().await;
        assert_eq!(services.charges(DAY).await.len(), 1, "the push network's own");
        assert_eq!(services.count("ledger", "network = 'sandbox-pull' AND attempts > 0").await, 0);
        assert_eq!(browser.get("/api/subscribe/me").await.json()["state"], "active");
        services.change_charges("resume", json!({"network": PULL})).await;
        services.wait_for_charge(DAY, &waits, "settled").await;
        eventually("the open pass goes on", async || services.is_charged_once(DAY, 7).await).await;
        services.assert_ledger_matches_network(DAY).await;
        assert_eq!(services.pass(DAY).await, [0, 0, 0, 0, 0]);
    }

    async fn other_brands_are_charged_and_tried_again_while_one_is_paused(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        services.change_charges("pause", json!({"svc_id": MEME})).await;
        let penniless = number("0003");
        services.joined("diski99", DISKI, &penniless).await;
        services.wait_for_charge(DAY, &penniless, "failed").await;
        for svc_id in [MEME, DISKI] {
            services.make_active(svc_id, PULL, 3, "2060-02-26 10:00:00").await;
        }
        assert_eq!(services.pass(DAY).await, [7, 3, 1, 0, 3]);
        // The pass stays open for the brand, and no other one waits for it.
        assert_eq!(services.pass(DAY).await, [4, 0, 1, 0, 3]);
        services.wait_for_state(&penniless, "suspended").await;
        services.assert_ledger_matches_network(DAY).await;
        assert_eq!(services.count("ledger", &format!("attempts > 0 AND charge_key LIKE '%-{MEME}-%'")).await, 0);
        services.change_charges("resume", json!({"svc_id": MEME})).await;
        eventually("the brand is charged", async || services.is_charged_once(DAY, 6).await).await;
        services.assert_ledger_matches_network(DAY).await;
    }

    async fn paused_day_suspends_no_subscriber_and_stops_nothing_else(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let (stays, goes) = (number("1111"), number("1111"));
        services.joined("memeworld", MEME, &stays).await;
        let leaver = services.joined("memeworld", MEME, &goes).await;
        let charge = services.wait_for_charge(DAY, &stays, "settled").await;
        services.wait_for_charge(DAY, &goes, "settled").await;
        services.change_charges("pause", json!({})).await;
        services.set_clocks(&morning(NEXT)).await;
        for _ in 0..3 {
            assert_eq!(services.pass(NEXT).await, [2, 0, 0, 0, 2]);
        }
        assert_eq!(leaver.post("/api/subscribe/unsubscribe", &json!({"svc_id": MEME})).await.status, 200);
        let refund = json!({"ledger_id": charge.id, "reason": "a customer asked"});
        assert_eq!(services.admin("/internal/refund", &refund).await.status, 200);
        let given_back = "kind = 'refund' AND status = 'settled'";
        eventually("the refund", async || services.count("ledger", given_back).await == 1).await;
        let after = crate::ledger::days_after(NEXT, 1);
        services.set_clocks(&morning(&after)).await;
        assert_eq!(services.pass(&after).await, [1, 0, 0, 0, 1]);
        assert_eq!(services.state_and_causes(&stays).await, ("active".to_owned(), vec!["joined".to_owned(), "confirmed".to_owned()]));
        services.change_charges("resume", json!({})).await;
        services.wait_for_charge(&after, &stays, "settled").await;
        // As after an outage: the day is over, not unpaid, and never charged later.
        let over = format!("day = '{NEXT}' AND status = 'failed' AND failures = 0 AND attempts = 0");
        assert_eq!(services.count("ledger", &over).await, 2);
        assert_eq!(services.charges(NEXT).await.len(), 0);
        assert_eq!(services.state_and_causes(&stays).await.0, "active");
    }

    async fn pause_has_one_scope_and_keeps_who_and_why(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        for (order, status) in [
            (json!({"network": PULL, "svc_id": MEME, "reason": "both"}), 422),
            (json!({"network": "elsewhere", "reason": "unknown"}), 404),
            (json!({"svc_id": 1, "reason": "unknown"}), 422),
            (json!({"network": PUSH, "reason": "it charges by itself"}), 409),
            (json!({"netwrok": PULL, "reason": "misspelt"}), 400),
            (json!({"network": PULL, "reason": " "}), 422),
            (json!({"network": PULL, "reason": "two\nlines"}), 422),
        ] {
            for call in ["pause", "resume"] {
                assert_eq!(services.admin(&format!("/internal/charges/{call}"), &order).await.status, status, "{call} {order}");
            }
        }
        let resume = json!({"network": PULL, "reason": "never paused"});
        assert_eq!(services.admin("/internal/charges/resume", &resume).await.status, 409);
        assert_eq!(services.count("charge_pauses", "1 = 1").await, 0);

        let pause = services.change_charges("pause", json!({"network": PULL})).await;
        let expected = json!({
            "network": PULL, "svc_id": 0, "service": "", "reason": "replies are mixed up",
            "made_by": "thandi@spaza.example", "since": "2060-02-27 10:00:00",
        });
        assert_eq!(without_seconds(&pause), expected);
        let again = json!({"network": PULL, "reason": "another reason"});
        assert_eq!(services.admin("/internal/charges/pause", &again).await.json(), pause, "the first one stays");
        services.change_charges("pause", json!({"svc_id": MEME})).await;
        let list = async || services.finance(Method::GET, "/internal/charges/pauses", None).await.json();
        let listed = list().await;
        assert_eq!((&listed["pauses"][0], &listed["pauses"][1]["service"]), (&pause, &json!("memeworld")));
        assert!(listed["networks"].as_array().unwrap().contains(&json!({"network": PUSH, "charges_by_itself": true})));
        assert!(listed["services"].as_array().unwrap().contains(&json!({"svc_id": DISKI, "service": "diski99"})));
        let overview = services.call(Method::GET, "/internal/overview", testkit::ADMIN_TOKEN, None).await.json();
        assert_eq!(overview["pauses"], listed["pauses"]);
        let paused = async |scope: &str| Scrape::of(services.addr).await.sum("spaza_charges_paused_seconds", &[("scope", scope)]);
        eventually("the gauge", async || paused(PULL).await > 0.0 && paused("memeworld").await > 0.0).await;
        assert_eq!((paused("all").await, paused("diski99").await), (0.0, 0.0));

        for _ in 0..2 {
            let ended = services.change_charges("resume", json!({"network": PULL})).await;
            assert_eq!((&ended["since"], &ended["end"]["made_by"]), (&pause["since"], &json!("thandi@spaza.example")));
        }
        let listed = list().await;
        assert_eq!((listed["pauses"].as_array().unwrap().len(), listed["ended"].as_array().unwrap().len()), (1, 1));
        assert_eq!(listed["ended"][0]["end"]["reason"], "replies are mixed up");
        eventually("the gauge falls", async || paused(PULL).await == 0.0).await;
        // It can be paused again, and both stay.
        services.change_charges("pause", json!({"network": PULL})).await;
        assert_eq!(services.count("charge_pauses", "network = 'sandbox-pull'").await, 2);
    }
}

/// The clock goes on while a test runs.
fn without_seconds(pause: &Value) -> Value {
    let mut pause = pause.clone();
    pause["since"] = json!(format!("{}00", &pause["since"].as_str().unwrap()[..17]));
    pause
}

#[actix_web::test]
async fn pause_holds_on_every_replica_at_once() {
    let services = spawn(Engine::Postgres).await;
    let mut config = subscription_config(&services.store, &services.secret);
    config.operator_url = format!("http://{}", services.sandbox);
    let second = Client::new(subscription::start(config).await.unwrap().addr, "localhost");
    services.set_clocks(NOON).await;
    assert_eq!(second.post_as_admin("/internal/clock", &json!({"now": NOON})).await.status, 200);
    let order = json!({"network": PULL, "reason": "replies are mixed up"});
    assert_eq!(second.post_as_admin("/internal/charges/pause", &order).await.status, 200);
    let msisdn = number("1111");
    services.joined("memeworld", MEME, &msisdn).await;
    services.make_active(MEME, PULL, 200, "2060-02-26 10:00:00").await;
    let body = json!({"day": DAY});
    let (mine, other) = futures_util::join!(services.pass(DAY), second.post_as_admin("/internal/billing/run", &body));
    assert_eq!((mine[1], other.status), (0, 200), "{mine:?}");
    a_while().await;
    assert_eq!(services.charges(DAY).await.len(), 0);
    services.change_charges("resume", json!({"network": PULL})).await;
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    eventually("both replicas charge", async || services.is_charged_once(DAY, 201).await).await;
    services.assert_ledger_matches_network(DAY).await;
}

//! Passes: three a day, each charge is tried once in each.

use std::time::Duration;

use serde_json::json;
use testkit::{Client, Engine, on_each_engine};

use crate::{
    ledger::{DAY, NEXT, NOON, days_after, morning},
    services::{MEME, Options, PULL, TT, eventually, number, spawn, spawn_with},
};

const RUN: &str = "/internal/billing/run";

on_each_engine! {
    async fn pass_charges_each_subscription_once(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        services.make_active(MEME, PULL, 250, "2060-02-26 10:00:00").await;
        services.set_clocks(&morning(NEXT)).await;
        assert_eq!(services.pass(NEXT).await, [250, 250, 0, 0, 0]);
        assert_eq!(services.pass(NEXT).await, [0, 0, 0, 0, 0]);
        assert_eq!(services.count("billing_passes", "finished_at > started_at").await, 2, "each took its time");
        services.assert_ledger_matches_network(NEXT).await;
        assert_eq!(services.charges(NEXT).await.len(), 250);
        assert_eq!(services.ledger(DAY).await, [], "no arrears");
    }

    async fn pass_of_another_day_is_422(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        for day in [NEXT, "2060-02-26", "2026-11-21", "yesterday", "2060-02-30"] {
            assert_eq!(services.admin(RUN, &json!({"day": day})).await.status, 422, "{day}");
        }
        assert_eq!(services.admin(RUN, &json!({})).await.status, 400);
        let client = Client::new(services.addr, "localhost");
        assert_eq!(client.post(RUN, &json!({"day": DAY})).await.status, 401);
    }

    async fn third_failed_pass_suspends(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("0003");
        let browser = services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "failed").await;
        assert_eq!(services.pass(DAY).await, [1, 0, 1, 0, 0]);
        assert_eq!(browser.get("/api/subscribe/me").await.json()["state"], "active", "access lasts until the third");
        assert_eq!(services.pass(DAY).await, [1, 0, 1, 0, 0]);
        assert_eq!(browser.get("/api/subscribe/me").await.json()["state"], "suspended");
        assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed", "unpaid"]);
        eventually("the notice", async || services.inbox(&msisdn).await.iter().any(|sms| sms.contains("paused"))).await;
        assert_eq!(services.pass(DAY).await, [0, 0, 0, 0, 0], "not again that day");
        // A suspended subscription is charged once a day.
        let day = NEXT.to_owned();
        services.set_clocks(&morning(&day)).await;
        assert_eq!(services.pass(&day).await, [1, 0, 1, 0, 0]);
        assert_eq!(services.pass(&day).await, [0, 0, 0, 0, 0]);
        assert_eq!(services.charges(&day).await.len(), 0);
        assert_eq!(services.state_and_causes(&msisdn).await.0, "suspended");
    }

    async fn later_payment_reactivates(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        let browser = services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        services.execute("UPDATE subscriptions SET state = 'suspended'".to_owned()).await;
        services.set_clocks(&morning(NEXT)).await;
        assert_eq!(services.pass(NEXT).await, [1, 1, 0, 0, 0]);
        assert_eq!(browser.get("/api/subscribe/me").await.json()["state"], "active");
        assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed", "paid"]);
    }

    async fn passes_start_at_billing_times(engine) {
        let by_itself = |config: &mut subscription::Config| config.billing_times = "06:00,13:00,18:00".parse().unwrap();
        let services = spawn_with(engine, Options { settings: Some(by_itself), ..Options::default() }).await;
        services.set_clocks("2060-02-27T12:30:00+02:00").await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        services.set_clocks(&morning(NEXT)).await;
        services.wait_for_charge(NEXT, &msisdn, "settled").await;
        services.assert_ledger_matches_network(NEXT).await;
        // Two days later, in the afternoon: the days between are not charged.
        let (skipped, later) = (days_after(NEXT, 1), days_after(NEXT, 2));
        services.set_clocks(&format!("{later}T14:00:00+02:00")).await;
        services.wait_for_charge(&later, &msisdn, "settled").await;
        assert_eq!((skipped.as_str(), services.ledger(&skipped).await.len()), ("2060-02-29", 0));
    }

    async fn delayed_pass_starts_later(engine) {
        let by_itself = |config: &mut subscription::Config| config.billing_times = "06:00,13:00,18:00".parse().unwrap();
        let services = spawn_with(engine, Options { settings: Some(by_itself), ..Options::default() }).await;
        services.set_clocks("2060-02-27T12:30:00+02:00").await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        // At the billing time no pass can be written down.
        services.execute("ALTER TABLE billing_passes RENAME TO hidden".to_owned()).await;
        services.set_clocks(&morning(NEXT)).await;
        tokio::time::sleep(Duration::from_secs(6)).await;
        assert!(services.charge_of(NEXT, &msisdn).await.is_none(), "a charge without a pass");
        services.execute("ALTER TABLE hidden RENAME TO billing_passes".to_owned()).await;
        services.wait_for_charge(NEXT, &msisdn, "settled").await;
    }

    async fn outcomes_are_recorded_after_a_database_failure(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        services.make_active(MEME, PULL, 3, "2060-02-26 10:00:00").await;
        let (refuse, allow) = if engine == Engine::Sqlite {
            (
                "CREATE TRIGGER refuse BEFORE UPDATE ON ledger WHEN NEW.status = 'settled' BEGIN SELECT RAISE(ABORT, 'no room'); END",
                "DROP TRIGGER refuse",
            )
        } else {
            ("ALTER TABLE ledger ADD CONSTRAINT refuse CHECK (status <> 'settled')", "ALTER TABLE ledger DROP CONSTRAINT refuse")
        };
        services.execute(refuse.to_owned()).await;
        let (totals, ()) = tokio::join!(services.pass(DAY), async {
            tokio::time::sleep(Duration::from_secs(3)).await;
            services.execute(allow.to_owned()).await;
        });
        assert_eq!(totals, [3, 3, 0, 0, 0]);
        services.assert_ledger_matches_network(DAY).await;
    }

    async fn concurrent_requests_share_one_pass(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        services.make_active(MEME, PULL, 50, "2060-02-26 10:00:00").await;
        let passes = futures_util::future::join_all((0..5).map(|_| services.pass(DAY))).await;
        assert_eq!(passes.iter().map(|totals| totals[1]).max(), Some(50), "{passes:?}");
        assert!(passes.iter().all(|totals| totals[0] == totals[1]), "{passes:?}");
        services.assert_ledger_matches_network(DAY).await;
    }

    async fn push_network_is_not_charged_by_passes(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let (paying, penniless) = (number("1111"), number("0003"));
        for msisdn in [&paying, &penniless] {
            services.joined("ttmbhatv", TT, msisdn).await;
        }
        services.wait_for_charge(DAY, &paying, "settled").await;
        services.wait_for_charge(DAY, &penniless, "failed").await;
        services.set_clocks(&morning(NEXT)).await;
        assert_eq!(services.pass(NEXT).await, [0, 0, 0, 0, 0], "nothing is charged there");
        for _ in 0..3 {
            let sandbox = Client::new(services.sandbox, "localhost");
            assert_eq!(sandbox.post("/run-day", &json!({"day": NEXT})).await.status, 200);
        }
        services.wait_for_charge(NEXT, &paying, "settled").await;
        services.wait_for_state(&penniless, "suspended").await;
        assert_eq!(services.state_and_causes(&paying).await.0, "active");
        services.assert_ledger_matches_network(NEXT).await;
        assert_eq!(services.account(&paying).await["month_spend_cents"], 600);
    }
}

/// On PostgreSQL a claim leaves out rows that another transaction holds.
#[actix_web::test]
async fn pass_waits_for_a_subscription_that_is_held_by_another_transaction() {
    let services = spawn(Engine::Postgres).await;
    services.set_clocks(NOON).await;
    services.make_active(MEME, PULL, 1, "2060-02-26 10:00:00").await;
    let hold = "DO $$ BEGIN PERFORM 1 FROM subscriptions FOR NO KEY UPDATE; PERFORM pg_sleep(2); END $$";
    let (totals, ()) = futures_util::join!(
        async {
            tokio::time::sleep(Duration::from_millis(500)).await;
            services.pass(DAY).await
        },
        services.execute(hold.to_owned()),
    );
    assert_eq!(totals, [1, 1, 0, 0, 0]);
}

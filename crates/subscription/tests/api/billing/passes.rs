//! Passes: three a day, each charge tried once in each.

use std::time::Duration;

use serde_json::json;
use testkit::{Client, on_each_engine};

use crate::{
    books::{DAY, NEXT, NOON, days_after, morning},
    family::{MEME, PULL, TT, Wishes, eventually, number, spawn, spawn_with},
};

const RUN: &str = "/internal/billing/run";

on_each_engine! {
    async fn everybody_is_charged_once(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        family.make_active(MEME, PULL, 250, "2060-02-20 10:00:00").await;
        family.move_clocks(&morning(NEXT)).await;
        assert_eq!(family.pass(NEXT).await, [250, 250, 0, 0, 0]);
        assert_eq!(family.pass(NEXT).await, [0, 0, 0, 0, 0]);
        assert_eq!(family.count("billing_passes", "finished_at > started_at").await, 2, "each took its time");
        family.assert_books_agree(NEXT).await;
        assert_eq!(family.charges(NEXT).await.len(), 250);
        assert_eq!(family.ledger(DAY).await, [], "no arrears");
    }

    async fn only_today_is_charged(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        for day in [NEXT, "2060-02-26", "2026-11-21", "yesterday", "2060-02-30"] {
            assert_eq!(family.admin(RUN, &json!({"day": day})).await.status, 422, "{day}");
        }
        assert_eq!(family.admin(RUN, &json!({})).await.status, 400);
        let client = Client::new(family.addr, "localhost");
        assert_eq!(client.post(RUN, &json!({"day": DAY})).await.status, 401);
    }

    async fn the_third_that_fails_suspends(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        let msisdn = number("0003");
        let browser = family.joined("memeworld", MEME, &msisdn).await;
        family.wait_for_charge(DAY, &msisdn, "failed").await;
        assert_eq!(family.pass(DAY).await, [1, 0, 1, 0, 0]);
        assert_eq!(browser.get("/api/subscribe/me").await.json()["state"], "active", "access lasts until the third");
        assert_eq!(family.pass(DAY).await, [1, 0, 1, 0, 0]);
        assert_eq!(browser.get("/api/subscribe/me").await.json()["state"], "suspended");
        assert_eq!(family.life(&msisdn).await.1, ["joined", "confirmed", "unpaid"]);
        eventually("the notice", async || family.inbox(&msisdn).await.iter().any(|sms| sms.contains("paused"))).await;
        assert_eq!(family.pass(DAY).await, [0, 0, 0, 0, 0], "not again that day");
        // Afterwards once a day.
        let day = NEXT.to_owned();
        family.move_clocks(&morning(&day)).await;
        assert_eq!(family.pass(&day).await, [1, 0, 1, 0, 0]);
        assert_eq!(family.pass(&day).await, [0, 0, 0, 0, 0]);
        assert_eq!(family.charges(&day).await.len(), 0);
        assert_eq!(family.life(&msisdn).await.0, "suspended");
    }

    async fn who_pays_again_is_active_again(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        let msisdn = number("1111");
        let browser = family.joined("memeworld", MEME, &msisdn).await;
        family.wait_for_charge(DAY, &msisdn, "settled").await;
        family.execute("UPDATE subscriptions SET state = 'suspended'".to_owned()).await;
        family.move_clocks(&morning(NEXT)).await;
        assert_eq!(family.pass(NEXT).await, [1, 1, 0, 0, 0]);
        assert_eq!(browser.get("/api/subscribe/me").await.json()["state"], "active");
        assert_eq!(family.life(&msisdn).await.1, ["joined", "confirmed", "paid"]);
    }

    async fn they_begin_by_themselves_when_their_time_comes(engine) {
        let by_itself = |config: &mut subscription::Config| config.billing_times = "06:00,13:00,18:00".parse().unwrap();
        let family = spawn_with(engine, Wishes { settings: Some(by_itself), ..Wishes::default() }).await;
        family.move_clocks("2060-02-27T12:30:00+02:00").await;
        let msisdn = number("1111");
        family.joined("memeworld", MEME, &msisdn).await;
        family.wait_for_charge(DAY, &msisdn, "settled").await;
        family.move_clocks(&morning(NEXT)).await;
        family.wait_for_charge(NEXT, &msisdn, "settled").await;
        family.assert_books_agree(NEXT).await;
        // Two days later, in the afternoon: the days between are not charged.
        let (skipped, later) = (days_after(NEXT, 1), days_after(NEXT, 2));
        family.move_clocks(&format!("{later}T14:00:00+02:00")).await;
        family.wait_for_charge(&later, &msisdn, "settled").await;
        assert_eq!((skipped.as_str(), family.ledger(&skipped).await.len()), ("2060-02-29", 0));
    }

    async fn one_that_could_not_begin_in_time_begins_later(engine) {
        let by_itself = |config: &mut subscription::Config| config.billing_times = "06:00,13:00,18:00".parse().unwrap();
        let family = spawn_with(engine, Wishes { settings: Some(by_itself), ..Wishes::default() }).await;
        family.move_clocks("2060-02-27T12:30:00+02:00").await;
        let msisdn = number("1111");
        family.joined("memeworld", MEME, &msisdn).await;
        family.wait_for_charge(DAY, &msisdn, "settled").await;
        // Before a pass begins it asks this table for the dead.
        family.execute("ALTER TABLE billing_runners RENAME TO hidden".to_owned()).await;
        family.move_clocks(&morning(NEXT)).await;
        tokio::time::sleep(Duration::from_secs(6)).await;
        family.execute("ALTER TABLE hidden RENAME TO billing_runners".to_owned()).await;
        family.wait_for_charge(NEXT, &msisdn, "settled").await;
    }

    async fn what_cannot_be_written_down_yet_is_written_down_later(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        family.make_active(MEME, PULL, 3, "2060-02-20 10:00:00").await;
        let (refuse, allow) = if engine == testkit::Engine::Sqlite {
            (
                "CREATE TRIGGER refuse BEFORE UPDATE ON ledger WHEN NEW.status = 'settled' BEGIN SELECT RAISE(ABORT, 'no room'); END",
                "DROP TRIGGER refuse",
            )
        } else {
            ("ALTER TABLE ledger ADD CONSTRAINT refuse CHECK (status <> 'settled')", "ALTER TABLE ledger DROP CONSTRAINT refuse")
        };
        family.execute(refuse.to_owned()).await;
        let (totals, ()) = tokio::join!(family.pass(DAY), async {
            tokio::time::sleep(Duration::from_secs(3)).await;
            family.execute(allow.to_owned()).await;
        });
        assert_eq!(totals, [3, 3, 0, 0, 0]);
        family.assert_books_agree(DAY).await;
    }

    async fn asked_for_side_by_side_they_are_one(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        family.make_active(MEME, PULL, 50, "2060-02-20 10:00:00").await;
        let passes = futures_util::future::join_all((0..5).map(|_| family.pass(DAY))).await;
        assert_eq!(passes.iter().map(|totals| totals[1]).max(), Some(50), "{passes:?}");
        assert!(passes.iter().all(|totals| totals[0] == totals[1]), "{passes:?}");
        family.assert_books_agree(DAY).await;
    }

    async fn a_push_network_charges_by_itself(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        let (paying, penniless) = (number("1111"), number("0003"));
        for msisdn in [&paying, &penniless] {
            family.joined("ttmbhatv", TT, msisdn).await;
        }
        family.wait_for_charge(DAY, &paying, "settled").await;
        family.wait_for_charge(DAY, &penniless, "failed").await;
        family.move_clocks(&morning(NEXT)).await;
        assert_eq!(family.pass(NEXT).await, [0, 0, 0, 0, 0], "we charge nobody there");
        for _ in 0..3 {
            let sandbox = Client::new(family.sandbox, "localhost");
            assert_eq!(sandbox.post("/run-day", &json!({"day": NEXT})).await.status, 200);
        }
        family.wait_for_charge(NEXT, &paying, "settled").await;
        family.wait_for_state(&penniless, "suspended").await;
        assert_eq!(family.life(&paying).await.0, "active");
        family.assert_books_agree(NEXT).await;
        assert_eq!(family.account(&paying).await["month_spend_cents"], 600);
    }
}

//! The first charge, on activation.

use testkit::on_each_engine;

use crate::{
    books::{DAY, NEXT, NOON, morning},
    family::{MEME, TT, Wishes, eventually, number, spawn, spawn_with},
};

on_each_engine! {
    async fn it_follows_the_join_on_both_shapes_of_network(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        for (label, svc_id) in [("memeworld", MEME), ("ttmbhatv", TT)] {
            let msisdn = number("1111");
            let browser = family.joined(label, svc_id, &msisdn).await;
            let charge = family.wait_for_charge(DAY, &msisdn, "settled").await;
            assert_eq!((charge.svc_id, charge.cents, charge.kind.as_str()), (svc_id, 300, "charge"));
            assert!(!charge.key.contains(&msisdn[2..]), "a key tells no number");
            assert_eq!(browser.get("/api/subscribe/me").await.json()["total_cents"], 300);
            assert_eq!(family.account(&msisdn).await["month_spend_cents"], 300);
        }
        family.assert_books_agree(DAY).await;
        // Nobody is due any more today.
        assert_eq!(family.pass(DAY).await, [0, 0, 0, 0, 0]);
        assert_eq!(family.charges(DAY).await.len(), 2);
    }

    async fn with_the_network_away_it_comes_with_the_next_pass(engine) {
        let family = spawn_with(engine, Wishes { dead_operator: true, ..Wishes::default() }).await;
        family.admin("/internal/clock", &serde_json::json!({"now": NOON})).await;
        let msisdn = number("1111");
        let event = serde_json::json!({
            "event": "opt_in", "kind": "opt_in", "reference": "r1", "user_msisdn": msisdn, "svc_id": MEME, "status": "confirmed",
        });
        assert_eq!(family.notify(crate::family::PULL, "m1", &event).await.status, 200);
        family.wait_for_charge(DAY, &msisdn, "failed").await;
        assert_eq!(family.life(&msisdn).await.0, "active", "the network's own fault suspends nobody");
        assert_eq!(family.pass(DAY).await, [1, 0, 1, 0, 0]);
        for _ in 0..3 {
            family.pass(DAY).await;
        }
        assert_eq!(family.life(&msisdn).await.0, "active");
    }

    async fn a_call_that_the_network_does_not_take_suspends_nobody(engine) {
        let wrong = |config: &mut subscription::Config| config.operator_url.push_str("/not-here");
        let family = spawn_with(engine, Wishes { settings: Some(wrong), ..Wishes::default() }).await;
        family.move_clocks(NOON).await;
        let msisdn = number("1111");
        let event = serde_json::json!({
            "event": "opt_in", "kind": "opt_in", "reference": "r1", "user_msisdn": msisdn, "svc_id": MEME, "status": "confirmed",
        });
        assert_eq!(family.notify(crate::family::PULL, "m1", &event).await.status, 200);
        family.wait_for_charge(DAY, &msisdn, "failed").await;
        for _ in 0..4 {
            assert_eq!(family.pass(DAY).await, [1, 0, 1, 0, 0]);
        }
        assert_eq!(family.life(&msisdn).await.0, "active");
    }

    async fn who_joins_before_midnight_and_again_after_it_pays_for_both_days(engine) {
        let family = spawn(engine).await;
        family.move_clocks("2060-02-27T23:30:00+02:00").await;
        let msisdn = number("1111");
        let browser = family.joined("memeworld", MEME, &msisdn).await;
        family.wait_for_charge(DAY, &msisdn, "settled").await;
        browser.post("/api/subscribe/unsubscribe", &serde_json::json!({"svc_id": MEME})).await;
        eventually("the stop", async || family.count("outbox", "kind = 'stop' AND done_at IS NULL").await == 0).await;
        family.move_clocks("2060-02-28T00:00:01+02:00").await;
        family.joined("memeworld", MEME, &msisdn).await;
        family.wait_for_charge(NEXT, &msisdn, "settled").await;
        for day in [DAY, NEXT] {
            family.assert_books_agree(day).await;
            assert_eq!(family.charges(day).await.len(), 1);
        }
        family.move_clocks(&morning(NEXT)).await;
        assert_eq!(family.pass(NEXT).await, [0, 0, 0, 0, 0]);
    }
}

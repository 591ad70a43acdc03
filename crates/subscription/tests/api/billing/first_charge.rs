//! The first charge, on activation.

use testkit::on_each_engine;

use crate::{
    ledger::{DAY, NEXT, NOON, morning},
    services::{MEME, Options, TT, eventually, number, spawn, spawn_with},
};

on_each_engine! {
    async fn first_charge_follows_the_join_on_pull_and_push(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        for (label, svc_id) in [("memeworld", MEME), ("ttmbhatv", TT)] {
            let msisdn = number("1111");
            let browser = services.joined(label, svc_id, &msisdn).await;
            let charge = services.wait_for_charge(DAY, &msisdn, "settled").await;
            assert_eq!((charge.svc_id, charge.cents, charge.kind.as_str()), (svc_id, 300, "charge"));
            assert!(!charge.key.contains(&msisdn[2..]), "a key reveals no number");
            assert_eq!(browser.get("/api/subscribe/me").await.json()["total_cents"], 300);
            assert_eq!(services.account(&msisdn).await["month_spend_cents"], 300);
        }
        services.assert_ledger_matches_network(DAY).await;
        // No subscription is due any more today.
        assert_eq!(services.pass(DAY).await, [0, 0, 0, 0, 0]);
        assert_eq!(services.charges(DAY).await.len(), 2);
    }

    async fn first_charge_with_network_down_is_made_in_the_next_pass(engine) {
        let services = spawn_with(engine, Options { operator_down: true, ..Options::default() }).await;
        services.admin("/internal/clock", &serde_json::json!({"now": NOON})).await;
        let msisdn = number("1111");
        let event = serde_json::json!({
            "event": "opt_in", "kind": "opt_in", "reference": "r1", "user_msisdn": msisdn, "svc_id": MEME, "status": "confirmed",
        });
        assert_eq!(services.notify(crate::services::PULL, "m1", &event).await.status, 200);
        services.wait_for_charge(DAY, &msisdn, "failed").await;
        assert_eq!(services.state_and_causes(&msisdn).await.0, "active", "the network's own fault suspends no number");
        let pass = services.pass(DAY).await;
        // Tried and failed; on a slow machine the network may be paused by now, and the charge is left out.
        assert!([[1, 0, 1, 0, 0], [1, 0, 0, 0, 1]].contains(&pass), "{pass:?}");
        for _ in 0..3 {
            services.pass(DAY).await;
        }
        assert_eq!(services.state_and_causes(&msisdn).await.0, "active");
    }

    async fn rejected_request_does_not_suspend(engine) {
        let wrong = |config: &mut subscription::Config| config.operator_url.push_str("/not-here");
        let services = spawn_with(engine, Options { settings: Some(wrong), ..Options::default() }).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        let event = serde_json::json!({
            "event": "opt_in", "kind": "opt_in", "reference": "r1", "user_msisdn": msisdn, "svc_id": MEME, "status": "confirmed",
        });
        assert_eq!(services.notify(crate::services::PULL, "m1", &event).await.status, 200);
        services.wait_for_charge(DAY, &msisdn, "failed").await;
        for _ in 0..4 {
            assert_eq!(services.pass(DAY).await, [1, 0, 1, 0, 0]);
        }
        assert_eq!(services.state_and_causes(&msisdn).await.0, "active");
    }

    async fn rejoin_after_midnight_charges_both_days(engine) {
        let services = spawn(engine).await;
        services.set_clocks("2060-02-27T23:30:00+02:00").await;
        let msisdn = number("1111");
        let browser = services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        browser.post("/api/subscribe/unsubscribe", &serde_json::json!({"svc_id": MEME})).await;
        eventually("the stop", async || services.count("outbox", "kind = 'stop' AND done_at IS NULL").await == 0).await;
        services.set_clocks("2060-02-28T00:00:01+02:00").await;
        services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(NEXT, &msisdn, "settled").await;
        for day in [DAY, NEXT] {
            services.assert_ledger_matches_network(day).await;
            assert_eq!(services.charges(day).await.len(), 1);
        }
        services.set_clocks(&morning(NEXT)).await;
        assert_eq!(services.pass(NEXT).await, [0, 0, 0, 0, 0]);
    }
}

//! The sandbox's special numbers: failures of charges, by the last four digits.

use testkit::on_each_engine;

use crate::{
    ledger::{DAY, NEXT, NOON, morning},
    services::{MEME, Options, eventually, number, spawn, spawn_with},
};

on_each_engine! {
    async fn unanswered_charge_fails_without_suspension(engine) {
        let short = |config: &mut subscription::Config| config.charge_timeout_ms = 1500;
        let services = spawn_with(engine, Options { settings: Some(short), ..Options::default() }).await;
        services.set_clocks(NOON).await;
        let msisdn = number("0004");
        services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "failed").await;
        services.set_clocks(&morning(NEXT)).await;
        for _ in 0..3 {
            let [due, charged, ..] = services.pass(NEXT).await;
            assert_eq!((due, charged), (1, 0));
            // Unknown at first, until the network answers that it does not know the key. A missing reply is no failure of the subscriber.
            let known = format!("day = '{NEXT}' AND status = 'failed' AND failures = 0");
            eventually("known", async || services.count("ledger", &known).await == 1).await;
        }
        assert_eq!(services.state_and_causes(&msisdn).await.0, "active");
        assert_eq!(services.charges(DAY).await.len() + services.charges(NEXT).await.len(), 0);
    }

    async fn unanswered_charge_is_reported_as_unknown(engine) {
        let short = |config: &mut subscription::Config| config.charge_timeout_ms = 6000;
        let services = spawn_with(engine, Options { settings: Some(short), ..Options::default() }).await;
        services.set_clocks(NOON).await;
        let msisdn = number("0004");
        services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "unknown").await;
        assert_eq!(services.state_and_causes(&msisdn).await.0, "active");
    }

    async fn lost_reply_is_queried_and_charged_once(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("0005");
        services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        services.set_clocks(&morning(NEXT)).await;
        assert_eq!(services.pass(NEXT).await, [1, 1, 0, 0, 0]);
        for day in [DAY, NEXT] {
            assert_eq!(services.charges(day).await.len(), 1);
            services.assert_ledger_matches_network(day).await;
        }
    }

    async fn busy_network_is_retried_in_later_passes(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("0006");
        services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "failed").await;
        assert_eq!(services.pass(DAY).await, [1, 0, 1, 0, 0]);
        assert_eq!(services.pass(DAY).await, [1, 1, 0, 0, 0]);
        services.assert_ledger_matches_network(DAY).await;
        assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed"]);
    }

    async fn claims_of_a_dead_process_are_queried(engine) {
        let short = |config: &mut subscription::Config| config.charge_timeout_ms = 3000;
        let services = spawn_with(engine, Options { settings: Some(short), ..Options::default() }).await;
        services.set_clocks(NOON).await;
        let (charged, unsent) = (number("1111"), number("2222"));
        for msisdn in [&charged, &unsent] {
            services.joined("memeworld", MEME, msisdn).await;
            services.wait_for_charge(DAY, msisdn, "settled").await;
        }
        // One charge that the network has made, and one that it never got.
        services.execute("UPDATE ledger SET status = 'pending', network_ref = NULL, claim = 'dead', sent_at = '2026-01-01 00:00:00'".to_owned()).await;
        let key = services.charge_of(DAY, &unsent).await.unwrap().key;
        services.execute_in_sandbox(format!("DELETE FROM charges WHERE charge_key = '{key}'")).await;
        for msisdn in [&charged, &unsent] {
            services.wait_for_charge(DAY, msisdn, "settled").await;
        }
        services.assert_ledger_matches_network(DAY).await;
        assert_eq!(services.charges(DAY).await.len(), 2);
    }
}

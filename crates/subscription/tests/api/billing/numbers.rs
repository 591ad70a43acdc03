//! The sandbox's numbers: what goes wrong with charges, by the last four digits.

use testkit::on_each_engine;

use crate::{
    books::{DAY, NEXT, NOON, morning},
    family::{MEME, Wishes, eventually, number, spawn, spawn_with},
};

on_each_engine! {
    async fn a_silent_charge_is_unknown_then_not_charged_and_suspends_nobody(engine) {
        let short = |config: &mut subscription::Config| config.charge_timeout_ms = 1500;
        let family = spawn_with(engine, Wishes { settings: Some(short), ..Wishes::default() }).await;
        family.move_clocks(NOON).await;
        let msisdn = number("0004");
        family.joined("memeworld", MEME, &msisdn).await;
        family.wait_for_charge(DAY, &msisdn, "failed").await;
        family.move_clocks(&morning(NEXT)).await;
        for _ in 0..3 {
            let [due, charged, ..] = family.pass(NEXT).await;
            assert_eq!((due, charged), (1, 0));
            // It was unknown first; the network says that it knows of none. No answer is no failure of the subscriber's.
            let known = format!("day = '{NEXT}' AND status = 'failed' AND failures = 0");
            eventually("known", async || family.count("ledger", &known).await == 1).await;
        }
        assert_eq!(family.life(&msisdn).await.0, "active");
        assert_eq!(family.charges(DAY).await.len() + family.charges(NEXT).await.len(), 0);
    }

    async fn a_silent_charge_is_shown_as_unknown(engine) {
        let short = |config: &mut subscription::Config| config.charge_timeout_ms = 6000;
        let family = spawn_with(engine, Wishes { settings: Some(short), ..Wishes::default() }).await;
        family.move_clocks(NOON).await;
        let msisdn = number("0004");
        family.joined("memeworld", MEME, &msisdn).await;
        family.wait_for_charge(DAY, &msisdn, "unknown").await;
        assert_eq!(family.life(&msisdn).await.0, "active");
    }

    async fn a_lost_reply_is_asked_for_and_charged_once(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        let msisdn = number("0005");
        family.joined("memeworld", MEME, &msisdn).await;
        family.wait_for_charge(DAY, &msisdn, "settled").await;
        family.move_clocks(&morning(NEXT)).await;
        assert_eq!(family.pass(NEXT).await, [1, 1, 0, 0, 0]);
        for day in [DAY, NEXT] {
            assert_eq!(family.charges(day).await.len(), 1);
            family.assert_books_agree(day).await;
        }
    }

    async fn a_busy_network_is_tried_again(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        let msisdn = number("0006");
        family.joined("memeworld", MEME, &msisdn).await;
        family.wait_for_charge(DAY, &msisdn, "failed").await;
        assert_eq!(family.pass(DAY).await, [1, 0, 1, 0, 0]);
        assert_eq!(family.pass(DAY).await, [1, 1, 0, 0, 0]);
        family.assert_books_agree(DAY).await;
        assert_eq!(family.life(&msisdn).await.1, ["joined", "confirmed"]);
    }

    async fn what_a_dead_process_had_claimed_is_asked_for(engine) {
        let short = |config: &mut subscription::Config| config.charge_timeout_ms = 3000;
        let family = spawn_with(engine, Wishes { settings: Some(short), ..Wishes::default() }).await;
        family.move_clocks(NOON).await;
        let (charged, unsent) = (number("1111"), number("2222"));
        for msisdn in [&charged, &unsent] {
            family.joined("memeworld", MEME, msisdn).await;
            family.wait_for_charge(DAY, msisdn, "settled").await;
        }
        // One that the network has charged, and one that it never heard of.
        family.execute("UPDATE ledger SET status = 'pending', network_ref = NULL, claim = 'dead', sent_at = '2026-01-01 00:00:00'".to_owned()).await;
        let key = family.charge_of(DAY, &unsent).await.unwrap().key;
        family.execute_at_sandbox(format!("DELETE FROM charges WHERE charge_key = '{key}'")).await;
        for msisdn in [&charged, &unsent] {
            family.wait_for_charge(DAY, msisdn, "settled").await;
        }
        family.assert_books_agree(DAY).await;
        assert_eq!(family.charges(DAY).await.len(), 2);
    }
}

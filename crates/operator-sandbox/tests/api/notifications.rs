//! No notification is lost: not while the other side is away, not over a restart.

use std::sync::atomic::Ordering;

use testkit::{eventually, on_each_engine};

use crate::network::{MEME, spawn, start};

on_each_engine! {
    async fn what_was_not_heard_is_sent_again_under_its_own_name(engine) {
        let network = spawn(engine).await;
        network.ear.deaf.store(true, Ordering::SeqCst);
        let reference = network.opt_in("0812341111", MEME, "opt_in").await;
        network.tap(&reference, "confirm").await;
        eventually("two refusals", async || network.ear.refused.lock().unwrap().len() >= 2).await;
        network.ear.deaf.store(false, Ordering::SeqCst);
        let heard = network.ear.hears(1).await;
        assert!(network.ear.refused.lock().unwrap().iter().all(|id| *id == heard[0].webhook_id));
    }

    async fn what_was_not_heard_survives_a_restart(engine) {
        let network = spawn(engine).await;
        network.ear.deaf.store(true, Ordering::SeqCst);
        let reference = network.opt_in("0812341111", MEME, "opt_in").await;
        network.tap(&reference, "confirm").await;
        network.running.stop().await;
        network.ear.deaf.store(false, Ordering::SeqCst);
        let _again = start(&network.place, network.ear_addr).await;
        // The postman of before may still be on its way: delivery is at least once, always under the one name.
        let heard = network.ear.hears_of().await;
        assert!(heard.iter().all(|one| one.webhook_id == heard[0].webhook_id));
    }
}

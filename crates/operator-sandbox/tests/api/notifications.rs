//! No notification is lost: not while the other side is away, not over a restart.

use std::sync::atomic::Ordering;

use testkit::{eventually, on_each_engine};

use crate::network::{MEME, spawn, start};

on_each_engine! {
    async fn a_failed_notification_is_sent_again_under_its_own_id(engine) {
        let network = spawn(engine).await;
        network.receiver.refusing.store(true, Ordering::SeqCst);
        let reference = network.opt_in("0812341111", MEME, "opt_in").await;
        network.tap(&reference, "confirm").await;
        eventually("two refusals", async || network.receiver.refused.lock().unwrap().len() >= 2).await;
        network.receiver.refusing.store(false, Ordering::SeqCst);
        let received = network.receiver.receives(1).await;
        assert!(network.receiver.refused.lock().unwrap().iter().all(|id| *id == received[0].webhook_id));
    }

    async fn a_failed_notification_survives_a_restart(engine) {
        let network = spawn(engine).await;
        network.receiver.refusing.store(true, Ordering::SeqCst);
        let reference = network.opt_in("0812341111", MEME, "opt_in").await;
        network.tap(&reference, "confirm").await;
        network.running.stop().await;
        network.receiver.refusing.store(false, Ordering::SeqCst);
        let _again = start(&network.place, network.receiver_addr).await;
        // The first process may still be sending: delivery is at least once, always under the same id.
        let received = network.receiver.receives_any().await;
        assert!(received.iter().all(|one| one.webhook_id == received[0].webhook_id));
    }
}

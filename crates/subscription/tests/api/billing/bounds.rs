//! Safety bounds: charges beyond them are parked, never sent.

use testkit::on_each_engine;

use crate::{
    ledger::{DAY, NOON},
    services::{MEME, Options, PULL, eventually, number, spawn_with},
};

on_each_engine! {
    async fn charges_beyond_the_number_bound_are_parked(engine) {
        let bound = |config: &mut subscription::Config| config.max_charges_per_number = 1;
        let services = spawn_with(engine, Options { settings: Some(bound), ..Options::default() }).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        services.joined("mcfunny", 148, &msisdn).await;
        eventually("parked", async || services.count("ledger", "reason LIKE 'parked%' AND status = 'pending' AND claim IS NULL").await == 1).await;
        assert_eq!(services.pass(DAY).await, [1, 0, 0, 0, 1]);
        assert_eq!(services.charges(DAY).await.len(), 1);
        assert_eq!(services.account(&msisdn).await["subscriptions"][0]["state"], "active");
    }

    async fn charges_beyond_the_hourly_bound_are_parked(engine) {
        let bound = |config: &mut subscription::Config| config.max_charges_per_hour = 30;
        let services = spawn_with(engine, Options { settings: Some(bound), ..Options::default() }).await;
        services.set_clocks(NOON).await;
        services.make_active(MEME, PULL, 50, "2060-02-26 10:00:00").await;
        assert_eq!(services.pass(DAY).await, [50, 30, 0, 0, 20]);
        assert_eq!(services.pass(DAY).await, [20, 0, 0, 0, 20]);
        assert_eq!(services.charges(DAY).await.len(), 30);
        // The next hour has a new bound.
        services.set_clocks("2060-02-27T13:00:00+02:00").await;
        assert_eq!(services.pass(DAY).await, [20, 20, 0, 0, 0]);
        services.assert_ledger_matches_network(DAY).await;
    }
}

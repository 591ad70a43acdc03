//! Safety bounds: what is beyond them is parked, never charged.

use testkit::on_each_engine;

use crate::{
    books::{DAY, NOON},
    family::{MEME, PULL, Wishes, eventually, number, spawn_with},
};

on_each_engine! {
    async fn a_number_has_a_bound_a_day(engine) {
        let bound = |config: &mut subscription::Config| config.max_charges_per_number = 1;
        let family = spawn_with(engine, Wishes { settings: Some(bound), ..Wishes::default() }).await;
        family.move_clocks(NOON).await;
        let msisdn = number("1111");
        family.joined("memeworld", MEME, &msisdn).await;
        family.wait_for_charge(DAY, &msisdn, "settled").await;
        family.joined("mcfunny", 148, &msisdn).await;
        eventually("parked", async || family.count("ledger", "reason LIKE 'parked%' AND status = 'pending' AND claim IS NULL").await == 1).await;
        assert_eq!(family.pass(DAY).await, [1, 0, 0, 0, 1]);
        assert_eq!(family.charges(DAY).await.len(), 1);
        assert_eq!(family.account(&msisdn).await["subscriptions"][0]["state"], "active");
    }

    async fn a_network_has_a_bound_an_hour(engine) {
        let bound = |config: &mut subscription::Config| config.max_charges_per_hour = 30;
        let family = spawn_with(engine, Wishes { settings: Some(bound), ..Wishes::default() }).await;
        family.move_clocks(NOON).await;
        family.make_active(MEME, PULL, 50, "2060-02-20 10:00:00").await;
        assert_eq!(family.pass(DAY).await, [50, 30, 0, 0, 20]);
        assert_eq!(family.pass(DAY).await, [20, 0, 0, 0, 20]);
        assert_eq!(family.charges(DAY).await.len(), 30);
        // An hour later there is room again.
        family.move_clocks("2060-02-27T13:00:00+02:00").await;
        assert_eq!(family.pass(DAY).await, [20, 20, 0, 0, 0]);
        family.assert_books_agree(DAY).await;
    }
}

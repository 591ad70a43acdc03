//! What the numbers that end in 0008 to 0012 do.

use serde_json::json;
use testkit::on_each_engine;

use crate::network::{DAY, MEME, TT, charge_request, spawn};

on_each_engine! {
    async fn a_number_in_0008_is_charged_twice_a_day(engine) {
        let network = spawn(engine).await;
        network.joined("0812340008", TT).await;
        network.receiver.receives(3).await;
        assert_eq!(network.run_day(DAY).await, [1, 1, 0]);
        network.receiver.receives(6).await;
        assert_eq!(network.charges(DAY).await.len(), 2);
    }

    async fn a_number_in_0009_is_refused_from_the_second_day_on(engine) {
        testkit::away_from_midnight().await;
        let network = spawn(engine).await;
        let reference = network.opt_in("0812340009", MEME, "opt_in").await;
        network.tap(&reference, "confirm").await;
        let active = async || network.client().get_ok(&format!("/opt-ins/{reference}")).await["active"].clone();
        let mut today = charge_request("k1", "27812340009");
        today["day"] = json!(chrono::Utc::now().with_timezone(&operator::JOHANNESBURG).date_naive().to_string());
        assert_eq!(network.client().post("/charges", &today).await.json()["outcome"], "charged");
        assert_eq!(network.charge("k2", "27812340009").await.json()["outcome"], "refused");
        assert_eq!(active().await, true);
        let later = json!({"now": "2031-05-31T12:00:00+02:00"});
        assert_eq!(network.client().post_as_admin("/internal/clock", &later).await.status, 200);
        assert_eq!(active().await, false);
    }

    async fn a_number_in_0010_gets_a_new_id_at_each_confirmation(engine) {
        let network = spawn(engine).await;
        let mut ids = Vec::new();
        for _ in 0..2 {
            let reference = network.opt_in("0812340010", MEME, "opt_in").await;
            network.tap(&reference, "confirm").await;
            let opt_in = network.client().get_ok(&format!("/opt-ins/{reference}")).await;
            assert_eq!(opt_in["active"], true);
            ids.push(opt_in["network_subscription_id"].clone());
        }
        assert_ne!(ids[0], ids[1]);
        assert_eq!(network.charge("k1", "27812340010").await.json()["outcome"], "charged");
    }

    async fn a_refund_to_a_number_in_0011_is_refused(engine) {
        let network = spawn(engine).await;
        network.joined("0812340011", MEME).await;
        network.charge("k1", "27812340011").await;
        let refund = json!({"key": "r1", "charge_key": "k1", "msisdn": "27812340011", "svc_id": MEME, "cents": 300, "reason": "asked"});
        assert_eq!(network.client().post("/refunds", &refund).await.status, 422);
        assert_eq!(network.client().get_ok(&format!("/refunds?day={DAY}")).await, json!([]));
    }

    async fn an_sms_to_a_number_in_0012_is_refused(engine) {
        let network = spawn(engine).await;
        let sms = json!({"key": "m1", "msisdn": "27812340012", "svc_id": MEME, "text": "Hello"});
        assert_eq!(network.client().post("/messages", &sms).await.status, 422);
        let page = String::from_utf8(network.client().get("/inbox/27812340012").await.bytes).unwrap();
        assert!(page.contains("No messages yet"));
    }
}

//! What was really charged.

use serde_json::Value;
use testkit::on_each_engine;

use crate::network::{MEME, TT, spawn};

on_each_engine! {
    async fn a_push_network_charges_the_first_day_once(engine) {
        let network = spawn(engine).await;
        let day = chrono::Utc::now().with_timezone(&operator::JOHANNESBURG).date_naive().to_string();
        for _ in 0..2 {
            let reference = network.opt_in("0812341111", TT, "opt_in").await;
            network.tap(&reference, "confirm").await;
            let reference = network.opt_in("0812341111", TT, "leave").await;
            network.tap(&reference, "confirm").await;
        }
        let charges = network.client().get_ok(&format!("/charges?day={day}")).await;
        let charges = charges.as_array().unwrap();
        assert_eq!(charges.len(), 1);
        let charge = &charges[0];
        assert_eq!((charge["msisdn"].as_str(), charge["svc_id"].as_i64()), (Some("27812341111"), Some(152)));
        assert_eq!((charge["cents"].as_i64(), charge["day"].as_str()), (Some(300), Some(day.as_str())));
        assert!(charge["key"].is_string() && charge["at"].is_string());
    }

    async fn nothing_is_charged_that_should_not_be(engine) {
        let network = spawn(engine).await;
        let day = chrono::Utc::now().with_timezone(&operator::JOHANNESBURG).date_naive().to_string();
        // A pull network waits to be asked; a penniless number has nothing; a declined one owes nothing.
        for (msisdn, svc_id) in [("0812341111", MEME), ("0812340003", TT), ("0812340002", TT)] {
            let reference = network.opt_in(msisdn, svc_id, "opt_in").await;
            network.tap(&reference, "confirm").await;
        }
        assert_eq!(network.client().get_ok(&format!("/charges?day={day}")).await, Value::Array(vec![]));
        let heard = network.ear.hears(4).await;
        assert!(heard.iter().any(|one| one.body["result_name"] == "INSUFFICIENT_FUNDS"));
        assert_eq!(network.client().get("/charges?day=today").await.status, 422);
        assert_eq!(network.client().get("/charges").await.status, 400);
    }
}

//! What a push network charges by itself: the first day, and every day that `/run-day` names.

use serde_json::{Value, json};
use store::Db;
use testkit::on_each_engine;

use crate::network::{DAY, MEME, TT, spawn};

fn is_billing(body: &Value) -> bool {
    !body["billing_ref"].is_null()
}

fn today() -> String {
    chrono::Utc::now().with_timezone(&operator::JOHANNESBURG).date_naive().to_string()
}

on_each_engine! {
    async fn the_first_day_is_charged_once(engine) {
        testkit::away_from_midnight().await;
        let network = spawn(engine).await;
        for _ in 0..2 {
            network.joined("0812341111", TT).await;
            let reference = network.opt_in("0812341111", TT, "leave").await;
            network.tap(&reference, "confirm").await;
        }
        let charges = network.charges(&today()).await;
        assert_eq!(charges.len(), 1);
        let charge = &charges[0];
        assert_eq!((charge["msisdn"].as_str(), charge["svc_id"].as_i64()), (Some("27812341111"), Some(152)));
        assert_eq!((charge["cents"].as_i64(), charge["day"].as_str()), (Some(300), Some(today().as_str())));
        assert_eq!(network.run_day(&today()).await, [0, 0, 0], "a subscriber who has left is not billed");
    }

    async fn push_charges_only_active_subscriptions(engine) {
        testkit::away_from_midnight().await;
        let network = spawn(engine).await;
        // A pull network waits to be asked; a number without airtime has nothing; a declined one owes nothing.
        for (msisdn, svc_id) in [("0812341111", MEME), ("0812340003", TT), ("0812340002", TT)] {
            network.joined(msisdn, svc_id).await;
        }
        assert_eq!(network.charges(&today()).await, [] as [Value; 0]);
        let received = network.receiver.receives(4).await;
        assert!(received.iter().any(|one| one.body["result_name"] == "INSUFFICIENT_FUNDS"));
    }

    async fn a_day_is_run_once_for_each_subscriber(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", TT).await;
        network.joined("0812342222", TT).await;
        network.joined("0812342222", 153).await;
        network.joined("0812343333", MEME).await;
        network.receiver.receives(7).await;
        assert_eq!(network.run_day(DAY).await, [3, 3, 0]);
        assert_eq!(network.run_day(DAY).await, [0, 0, 0]);
        assert_eq!(network.charges(DAY).await.len(), 3);
        let received = network.receiver.receives(13).await.split_off(7);
        assert!(received.iter().all(|one| one.network == "sandbox-push"));
        let billing: Vec<_> = received.iter().filter(|one| is_billing(&one.body)).collect();
        assert_eq!(billing.len(), 3);
        for event in billing {
            let (body, subscription) = (&event.body, &event.body["subscription"]);
            assert_eq!((body["amount"].as_i64(), body["result_name"].as_str()), (Some(300), Some("SUCCESS")));
            let at = chrono::DateTime::parse_from_rfc3339(body["billed_at"].as_str().unwrap()).unwrap();
            assert_eq!(at.with_timezone(&operator::JOHANNESBURG).date_naive().to_string(), DAY);
            assert_eq!((subscription["status_id"].as_i64(), &subscription["last_billed_at"]), (Some(2), &body["billed_at"]));
            let listed = network.client().get_ok(&format!("/charges/{}", body["billing_ref"].as_str().unwrap())).await;
            assert_eq!(listed["outcome"], "charged", "the event names the charge of the list");
        }
    }

    async fn a_day_before_any_opt_in_bills_no_subscriber(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", TT).await;
        assert_eq!(network.run_day("2020-01-01").await, [0, 0, 0]);
        assert_eq!(network.client().post("/run-day", &json!({"day": "yesterday"})).await.status, 422);
        assert_eq!(network.client().post("/run-day", &json!({})).await.status, 400);
    }

    async fn a_number_in_0003_fails_every_time_with_an_event(engine) {
        let network = spawn(engine).await;
        network.joined("0812340003", TT).await;
        for _ in 0..2 {
            assert_eq!(network.run_day(DAY).await, [1, 0, 1]);
        }
        let received = network.receiver.receives(6).await;
        let refs: std::collections::BTreeSet<_> =
            received.iter().filter_map(|one| one.body["billing_ref"].as_str()).collect();
        assert_eq!(refs.len(), 3, "each try has a name of its own");
        assert!(received.iter().filter(|one| is_billing(&one.body)).all(|one| one.body["result_name"] == "INSUFFICIENT_FUNDS"));
        assert_eq!(network.charges(DAY).await, [] as [Value; 0]);
    }

    async fn a_number_in_0004_is_never_charged_and_has_no_event(engine) {
        let network = spawn(engine).await;
        network.joined("0812340004", TT).await;
        for _ in 0..2 {
            assert_eq!(network.run_day(DAY).await, [1, 0, 1]);
        }
        assert!(!is_billing(&network.receiver.receives(1).await[0].body));
        assert_eq!(network.charges(DAY).await, [] as [Value; 0]);
    }

    async fn a_number_in_0005_is_charged_and_its_event_comes_again(engine) {
        let network = spawn(engine).await;
        network.joined("0812340005", TT).await;
        let billing = || network.receiver.received().into_iter().find(|one| is_billing(&one.body)).map(|one| one.webhook_id);
        testkit::eventually("the event again", async || billing().is_some_and(|name| network.receiver.arrivals(&name) > 1)).await;
        assert_eq!(network.run_day(DAY).await, [1, 1, 0]);
        assert_eq!(network.charges(DAY).await.len(), 1);
    }

    async fn a_number_in_0006_fails_twice_a_day_without_an_event(engine) {
        let network = spawn(engine).await;
        network.joined("0812340006", TT).await;
        network.receiver.receives(1).await;
        for expected in [[1, 0, 1], [1, 0, 1], [1, 1, 0], [0, 0, 0]] {
            assert_eq!(network.run_day(DAY).await, expected);
        }
        assert_eq!(network.charges(DAY).await.len(), 1);
        assert!(network.receiver.receives(3).await.iter().any(|one| one.body["result_name"] == "SUCCESS"));
    }

    async fn a_number_in_0007_gets_events_twice_and_out_of_order(engine) {
        let network = spawn(engine).await;
        network.joined("0812340007", TT).await;
        network.receiver.receives(4).await;
        assert_eq!(network.run_day(DAY).await, [1, 1, 0]);
        let received = network.receiver.receives(8).await.split_off(4);
        assert_eq!(received.iter().map(|one| is_billing(&one.body)).collect::<Vec<_>>(), [true, false, true, false]);
        assert_eq!(received[0].body["amount"], "300");
        assert_eq!(network.charges(DAY).await.len(), 1);
    }

    async fn a_day_of_many_pages_bills_each_subscriber(engine) {
        let network = spawn(engine).await;
        let db = Db::open(&network.place.config, operator_sandbox::OWNER, operator_sandbox::MIGRATIONS).await.unwrap();
        db.write(|conn| {
            use diesel::RunQueryDsl;
            let rows: Vec<String> = (0..1234)
                .map(|n| format!("('sandbox-push', '2783{n:07}', 152, '', '2026-01-01 00:00:00')"))
                .collect();
            let insert = "INSERT INTO subscriptions (network, msisdn, svc_id, ext_ref, started_at) VALUES ";
            diesel::sql_query(format!("{insert}{}", rows.join(","))).execute(conn)?;
            Ok::<_, store::Error>(())
        })
        .await
        .unwrap();
        let [due, charged, failed] = network.run_day(DAY).await;
        assert_eq!((due, charged + failed), (1234, 1234));
        assert_eq!(failed, 3, "0003, 0004 and 0006");
        assert_eq!(u64::try_from(network.charges(DAY).await.len()).unwrap(), charged + 1, "0008 twice");
        assert_eq!(network.run_day(DAY).await, [3, 0, 3]);
        assert_eq!(network.run_day(DAY).await, [3, 1, 2]);
    }
}

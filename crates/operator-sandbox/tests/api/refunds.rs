//! What is given back.

use serde_json::{Value, json};
use testkit::on_each_engine;

use crate::network::{DAY, MEME, spawn};

fn refund(key: &str, charge_key: &str, cents: i64) -> Value {
    json!({"key": key, "charge_key": charge_key, "msisdn": "27812341111", "svc_id": MEME, "cents": cents, "reason": "asked"})
}

on_each_engine! {
    async fn a_refund_is_made_once(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        network.charge("k1", "27812341111").await;
        let first = network.client().post("/refunds", &refund("r1", "k1", 300)).await;
        assert_eq!((first.status, first.json()["key"].as_str()), (200, Some("r1")));
        assert!(first.json()["network_ref"].is_string() && first.json()["at"].is_string());
        assert_eq!(network.client().post("/refunds", &refund("r1", "k1", 300)).await.json(), first.json());
        let listed = network.client().get_ok(&format!("/refunds?day={DAY}")).await;
        let expected = json!([{
            "key": "r1", "charge_key": "k1", "msisdn": "27812341111", "svc_id": MEME, "cents": 300, "reason": "asked",
            "day": DAY, "at": listed[0]["at"],
        }]);
        assert_eq!(listed, expected);
        assert_eq!(network.charges(DAY).await.len(), 1, "that it was charged stays true");
    }

    async fn never_more_than_was_charged_is_given_back(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        network.charge("k1", "27812341111").await;
        assert_eq!(network.client().post("/refunds", &refund("r1", "k1", 301)).await.status, 422);
        let client = network.client();
        let halves: Vec<_> = (0..5)
            .map(|n| {
                let (client, half) = (client.clone(), refund(&format!("half-{n}"), "k1", 150));
                actix_web::rt::spawn(async move { client.post("/refunds", &half).await.status })
            })
            .collect();
        let mut statuses = Vec::new();
        for half in halves {
            statuses.push(half.await.unwrap());
        }
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 200, 422, 422, 422]);
    }

    async fn invalid_requests_are_refused(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        for key in ["k1", "k2"] {
            network.charge(key, "27812341111").await;
        }
        assert_eq!(network.client().post("/refunds", &refund("r1", "never", 300)).await.status, 404);
        assert_eq!(network.client().post("/refunds", &refund("r1", "k1", 100)).await.status, 200);
        assert_eq!(network.client().post("/refunds", &refund("r1", "k2", 100)).await.status, 422, "one key, one refund");
        for (field, value) in [
            ("key", json!("")),
            ("cents", json!(0)),
            ("msisdn", json!("27812342222")),
            ("svc_id", json!(148)),
            ("reason", json!("two\nlines")),
        ] {
            let mut body = refund("r2", "k1", 100);
            body[field] = value;
            assert_eq!(network.client().post("/refunds", &body).await.status, 422, "{field}");
        }
        assert_eq!(network.client().get("/refunds?day=today").await.status, 422);
        assert_eq!(network.client().get_ok("/refunds?day=2020-01-01").await, json!([]));
    }
}

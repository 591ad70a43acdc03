//! Faults on request: outages, and replies that get lost.

use serde_json::json;
use testkit::on_each_engine;

use crate::network::{DAY, MEME, TT, charge_request, spawn};

on_each_engine! {
    async fn in_an_outage_every_call_answers_503(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        assert_eq!(network.client().post("/internal/outage", &json!({"seconds": 600})).await.status, 401);
        assert_eq!(network.client().post_as_admin("/internal/outage", &json!({"seconds": 600})).await.status, 204);
        let charge = network.charge("k1", "27812341111").await;
        assert_eq!((charge.status, charge.header("content-type")), (503, "application/problem+json"));
        for path in ["/charges?day=2031-05-31", "/charges/k1", "/opt-ins/x", "/inbox/0812341111", "/"] {
            assert_eq!(network.client().get(path).await.status, 503, "{path}");
        }
        assert_eq!(network.client().get("/readyz").await.status, 200, "the process itself is well");
        assert_eq!(network.client().post_as_admin("/internal/outage", &json!({"seconds": 0})).await.status, 204);
        assert_eq!(network.client().get("/charges/k1").await.status, 404, "nothing was done meanwhile");
        assert_eq!(network.charge("k1", "27812341111").await.json()["outcome"], "charged");
    }

    async fn a_lost_reply_is_lost_after_the_work_was_done(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        network.joined("0812341111", TT).await;
        network.receiver.receives(3).await;
        let all = json!({"lose_replies_percent": 100, "seed": 7});
        assert_eq!(network.client().post("/internal/chaos", &all).await.status, 401);
        assert_eq!(network.client().post_as_admin("/internal/chaos", &all).await.json(), all);
        assert_eq!(network.charge_raw("k1", "27812341111").await, b"");
        let stop = json!({"msisdn": "27812341111", "svc_id": TT, "network_subscription_id": "2"});
        for (path, body) in [("/stops", &stop), ("/charges", &charge_request("k2", "27812341111"))] {
            let request = network.client().request(reqwest::Method::POST, path).json(body);
            assert!(request.send().await.is_err(), "{path}");
        }
        // Of notifications the other side's answer gets lost, so they come again under their own names.
        testkit::eventually("the same again", async || {
            network.receiver.received().iter().any(|one| network.receiver.arrivals(&one.webhook_id) > 1)
        })
        .await;
        let none = network.client().post_as_admin("/internal/chaos", &json!({"lose_replies_percent": 0})).await;
        assert!(none.json()["seed"].is_u64());
        assert_eq!(network.charges(DAY).await.len(), 2);
        assert_eq!(network.charge("k1", "27812341111").await.json()["outcome"], "charged");
        let stopped = async || network.receiver.received().iter().any(|one| one.body["status_id"] == 8);
        testkit::eventually("the notification of the stop, whose reply was lost", stopped).await;
        let too_many = network.client().post_as_admin("/internal/chaos", &json!({"lose_replies_percent": 101})).await;
        assert_eq!(too_many.status, 422);
    }
}

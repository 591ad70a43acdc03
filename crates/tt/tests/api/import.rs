//! `/internal/imports`.

use serde_json::json;

use crate::{manifest, spawn_app};

testkit::on_each_engine! {
    async fn import_of_the_same_manifest_changes_nothing(engine) {
        let app = spawn_app(engine).await;
        assert_eq!(app.import(&manifest("ttmbhatv")).await, [10, 0, 0]);
        assert_eq!(app.import(&manifest("ttmbhatv")).await, [0, 0, 0], "the same again has nothing to send");
        let mut edited = manifest("ttmbhatv");
        edited["digest"] = json!("b");
        assert_eq!(app.import(&edited).await, [0, 0, 10]);
        edited["digest"] = json!("c");
        edited["banners"][0]["video"] = json!(null);
        assert_eq!(app.import(&edited).await, [0, 1, 9]);
        let banners = app.client.get_ok("/api/tt/banners/ttmbhatv").await;
        assert_eq!(banners[0]["videoid"], json!(null));
    }

    async fn import_once_works_for_each_service_separately(engine) {
        let app = spawn_app(engine).await;
        for service in ["ttmbhatv", "raceday"] {
            let mut pack = manifest(service);
            pack["once"] = json!(true);
            assert_eq!(app.import(&pack).await, [10, 0, 0], "{service}");
            pack["categories"][0]["category_name"] = json!("Undone");
            assert_eq!(app.import(&pack).await, [0, 0, 0], "{service}");
        }
    }

    async fn import_with_a_banner_of_unknown_video_changes_nothing(engine) {
        let app = spawn_app(engine).await;
        let mut bad = manifest("ttmbhatv");
        bad["banners"][1]["video"] = json!("not-there");
        let reply = app.client.import(&bad).await.unwrap_err();
        assert_eq!(reply.status, 422);
        assert!(reply.json()["error_message"].as_str().unwrap().contains("not-there"));
        assert_eq!(app.client.get_ok("/api/tt/getCategory/ttmbhatv").await, json!([]));
    }

    async fn import_changes_nothing_before_apply(engine) {
        let app = spawn_app(engine).await;
        let post = async |path: String, body: serde_json::Value| app.client.post_as_admin(&path, &body).await;
        let opened = post("/internal/imports".to_owned(), json!({"service": "ttmbhatv", "digest": "x"})).await.json();
        let import = format!("/internal/imports/{}", opened["import"]);
        let records = json!({"categories": [{"place": 1, "slug": "a", "category_name": "A"}], "banners": [{"place": 2, "slug": "b", "title": "B", "image": "https://images.spaza.example/a.webp"}]});
        assert_eq!(post(format!("{import}/records"), records).await.json(), json!({"accepted": 2}));
        let check = post(format!("{import}/check"), json!({"records": 2})).await.json();
        assert_eq!((&check["faults"], &check["changes"][0]["added_names"]), (&json!([]), &json!(["a"])));
        assert_eq!(app.client.get_ok("/api/tt/getCategory/ttmbhatv").await, json!([]));
        let applied = post(format!("{import}/apply"), json!({"records": 2})).await.json();
        assert_eq!(applied[0]["added"], 1);
        assert_eq!(app.client.get_ok("/api/tt/getCategory/ttmbhatv").await.as_array().unwrap().len(), 1);
        let again = post("/internal/imports".to_owned(), json!({"service": "ttmbhatv", "digest": "x"})).await.json();
        assert_eq!(again["import"], json!(null), "the same again has nothing to send");
        let other = post("/internal/imports".to_owned(), json!({"service": "ttmbhatv", "digest": "y"})).await.json();
        let drop = app.client.request("DELETE".parse().unwrap(), &format!("/internal/imports/{}", other["import"]));
        assert_eq!(app.client.send(drop.bearer_auth(testkit::ADMIN_TOKEN)).await.status, 204);
        let order = json!({"service": "ttmbhatv", "kind": "category", "record": "a", "state": "unlisted", "who": "me", "reason": "why"});
        assert_eq!(post("/internal/take-downs".to_owned(), order).await.json()["to_state"], "unlisted");
        assert_eq!(app.client.get_ok("/api/tt/getCategory/ttmbhatv").await, json!([]));
        let log = app.client.request("GET".parse().unwrap(), "/internal/take-downs?service=ttmbhatv");
        assert_eq!(app.client.send(log.bearer_auth(testkit::ADMIN_TOKEN)).await.json()[0]["reason"], "why");
    }
}

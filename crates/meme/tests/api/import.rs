//! `/internal/imports`.

use serde_json::json;

use crate::{ANI, SVC_ID, manifest, spawn_app};

testkit::on_each_engine! {
    async fn import_of_the_same_manifest_changes_nothing_and_keeps_likes(engine) {
        let app = spawn_app(engine).await;
        assert_eq!(app.import(&manifest("a", 3)).await, [5, 0, 0]);
        let id = app.meme_ids().await[0];
        app.client.with_session(SVC_ID, ANI).post("/api/meme/postlike", &json!({"id": id})).await;
        assert_eq!(app.import(&manifest("a", 3)).await, [0, 0, 0], "the same again has nothing to send");
        assert_eq!(app.import(&manifest("b", 3)).await, [0, 0, 5]);
        let mut edited = manifest("c", 3);
        edited["categories"][0]["memes"][0]["title"] = json!("Stage 6");
        assert_eq!(app.import(&edited).await, [0, 1, 4]);
        let category = app.category_id("Load shedding").await;
        let memes = app.client.get_ok(&format!("/api/meme/getMemeValue/{category}")).await;
        assert_eq!((memes["memeData"][0]["title"].as_str(), memes["memeData"][0]["likes"].as_i64()), (Some("Stage 6"), Some(1)));
    }

    async fn import_rejects_images_without_https(engine) {
        let app = spawn_app(engine).await;
        let mut bad = manifest("a", 2);
        bad["categories"][0]["memes"][1]["image"] = json!("http://images.spaza.example/x.webp");
        assert_eq!(app.client.import(&bad).await.unwrap_err().status, 422);
        assert_eq!(app.client.get_ok("/api/meme/random").await, json!([]));
        assert_eq!(app.client.post("/internal/imports", &json!({"service": "memeworld", "digest": "a"})).await.status, 401);
    }

    async fn import_changes_nothing_before_apply(engine) {
        let app = spawn_app(engine).await;
        let post = async |path: String, body: serde_json::Value| app.client.post_as_admin(&path, &body).await;
        let opened = post("/internal/imports".to_owned(), json!({"service": "memeworld", "digest": "x"})).await.json();
        let import = format!("/internal/imports/{}", opened["import"]);
        let records = json!({"categories": [{"place": 1, "slug": "a", "name": "A"}], "memes": [{"place": 2, "slug": "m", "parent": "a", "title": "M", "image": "https://images.spaza.example/a.webp", "created_at": "2026-03-05 18:30:00"}]});
        assert_eq!(post(format!("{import}/records"), records).await.json(), json!({"accepted": 2}));
        let check = post(format!("{import}/check"), json!({"records": 2})).await.json();
        assert_eq!((&check["faults"], &check["changes"][0]["added_names"]), (&json!([]), &json!(["a"])));
        assert_eq!(app.client.get_ok("/api/meme/getMemeCategories").await, json!([]));
        let applied = post(format!("{import}/apply"), json!({"records": 2})).await.json();
        assert_eq!(applied[0]["added"], 1);
        assert_eq!(app.client.get_ok("/api/meme/getMemeCategories").await.as_array().unwrap().len(), 1);
        let again = post("/internal/imports".to_owned(), json!({"service": "memeworld", "digest": "x"})).await.json();
        assert_eq!(again["import"], json!(null), "the same again has nothing to send");
        let other = post("/internal/imports".to_owned(), json!({"service": "memeworld", "digest": "y"})).await.json();
        let drop = app.client.request("DELETE".parse().unwrap(), &format!("/internal/imports/{}", other["import"]));
        assert_eq!(app.client.send(drop.bearer_auth(testkit::ADMIN_TOKEN)).await.status, 204);
        for (path, order) in [
            ("/internal/imports", json!({"service": "memeworld", "digest": "a\0b"})),
            ("/internal/take-downs", json!({"service": "memeworld", "kind": "category", "record": "a\0", "state": "unlisted", "who": "me", "reason": "why"})),
            ("/internal/take-downs", json!({"service": "memeworld", "kind": "category", "record": "a", "state": "unlisted", "who": "me", "reason": "wh\0y"})),
        ] {
            let refused = post(path.to_owned(), order).await;
            assert_eq!((refused.status, refused.header("content-type")), (422, "application/problem+json"), "{path}");
        }
        let order = json!({"service": "memeworld", "kind": "category", "record": "a", "state": "unlisted", "who": "me", "reason": "why"});
        assert_eq!(post("/internal/take-downs".to_owned(), order).await.json()["to_state"], "unlisted");
        assert_eq!(app.client.get_ok("/api/meme/getMemeCategories").await, json!([]));
        let log = app.client.request("GET".parse().unwrap(), "/internal/take-downs?service=memeworld");
        assert_eq!(app.client.send(log.bearer_auth(testkit::ADMIN_TOKEN)).await.json()[0]["reason"], "why");
    }
}

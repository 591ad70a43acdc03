//! `/internal/import`.

use serde_json::json;

use crate::{ANI, SVC_ID, manifest, spawn_app};

testkit::on_each_engine! {
    async fn the_same_manifest_twice_changes_nothing_and_likes_stay(engine) {
        let app = spawn_app(engine).await;
        assert_eq!(app.import(&manifest("a", 3)).await, json!({"added": 5, "changed": 0, "unchanged": 0}));
        let id = app.meme_ids().await[0];
        app.client.with_session(SVC_ID, ANI).post("/api/meme/postlike", &json!({"id": id})).await;
        assert_eq!(app.import(&manifest("a", 3)).await, json!({"added": 0, "changed": 0, "unchanged": 5}));
        let mut edited = manifest("b", 3);
        edited["categories"][0]["memes"][0]["title"] = json!("Stage 6");
        assert_eq!(app.import(&edited).await, json!({"added": 0, "changed": 1, "unchanged": 4}));
        let category = app.category_id("Load shedding").await;
        let memes = app.client.get_ok(&format!("/api/meme/getMemeValue/{category}")).await;
        assert_eq!((memes["memeData"][0]["title"].as_str(), memes["memeData"][0]["likes"].as_i64()), (Some("Stage 6"), Some(1)));
    }

    async fn only_https_memes_are_stored(engine) {
        let app = spawn_app(engine).await;
        let mut bad = manifest("a", 2);
        bad["categories"][0]["memes"][1]["image"] = json!("http://images.spaza.example/x.webp");
        assert_eq!(app.client.post_as_admin("/internal/import", &bad).await.status, 422);
        assert_eq!(app.client.get_ok("/api/meme/random").await, json!([]));
        assert_eq!(app.client.post("/internal/import", &manifest("a", 1)).await.status, 401);
    }
}

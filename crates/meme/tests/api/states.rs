//! Hidden and deleted memes.

use serde_json::{Value, json};

use crate::{ANI, App, SVC_ID, manifest, spawn_app};

/// Three memes: the first listed, the second unlisted, the third deleted.
fn with_states(digest: &str, states: [&str; 3]) -> Value {
    let mut manifest = manifest(digest, 3);
    for (number, state) in states.into_iter().enumerate() {
        manifest["categories"][0]["memes"][number]["state"] = json!(state);
    }
    manifest
}

async fn random_ids(app: &App) -> Vec<i64> {
    let random_ids = app.client.get_ok("/api/meme/random").await;
    random_ids.as_array().unwrap().iter().map(|meme| meme["id"].as_i64().unwrap()).collect()
}

testkit::on_each_engine! {
    async fn only_listed_memes_are_in_lists_and_random(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 3)).await;
        let ids = app.meme_ids().await;
        assert_eq!(random_ids(&app).await.len(), 3);
        assert_eq!(app.import(&with_states("b", ["listed", "unlisted", "deleted"])).await[1], 2);
        // Immediately, although the cached ids may be a second old.
        for _ in 0..20 {
            assert_eq!(random_ids(&app).await, [ids[0]]);
        }
        assert_eq!(app.meme_ids().await, [ids[0]]);
    }

    async fn like_of_unlisted_meme_is_200_and_of_deleted_404(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 3)).await;
        let ids = app.meme_ids().await;
        app.import(&with_states("b", ["listed", "unlisted", "deleted"])).await;
        let client = app.client.with_session(SVC_ID, ANI);
        for (id, status) in [(ids[0], 200), (ids[1], 200), (ids[2], 404)] {
            assert_eq!(client.post("/api/meme/postlike", &json!({"id": id})).await.status, status);
            assert_eq!(client.delete("/api/meme/unlike", &json!({"meme_id": id})).await.status, status);
        }
    }

    async fn like_of_meme_in_deleted_category_is_404(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 1)).await;
        let id = app.meme_ids().await[0];
        let mut without = manifest("b", 1);
        without["categories"][0]["state"] = json!("deleted");
        app.import(&without).await;
        let client = app.client.with_session(SVC_ID, ANI);
        assert_eq!(client.post("/api/meme/postlike", &json!({"id": id})).await.status, 404);
    }

    async fn deleted_meme_can_be_listed_again(engine) {
        let app = spawn_app(engine).await;
        app.import(&with_states("a", ["deleted", "deleted", "deleted"])).await;
        assert!(random_ids(&app).await.is_empty());
        app.import(&with_states("b", ["listed", "unlisted", "deleted"])).await;
        tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        assert_eq!(random_ids(&app).await, app.meme_ids().await);
        assert_eq!(random_ids(&app).await.len(), 1);
    }

    async fn import_with_unknown_state_is_rejected(engine) {
        let app = spawn_app(engine).await;
        let bad = with_states("a", ["listed", "hidden", "deleted"]);
        assert_eq!(app.client.import(&bad).await.unwrap_err().status, 400);
    }
}

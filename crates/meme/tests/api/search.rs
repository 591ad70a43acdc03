//! `search/{service}`.

use serde_json::json;

use crate::{ANI, SVC_ID, manifest, spawn_app};

testkit::on_each_engine! {
    async fn search_matches_title_and_category(engine) {
        let app = spawn_app(engine).await;
        let mut library = manifest("a", 3);
        library["categories"][0]["memes"][1]["title"] = json!("When the lights come back");
        app.import(&library).await;
        let category = app.client.get_ok("/api/meme/getMemeCategories").await[0]["id"].clone();
        let memes = app.client.get_ok(&format!("/api/meme/getMemeValue/{category}")).await["memeData"].clone();
        for query in ["lights", "ligths", "when%20the%20li", "back%20shedding"] {
            let found = app.client.get_ok(&format!("/api/meme/search/memeworld?q={query}")).await;
            assert_eq!(found, json!([memes[1]]), "{query}");
        }
        let all = app.client.get_ok("/api/meme/search/memeworld?q=load%20shedding").await;
        assert_eq!(all.as_array().unwrap().len(), 3);
    }

    async fn search_without_a_query_lists_the_newest_or_the_most_liked(engine) {
        let app = spawn_app(engine).await;
        let mut library = manifest("a", 3);
        library["categories"][0]["memes"][1]["created_at"] = json!("2026-03-06 18:30:00");
        app.import(&library).await;
        let ids = app.meme_ids().await;
        let listed = async |query: &str| {
            let memes = app.client.get_ok(&format!("/api/meme/search/memeworld?{query}")).await;
            memes.as_array().unwrap().iter().map(|meme| meme["id"].as_i64().unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(listed("").await, [ids[1], ids[2], ids[0]]);
        for (number, liked) in [(ANI, ids[0]), ("27829999999", ids[0]), (ANI, ids[2])] {
            app.client.with_session(SVC_ID, number).post("/api/meme/postlike", &json!({"id": liked})).await;
        }
        assert_eq!(listed("order=most_liked").await, [ids[0], ids[2]]);
    }
}

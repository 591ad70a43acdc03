//! `search/{service}`.

use serde_json::json;

use crate::{manifest, spawn_app};

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
}

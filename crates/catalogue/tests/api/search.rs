//! `search/{service}`.

use serde_json::json;

use crate::{manifest, spawn_app};

testkit::on_each_engine! {
    async fn search_finds_artists_and_videos(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 2)).await;
        let id = app.artist_id("Gogo Thandi").await;
        let artists = app.client.get_ok("/api/madfunny/fetchArtist?service=madfunny").await;
        let videos = app.client.get_ok(&format!("/api/madfunny/fetchVideos/{id}")).await;
        let all = json!([artists[0], videos[0], videos[1]]);
        for query in ["gogo", "gogo%20thandi", "goog"] {
            for name in ["madfunny", "MC%20Funny"] {
                assert_eq!(app.client.get_ok(&format!("/api/madfunny/search/{name}?q={query}")).await, all, "{query}");
            }
        }
        let found = async |query: &str| app.client.get_ok(&format!("/api/madfunny/search/madfunny?q={query}")).await;
        assert_eq!(found("like%20it%20was").await, json!([artists[0]]), "the description counts");
        assert_eq!(found("video%202").await, json!([videos[1]]));
        assert_eq!(found("quiet").await, json!([artists[1]]));
        assert_eq!(found("nothing%20like%20this").await, json!([]));
    }

    async fn search_by_an_artists_new_name_finds_the_videos(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 2)).await;
        let mut renamed = manifest("b", 2);
        renamed["artists"][0]["artist"] = json!("Auntie Precious");
        app.import(&renamed).await;
        let found = app.client.get_ok("/api/madfunny/search/madfunny?q=precious").await;
        assert_eq!(found.as_array().unwrap().len(), 3);
        assert_eq!(app.client.get_ok("/api/madfunny/search/madfunny?q=gogo").await, json!([]));
    }
}

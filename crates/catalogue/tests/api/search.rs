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

    async fn search_without_a_query_lists_the_newest_videos(engine) {
        let app = spawn_app(engine).await;
        let mut library = manifest("a", 2);
        library["artists"][0]["videos"][0]["datetime"] = json!("2026-03-06 18:30:00");
        app.import(&library).await;
        let id = app.artist_id("Gogo Thandi").await;
        let videos = app.client.get_ok(&format!("/api/madfunny/fetchVideos/{id}")).await;
        assert_eq!(app.client.get_ok("/api/madfunny/search/madfunny").await, videos);
        let liked = app.client.get_ok("/api/madfunny/search/madfunny?order=most_liked").await;
        assert_eq!(liked, json!([]), "these services have no likes");
    }

    async fn search_finds_a_title_in_any_form_of_its_words(engine) {
        let app = spawn_app(engine).await;
        let rows = testkit::corpus("compared");
        let mut all = manifest("a", rows.len());
        for (number, (title, _)) in rows.iter().enumerate() {
            all["artists"][0]["videos"][number]["video_name"] = json!(title);
        }
        app.import(&all).await;
        for (title, query) in &rows {
            let query: String = url::form_urlencoded::byte_serialize(query.as_bytes()).collect();
            let found = app.client.get_ok(&format!("/api/madfunny/search/madfunny?q={query}&limit=100")).await;
            let found = found.as_array().unwrap().iter().any(|record| record["video_name"] == *title);
            assert!(found, "{query} does not find {title}");
        }
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

    async fn lists_single_pages_and_search_are_in_the_language_of_the_visitor(engine) {
        let app = spawn_app(engine).await;
        let mut translated = manifest("a", 2);
        translated["artists"][0]["translations"] = json!({ "description.zu": "Ukhuluma iqiniso." });
        translated["artists"][0]["videos"][1]["translations"] = json!({ "video_name.zu": "Itekisi yokugcina" });
        app.import(&translated).await;
        let id = app.artist_id("Gogo Thandi").await;
        let video = app.client.get_ok(&format!("/api/madfunny/fetchVideos/{id}")).await[1]["videoid"].clone();
        let read = async |language: &str, path: String| {
            let reply = app.client.send(app.client.request(Default::default(), &path).header("accept-language", language)).await;
            assert_eq!(reply.status, 200, "{path}");
            reply.json()
        };
        let (own, zulu) = (("Tells it like it was.", "Video 2"), ("Ukhuluma iqiniso.", "Itekisi yokugcina"));
        for (language, (description, name)) in [("zu", zulu), ("en", own), ("zu", zulu), ("af", own)] {
            let artists = read(language, "/api/madfunny/fetchArtist?service=MC%20Funny".to_owned()).await;
            assert_eq!(artists[0]["description"], description, "{language}");
            for path in ["fetchVideos", "common"].map(|call| format!("/api/madfunny/{call}/{id}")) {
                assert_eq!(read(language, path.clone()).await[1]["video_name"], name, "{language} {path}");
            }
            let single = read(language, format!("/api/madfunny/fetchsingle/{video}")).await;
            assert_eq!(single[0]["video_name"], name, "{language}");
            for query in ["itekisi", "video%202"] {
                let found = read(language, format!("/api/madfunny/search/madfunny?q={query}")).await;
                assert_eq!(found[0]["video_name"], name, "{language} {query}");
            }
        }
    }
}

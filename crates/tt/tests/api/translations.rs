//! Titles and categories in the language of the call.

use languages::Language;
use serde_json::{Value, json};
use testkit::Reply;

use crate::{App, manifest, spawn_app};

impl App {
    /// A reply as the gateway requests it for a visitor with this language.
    async fn read(&self, language: &str, path: &str) -> Reply {
        let reply =
            self.client.send(self.client.request(Default::default(), path).header("accept-language", language)).await;
        assert_eq!(reply.status, 200, "{path}: {}", String::from_utf8_lossy(&reply.bytes));
        reply
    }
}

/// The manifest with isiZulu for a category, a video and a banner, and with a category in Afrikaans.
fn translated_manifest() -> Value {
    let mut manifest = manifest("ttmbhatv");
    let drama = &mut manifest["categories"][0];
    drama["translations"] = json!({ "category_name.zu": "Idrama", "category_name.af": "Toneel" });
    drama["videos"][0]["translations"] = json!({ "name.zu": "Okokuqala", "video_name.zu": "Idrama yokuqala" });
    manifest["banners"][0]["translations"] = json!({ "title.zu": "Namuhla ebusuku" });
    manifest["digest"] = json!("translated");
    manifest
}

/// The paths of every call with texts of records, for a brand's first video.
fn paths(video: i64, category: i64) -> [String; 8] {
    [
        "/api/tt/getCategory/ttmbhatv".to_owned(),
        "/api/tt/getcatvideos/ttmbhatv".to_owned(),
        format!("/api/tt/catVideos/{category}"),
        "/api/tt/catVideos/drama".to_owned(),
        format!("/api/tt/ttsinglevideo/{video}"),
        "/api/tt/ttrelated/live".to_owned(),
        "/api/tt/search/ttmbhatv?q=drama%20number%201".to_owned(),
        "/api/tt/banners/ttmbhatv".to_owned(),
    ]
}

testkit::on_each_engine! {
    async fn calls_answer_in_the_language_of_the_visitor_and_else_with_the_text_itself(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("ttmbhatv")).await;
        let video = app.video_ids("ttmbhatv").await[0];
        let category = app.client.get_ok("/api/tt/getCategory/ttmbhatv").await[0]["id"].as_i64().unwrap();
        let paths = paths(video, category);
        let mut before = Vec::new();
        for path in &paths {
            before.push(app.read("en", path).await);
        }
        assert_eq!(app.import(&translated_manifest()).await, [0, 3, 7]);
        for (path, before) in paths.iter().zip(&before) {
            // One after the other from the same cache.
            let zulu = app.read("zu", path).await;
            assert!(zulu.header("vary").contains("accept-language"), "{}", zulu.header("vary"));
            for same in ["en", "fr", "xh", ""] {
                let reply = app.read(same, path).await;
                assert_eq!(reply.bytes, before.bytes, "{same} {path}");
                assert_eq!(reply.header("etag"), before.header("etag"));
            }
            assert_ne!(zulu.bytes, before.bytes, "{path}");
            assert_ne!(zulu.header("etag"), before.header("etag"), "{path}");
            assert_eq!(app.read("zu-ZA, en;q=0.5", path).await.bytes, zulu.bytes, "{path}");
            // Keys and order are those of English.
            let names = |reply: &Reply| -> Vec<String> {
                let text = String::from_utf8(reply.bytes.to_vec()).unwrap();
                text.split('"').filter(|part| !part.ends_with("_lang") && *part != "zu" && part.chars().all(|c| c.is_ascii_lowercase() || c == '_')).map(str::to_owned).collect()
            };
            assert_eq!(names(&zulu).len(), names(before).len(), "{path}");
        }
        let zulu = async |path: &str| app.read("zu", path).await.json();
        let rows = zulu("/api/tt/getcatvideos/ttmbhatv").await;
        assert_eq!(rows[0]["category"]["category_name"], "Idrama");
        assert_eq!((&rows[0]["videos"][0]["name"], &rows[0]["videos"][0]["video_name"]), (&json!("Okokuqala"), &json!("Idrama yokuqala")));
        assert_eq!(rows[0]["videos"][1]["video_name"], "The drama number 2", "no translation: the text itself");
        assert_eq!(rows[1]["category"]["category_name"], "Music & Dance");
        let single = zulu(&format!("/api/tt/ttsinglevideo/{video}")).await;
        assert_eq!((&single["video_name"], &single["category"]), (&json!("Idrama yokuqala"), &json!("Idrama")));
        let afrikaans = app.read("af", &format!("/api/tt/ttsinglevideo/{video}")).await.json();
        assert_eq!((&afrikaans["video_name"], &afrikaans["category"]), (&json!("The drama number 1"), &json!("Toneel")));
        let banner = &zulu("/api/tt/banners/ttmbhatv").await[0];
        assert_eq!((&banner["title"], &banner["title_lang"]), (&json!("Namuhla ebusuku"), &json!("zu")));
        // A text names its language where it is a translation, and no other text does.
        let languages = |record: &Value| ["name", "video_name", "category"].map(|field| record[format!("{field}_lang")].clone());
        assert_eq!(languages(&single), ["zu", "zu", "zu"]);
        assert_eq!(languages(&afrikaans), [Value::Null, Value::Null, json!("af")]);
        assert_eq!(languages(&rows[0]["videos"][0]), [json!("zu"), json!("zu"), Value::Null]);
        assert_eq!(languages(&rows[0]["videos"][1]), [Value::Null, Value::Null, Value::Null]);
        assert_eq!((&rows[0]["category"]["category_name_lang"], &rows[1]["category"]["category_name_lang"]), (&json!("zu"), &Value::Null));
        assert_eq!(zulu("/api/tt/catVideos/drama").await["categoryName_lang"], "zu");
    }

    async fn category_is_found_by_its_name_in_any_language_its_own_first(engine) {
        let app = spawn_app(engine).await;
        let mut manifest = translated_manifest();
        // In Afrikaans the second category has the first one's own name.
        manifest["categories"][1]["translations"] = json!({ "category_name.af": "Drama" });
        app.import(&manifest).await;
        for (name, shown) in [("drama", "Drama"), ("IDRAMA", "Drama"), ("toneel", "Drama"), ("music%20%26%20dance", "Music & Dance")] {
            assert_eq!(app.client.get_ok(&format!("/api/tt/catVideos/{name}")).await["categoryName"], shown, "{name}");
        }
        assert_eq!(app.read("zu", "/api/tt/catVideos/drama").await.json()["categoryName"], "Idrama");
        assert_eq!(app.client.get("/api/tt/catVideos/umculo").await.status, 404);
    }

    async fn search_finds_a_title_in_any_of_its_languages(engine) {
        let app = spawn_app(engine).await;
        app.import(&translated_manifest()).await;
        let found = async |language: &str, query: &str| {
            let found = app.read(language, &format!("/api/tt/search/ttmbhatv?q={query}")).await.json();
            let titles = found.as_array().unwrap().iter().map(|video| video["video_name"].as_str().unwrap().to_owned());
            titles.collect::<Vec<_>>()
        };
        let (own, zulu) = ("The drama number 1", "Idrama yokuqala");
        for query in ["yokuqala", "YOKUQ", "yokuqalo", "okokuqala%20idrama"] {
            assert_eq!(found("en", query).await, [own], "{query}");
            assert_eq!(found("zu", query).await, [zulu], "{query}");
        }
        assert_eq!(found("zu", "number%201%20drama").await, [zulu], "the text itself is found by readers of a translation");
        // A category's translation finds its videos; a title with the word comes first.
        assert_eq!(found("zu", "idrama").await[0], zulu);
        assert_eq!(found("en", "toneel").await.len(), 3);
        // Names of fields and languages are no words.
        for query in ["zu", "name", "category_name", "title"] {
            assert!(found("en", query).await.is_empty(), "{query}");
        }
        // A later import without them takes the words away.
        let mut plain = manifest("ttmbhatv");
        plain["digest"] = json!("plain");
        assert_eq!(app.import(&plain).await, [0, 3, 7]);
        assert!(app.replica().await.1.get_ok("/api/tt/search/ttmbhatv?q=toneel").await.as_array().unwrap().is_empty());
    }

    async fn watchlist_is_in_the_language_of_the_visitor(engine) {
        let app = spawn_app(engine).await;
        app.import(&translated_manifest()).await;
        let video = app.video_ids("ttmbhatv").await[0];
        let subscriber = app.client.with_session(152, crate::ANI);
        subscriber.post("/api/tt/ttaddwatchlist", &json!({ "videoid": video })).await;
        for (language, name, named) in [("zu", "Okokuqala", json!("zu")), ("en", "drama 1", Value::Null), ("af", "drama 1", Value::Null)] {
            let request = subscriber.request(Default::default(), "/api/tt/getTTWatchlist/ttmbhatv").header("accept-language", language);
            let item = &subscriber.send(request).await.json()[0];
            assert_eq!((&item["name"], &item["name_lang"]), (&json!(name), &named), "{language}");
        }
    }

    async fn import_refuses_unknown_languages_and_fields(engine) {
        let app = spawn_app(engine).await;
        let codes: Vec<_> = Language::all().filter(|language| *language != Language::ENGLISH).map(Language::code).collect();
        let unknown = format!("drama: category_name.de names the language \"de\"; the sites have: {}.", codes.join(", "));
        for (name, fault) in [
            ("category_name.de", unknown.as_str()),
            ("category_name.en", "drama: category_name.en is no translation: readers of English see category_name itself."),
            ("slug.zu", "drama: slug.zu is no translation that a category can have; translated are: category_name."),
        ] {
            let mut manifest = manifest("ttmbhatv");
            manifest["categories"][0]["translations"] = json!({ name: "Drama" });
            let refused = app.client.import(&manifest).await.unwrap_err();
            assert_eq!((refused.status, &refused.json()["error_message"]), (422, &json!(fault)));
        }
    }
}

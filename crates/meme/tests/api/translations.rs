//! Categories and titles in the language of the call.

use serde_json::{Value, json};
use testkit::Client;

use crate::{manifest, spawn_app};

/// A reply as the gateway requests it for a visitor with this language.
async fn read(client: &Client, language: &str, path: &str) -> Value {
    let reply = client.send(client.request(Default::default(), path).header("accept-language", language)).await;
    assert_eq!(reply.status, 200, "{path}");
    reply.json()
}

testkit::on_each_engine! {
    async fn categories_memes_and_search_are_in_the_language_of_the_visitor(engine) {
        let app = spawn_app(engine).await;
        let mut library = manifest("a", 2);
        library["categories"][0]["translations"] = json!({ "name.zu": "Ukucishwa kukagesi" });
        library["categories"][0]["memes"][1]["translations"] = json!({ "title.zu": "Igedlela kuqala" });
        app.import(&library).await;
        let id = app.category_id("Load shedding").await;
        for (language, category, title) in
            [("zu", "Ukucishwa kukagesi", "Igedlela kuqala"), ("en", "Load shedding", "Meme 2"), ("af", "Load shedding", "Meme 2")]
        {
            let categories = read(&app.client, language, "/api/meme/getMemeCategories").await;
            assert_eq!(categories[0]["name"], category, "{language}");
            let shown = read(&app.client, language, &format!("/api/meme/getMemeValue/{id}")).await;
            assert_eq!(shown["memeData"][1]["title"], title, "{language}: {shown}");
            for query in ["igedlela", "meme%202"] {
                let found = read(&app.client, language, &format!("/api/meme/search/memeworld?q={query}")).await;
                assert_eq!(found[0]["title"], title, "{language} {query}");
            }
            let drawn = read(&app.client, language, "/api/meme/random").await;
            let titles: Vec<_> = drawn.as_array().unwrap().iter().map(|meme| &meme["title"]).collect();
            assert!(titles.contains(&&json!(title)), "{language}: {titles:?}");
        }
    }

    async fn missing_translations_are_counted_for_editors(engine) {
        let app = spawn_app(engine).await;
        let mut library = manifest("a", 2);
        library["categories"][0]["memes"][1]["translations"] = json!({ "title.zu": "Igedlela kuqala" });
        // A text that has the name of a translation is none.
        library["categories"][0]["memes"][0]["translations"] = json!({ "title.af": "Net \"title.zu\":\"so\"" });
        app.import(&library).await;
        let request = app.client.request(Default::default(), "/internal/translations/meme?service=memeworld");
        let counts = app.client.send(request.bearer_auth(testkit::ADMIN_TOKEN)).await.json();
        assert_eq!(counts["records"], 2);
        let missing = |code: &str| {
            let languages = counts["languages"].as_array().unwrap();
            languages.iter().find(|each| each["language"] == code).unwrap()["missing"].clone()
        };
        assert_eq!((missing("zu"), missing("af")), (json!(1), json!(1)));
        let list = app.client.request(Default::default(), "/internal/records/meme?service=memeworld&missing=zu");
        let list = app.client.send(list.bearer_auth(testkit::ADMIN_TOKEN)).await.json();
        let lacking: Vec<_> = list["records"].as_array().unwrap().iter().map(|record| &record["title"]).collect();
        assert_eq!(lacking, ["Meme 1"]);
    }
}

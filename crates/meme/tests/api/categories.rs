//! `getMemeCategories` and `getMemeValue`.

use crate::{manifest, spawn_app};

testkit::on_each_engine! {
    async fn get_meme_categories_lists_categories(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 1)).await;
        let categories = app.client.get_ok("/api/meme/getMemeCategories").await;
        insta::assert_json_snapshot!("categories", categories, { "[].id" => "[id]" });
    }

    async fn get_meme_categories_lists_categories_in_the_order_of_editors(engine) {
        let app = spawn_app(engine).await;
        let mut manifest = manifest("a", 1);
        let count = manifest["categories"].as_array().unwrap().len();
        let last = manifest["categories"][count - 1]["name"].clone();
        manifest["categories"][count - 1]["position"] = serde_json::json!(0);
        app.import(&manifest).await;
        let first = app.client.get("/api/meme/getMemeCategories?limit=1").await;
        assert_eq!(first.json()[0]["name"], last);
        let (next, _) = first.header("link").split_once('>').unwrap();
        let rest = app.client.get_ok(next.trim_start_matches('<').split('?').next().unwrap()).await;
        assert_eq!(rest.as_array().unwrap().len(), count);
        let second = app.client.get_ok(next.trim_start_matches('<')).await;
        assert_eq!(second[0], rest[1]);
    }

    async fn get_meme_value_returns_the_categorys_memes(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 2)).await;
        let id = app.category_id("Load shedding").await;
        let reply = app.client.get_ok(&format!("/api/meme/getMemeValue/{id}")).await;
        assert_eq!(reply["memeData"][1]["category_id"], id);
        insta::assert_json_snapshot!("category", reply,
            { ".memeData[].id" => "[id]", ".memeData[].category_id" => "[id]" });
        let empty = app.category_id("Nothing yet").await;
        let reply = app.client.get_ok(&format!("/api/meme/getMemeValue/{empty}")).await;
        assert_eq!(reply, serde_json::json!({"memeData": [], "categoryName": "Nothing yet"}));
    }

    async fn get_meme_value_is_paged(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 450)).await;
        let id = app.category_id("Load shedding").await;
        let (mut path, mut sizes) = (format!("/api/meme/getMemeValue/{id}"), Vec::new());
        loop {
            let reply = app.client.get(&path).await;
            sizes.push(reply.json()["memeData"].as_array().unwrap().len());
            let link = reply.header("link");
            match link.split_once('>') {
                Some((next, _)) => path = next.trim_start_matches('<').to_owned(),
                None => break,
            }
        }
        assert_eq!(sizes, [200, 200, 50]);
    }

    async fn get_meme_value_of_unknown_id_is_404_and_of_invalid_id_400(engine) {
        let app = spawn_app(engine).await;
        assert_eq!(app.client.get("/api/meme/getMemeValue/99").await.status, 404);
        for id in ["0", "-1", "x", "99999999999999999999"] {
            assert_eq!(app.client.get(&format!("/api/meme/getMemeValue/{id}")).await.status, 400, "{id}");
        }
    }
}

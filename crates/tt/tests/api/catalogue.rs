//! Public endpoints: categories, videos, banners.

use serde_json::json;

use crate::{manifest, spawn_app};

testkit::on_each_engine! {
    async fn home_page_has_rows_of_videos_and_banners(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("ttmbhatv")).await;
        let ids = || insta::dynamic_redaction(|value, _| { assert!(value.as_i64().is_some()); "[id]" });
        insta::assert_json_snapshot!("categories", app.client.get_ok("/api/tt/getCategory/ttmbhatv").await, { "[].id" => ids() });
        insta::assert_json_snapshot!("rows", app.client.get_ok("/api/tt/getcatvideos/ttmbhatv").await,
            { "[].category.id" => ids(), "[].videos[].id" => ids() });
        let banners = app.client.get_ok("/api/tt/banners/ttmbhatv").await;
        assert_eq!(banners[0]["videoid"], app.video_ids("ttmbhatv").await[1]);
        insta::assert_json_snapshot!("banners", banners, { "[].id" => ids(), "[0].videoid" => ids() });
    }

    async fn card_has_the_same_text_as_its_video(engine) {
        let app = spawn_app(engine).await;
        let odd = "\"Eish\" \\ </script> \n \u{2028} ṱ 🐓 {\"id\":1}], % $1 ?1";
        let mut manifest = manifest("ttmbhatv");
        let fields = ["name", "video_name"].map(|field| {
            manifest["categories"][0]["videos"][1][field] = json!(format!("{field} {odd}"));
            field
        });
        manifest["categories"][0]["category_name"] = json!(odd);
        manifest["categories"][1]["videos"] = json!([]);
        app.import(&manifest).await;

        let rows = app.client.get_ok("/api/tt/getcatvideos/ttmbhatv").await;
        assert_eq!(rows[0]["category"]["category_name"], odd);
        assert_eq!(rows[1]["videos"], json!([]));
        for card in rows[0]["videos"].as_array().unwrap() {
            let video = app.client.get_ok(&format!("/api/tt/ttsinglevideo/{}", card["id"])).await;
            for (field, value) in card.as_object().unwrap() {
                assert_eq!(*value, video[field], "{field}");
            }
        }
        for field in fields {
            assert_eq!(rows[0]["videos"][1][field], format!("{field} {odd}"));
        }

        // Editing a video changes its card.
        manifest["categories"][0]["videos"][1]["name"] = json!("Plain");
        manifest["digest"] = json!("b");
        app.import(&manifest).await;
        assert_eq!(app.replica().await.1.get_ok("/api/tt/getcatvideos/ttmbhatv").await[0]["videos"][1]["name"], "Plain");
    }

    async fn ttsinglevideo_returns_one_object(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("ttmbhatv")).await;
        let id = app.video_ids("ttmbhatv").await[0];
        let video = app.client.get_ok(&format!("/api/tt/ttsinglevideo/{id}")).await;
        assert_eq!((&video["id"], &video["videoid"]), (&json!(id), &json!(id)));
        assert_eq!(app.client.on_host("racedaytv").get(&format!("/api/tt/ttsinglevideo/{id}")).await.status, 404);
        insta::assert_json_snapshot!("video", video, { ".id" => "[id]", ".videoid" => "[id]", ".category_id" => "[id]" });
    }

    async fn ttsinglevideo_has_captions_only_if_there_are_any(engine) {
        let app = spawn_app(engine).await;
        let mut captioned = manifest("ttmbhatv");
        captioned["categories"][0]["videos"][0]["captions"] = json!("ttmbhatv/drama-1.en.vtt");
        app.import(&captioned).await;
        let ids = app.video_ids("ttmbhatv").await;
        let single = async |id: i64| app.client.get_ok(&format!("/api/tt/ttsinglevideo/{id}")).await;
        insta::assert_json_snapshot!("captioned", single(ids[0]).await, { ".id" => "[id]", ".videoid" => "[id]", ".category_id" => "[id]" });
        assert_eq!(single(ids[1]).await.get("captions"), None);
        let related = app.client.get_ok("/api/tt/ttrelated/live").await;
        assert_eq!(related[0]["captions"], "/media/ttmbhatv/drama-1.en.vtt");
        captioned["digest"] = json!("b");
        captioned["categories"][0]["videos"][0]["captions"] = json!(null);
        app.import(&captioned).await;
        assert_eq!(single(ids[0]).await.get("captions"), None);
    }

    async fn ttrelated_lists_the_brands_videos_of_a_status(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("ttmbhatv")).await;
        app.import(&manifest("raceday")).await;
        let names = |host: &'static str, status: &'static str| {
            let client = app.client.on_host(host);
            async move {
                let videos = client.get_ok(&format!("/api/tt/ttrelated/{status}")).await;
                videos.as_array().unwrap().iter().map(|video| video["vurl"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
            }
        };
        assert_eq!(names("ttmbhatv", "live").await, ["/media/ttmbhatv/drama-1.mp4", "/media/ttmbhatv/music-1.mp4"]);
        assert_eq!(names("racedaytv", "live").await, ["/media/raceday/drama-1.mp4", "/media/raceday/music-1.mp4"]);
        assert!(names("ttmbhatv", "nothing").await.is_empty());
        assert_eq!(app.client.on_host("memeworld").get("/api/tt/ttrelated/live").await.status, 404);
    }

    async fn cat_videos_accepts_id_or_name_of_the_brands_categories(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("ttmbhatv")).await;
        app.import(&manifest("raceday")).await;
        let categories = app.client.get_ok("/api/tt/getCategory/ttmbhatv").await;
        let by_id = app.client.get_ok(&format!("/api/tt/catVideos/{}", categories[1]["id"])).await;
        assert_eq!((&by_id["categoryName"], by_id["videos"].as_array().unwrap().len()), (&json!("Music & Dance"), 3));
        for name in ["Music%20%26%20Dance", "MUSIC%20%26%20dance"] {
            assert_eq!(app.client.get_ok(&format!("/api/tt/catVideos/{name}")).await, by_id, "{name}");
        }
        let elsewhere = app.client.on_host("racedaytv").get(&format!("/api/tt/catVideos/{}", categories[1]["id"])).await;
        assert_eq!(elsewhere.status, 404, "a category of another brand");
        assert_eq!(app.client.get("/api/tt/catVideos/Nothing").await.status, 404);
        for id in ["0", "99999999999999999999"] {
            assert_eq!(app.client.get(&format!("/api/tt/catVideos/{id}")).await.status, 400, "{id}");
        }
    }

    async fn calls_accept_aliases_of_the_service(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("raceday")).await;
        let expected = app.client.get_ok("/api/tt/getCategory/raceday").await;
        assert_eq!(expected.as_array().unwrap().len(), 2);
        for name in ["racedaytv", "RaceDayTV", "RACEDAY"] {
            assert_eq!(app.client.get_ok(&format!("/api/tt/getCategory/{name}")).await, expected, "{name}");
        }
        for call in ["getCategory", "getcatvideos", "banners", "getTTWatchlist", "mine"] {
            assert_eq!(app.client.get(&format!("/api/tt/{call}/nobody")).await.status, 404, "{call}");
        }
        assert_eq!(app.client.get("/api/tt/ttsinglevideo/99").await.status, 404);
        assert_eq!(app.client.get("/api/tt/ttsinglevideo/x").await.status, 400);
    }
}

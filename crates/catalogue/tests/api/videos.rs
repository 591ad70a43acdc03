//! `fetchVideos`, `common` and `fetchsingle`.

use serde_json::json;

use crate::{manifest, spawn_app};

testkit::on_each_engine! {
    async fn fetch_videos_and_common_list_an_artists_videos(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 2)).await;
        let id = app.artist_id("Gogo Thandi").await;
        let videos = app.client.get_ok(&format!("/api/madfunny/fetchVideos/{id}")).await;
        insta::assert_json_snapshot!("videos", videos, { "[].id" => "[id]", "[].videoid" => "[id]", "[].artist_id" => "[id]" });
        assert_eq!(app.client.get_ok(&format!("/api/madfunny/common/{id}")).await, videos);
        let quiet = app.artist_id("The Quiet One").await;
        assert_eq!(app.client.get_ok(&format!("/api/madfunny/fetchVideos/{quiet}")).await, json!([]));
    }

    async fn fetchsingle_returns_an_array_of_one_video(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 2)).await;
        let id = app.artist_id("Gogo Thandi").await;
        let videos = app.client.get_ok(&format!("/api/madfunny/common/{id}")).await;
        let single = app.client.get_ok(&format!("/api/madfunny/fetchsingle/{}", videos[1]["videoid"])).await;
        assert_eq!(single, json!([videos[1]]));
        assert_eq!(single[0]["id"], single[0]["videoid"]);
    }

    async fn fetchsingle_has_captions_only_if_there_are_any(engine) {
        let app = spawn_app(engine).await;
        let mut captioned = manifest("a", 2);
        captioned["artists"][0]["videos"][1]["captions"] = json!("mcfunny/video-2.zu.vtt");
        app.import(&captioned).await;
        let id = app.artist_id("Gogo Thandi").await;
        let videos = app.client.get_ok(&format!("/api/madfunny/fetchVideos/{id}")).await;
        assert_eq!(videos[0].get("captions"), None, "a video without any costs the list nothing");
        assert_eq!(videos[1]["captions"], "/media/mcfunny/video-2.zu.vtt");
        let single = app.client.get_ok(&format!("/api/madfunny/fetchsingle/{}", videos[1]["videoid"])).await;
        insta::assert_json_snapshot!("captioned", single, { "[].id" => "[id]", "[].videoid" => "[id]", "[].artist_id" => "[id]" });
        captioned["digest"] = json!("b");
        captioned["artists"][0]["videos"][0]["captions"] = json!("mcfunny/video-1.vtt");
        captioned["artists"][0]["videos"][1]["captions"] = json!(null);
        assert_eq!(app.import(&captioned).await, [0, 2, 2]);
        let videos = app.client.get_ok(&format!("/api/madfunny/fetchVideos/{id}")).await;
        assert_eq!((&videos[0]["captions"], videos[1].get("captions")), (&json!("/media/mcfunny/video-1.vtt"), None));
    }

    async fn unknown_id_is_404_and_invalid_id_is_400(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 1)).await;
        for call in ["fetchVideos", "common", "fetchsingle"] {
            assert_eq!(app.client.get(&format!("/api/madfunny/{call}/9223372036854775807")).await.status, 404, "{call}");
            for id in ["0", "-1", "x", "9223372036854775808", "1.5", "%00"] {
                let reply = app.client.get(&format!("/api/madfunny/{call}/{id}")).await;
                assert_eq!(reply.status, 400, "{call}/{id}");
                assert_eq!(reply.header("content-type"), "application/problem+json");
            }
        }
        assert_eq!(app.client.get("/api/madfunny/nothing").await.json()["status"], 404);
        assert_eq!(app.client.post("/api/madfunny/fetchsingle/1", &json!({})).await.json()["status"], 405);
    }
}

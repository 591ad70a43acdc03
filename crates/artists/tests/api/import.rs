//! `/internal/import`.

use serde_json::json;

use crate::{manifest, spawn_app};

testkit::on_each_engine! {
    async fn the_same_manifest_twice_changes_nothing(engine) {
        let app = spawn_app(engine).await;
        assert_eq!(app.import(&manifest("a", 3)).await, json!({"added": 5, "changed": 0, "unchanged": 0}));
        assert_eq!(app.import(&manifest("a", 3)).await, json!({"added": 0, "changed": 0, "unchanged": 5}));
    }

    async fn an_edit_keeps_the_id_and_shows_at_once(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 1)).await;
        let id = app.artist_id("Gogo Thandi").await;
        let mut edited = manifest("b", 1);
        edited["artists"][0]["artist"] = json!("Gogo Thandi II");
        assert_eq!(app.import(&edited).await, json!({"added": 0, "changed": 1, "unchanged": 2}));
        assert_eq!(app.artist_id("Gogo Thandi II").await, id);
        let videos = app.client.get_ok(&format!("/api/madfunny/fetchVideos/{id}")).await;
        assert_eq!(videos[0]["artist"], "Gogo Thandi II");
    }

    async fn a_pack_loaded_once_does_not_undo_later_edits(engine) {
        let app = spawn_app(engine).await;
        let mut pack = manifest("pack", 1);
        pack["once"] = json!(true);
        app.import(&pack).await;
        let mut edited = manifest("edit", 1);
        edited["artists"][0]["description"] = json!("Edited.");
        app.import(&edited).await;
        assert_eq!(app.import(&pack).await, json!({"added": 0, "changed": 0, "unchanged": 0}));
        let artists = app.client.get_ok("/api/madfunny/fetchArtist?service=madfunny").await;
        assert_eq!(artists[0]["description"], "Edited.");
    }

    async fn a_bad_manifest_changes_nothing(engine) {
        let app = spawn_app(engine).await;
        let good = manifest("a", 2);
        let bad = |change: &dyn Fn(&mut serde_json::Value)| {
            let mut manifest = good.clone();
            change(&mut manifest);
            manifest
        };
        for (manifest, status) in [
            (bad(&|m| m["service"] = json!("diski99")), 404),
            (bad(&|m| m["artists"][0]["slug"] = json!("Not A Slug")), 422),
            (bad(&|m| m["artists"][1]["slug"] = json!("gogo-thandi")), 422),
            (bad(&|m| m["artists"][0]["image"] = json!("http://images.spaza.example/x.webp")), 422),
            (bad(&|m| m["artists"][0]["videos"][1]["media"] = json!("../secret.mp4")), 422),
            (bad(&|m| m["artists"][0]["videos"][1]["media"] = json!("raceday/x.mp4")), 422),
            (bad(&|m| m["artists"][0]["videos"][0]["datetime"] = json!("yesterday")), 400),
            (bad(&|m| m["artists"][0]["videos"][0]["surprise"] = json!(1)), 400),
        ] {
            let reply = app.client.post_as_admin("/internal/import", &manifest).await;
            assert_eq!(reply.status, status, "{:?}", String::from_utf8_lossy(&reply.bytes));
            assert!(!reply.json()["error_message"].as_str().unwrap().is_empty());
        }
        assert_eq!(app.client.get_ok("/api/madfunny/fetchArtist?service=madfunny").await, json!([]));
    }

    async fn the_door_opens_by_token_alone(engine) {
        let app = spawn_app(engine).await;
        assert_eq!(app.client.post("/internal/import", &manifest("a", 1)).await.status, 401);
        let wrong = app.client.request("POST".parse().unwrap(), "/internal/import").bearer_auth("wrong").json(&manifest("a", 1));
        assert_eq!(app.client.send(wrong).await.status, 401);
    }
}

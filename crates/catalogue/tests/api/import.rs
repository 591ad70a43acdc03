//! `/internal/imports`.

use serde_json::json;

use crate::{manifest, spawn_app};

testkit::on_each_engine! {
    async fn title_that_cannot_be_seen_is_refused(engine) {
        let app = spawn_app(engine).await;
        for (number, (title, right)) in testkit::corpus("visible").into_iter().enumerate() {
            let mut one = manifest(&number.to_string(), 1);
            one["artists"][0]["videos"][0]["video_name"] = json!(title);
            let outcome = app.client.import(&one).await;
            assert_eq!(outcome.is_ok(), right == "visible", "{title:?}: {outcome:?}");
        }
    }

    async fn import_of_the_same_manifest_changes_nothing(engine) {
        let app = spawn_app(engine).await;
        assert_eq!(app.import(&manifest("a", 3)).await, [5, 0, 0]);
        assert_eq!(app.import(&manifest("a", 3)).await, [0, 0, 0], "the same again has nothing to send");
        assert_eq!(app.import(&manifest("b", 3)).await, [0, 0, 5]);
    }

    async fn import_of_edited_record_keeps_its_id_and_is_visible_immediately(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 1)).await;
        let id = app.artist_id("Gogo Thandi").await;
        let mut edited = manifest("b", 1);
        edited["artists"][0]["artist"] = json!("Gogo Thandi II");
        assert_eq!(app.import(&edited).await, [0, 1, 2]);
        assert_eq!(app.artist_id("Gogo Thandi II").await, id);
        let videos = app.client.get_ok(&format!("/api/madfunny/fetchVideos/{id}")).await;
        assert_eq!(videos[0]["artist"], "Gogo Thandi II");
    }

    async fn import_once_does_not_undo_later_edits(engine) {
        let app = spawn_app(engine).await;
        let mut pack = manifest("pack", 1);
        pack["once"] = json!(true);
        app.import(&pack).await;
        let mut edited = manifest("edit", 1);
        edited["artists"][0]["description"] = json!("Edited.");
        app.import(&edited).await;
        for digest in ["pack", "pack-of-the-next-release"] {
            pack["digest"] = json!(digest);
            assert_eq!(app.import(&pack).await, [0, 0, 0]);
        }
        let artists = app.client.get_ok("/api/madfunny/fetchArtist?service=madfunny").await;
        assert_eq!(artists[0]["description"], "Edited.");
    }

    async fn import_of_invalid_manifest_changes_nothing(engine) {
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
            (bad(&|m| m["artists"][0]["videos"][1]["captions"] = json!("raceday/x.vtt")), 422),
            (bad(&|m| m["artists"][0]["videos"][1]["captions"] = json!("mcfunny/x.srt")), 422),
            (bad(&|m| m["artists"][0]["videos"][1]["captions"] = json!(7)), 400),
            (bad(&|m| m["artists"][0]["videos"][0]["datetime"] = json!("yesterday")), 400),
            (bad(&|m| m["artists"][0]["videos"][0]["surprise"] = json!(1)), 400),
        ] {
            let reply = app.client.import(&manifest).await.unwrap_err();
            assert_eq!(reply.status, status, "{:?}", String::from_utf8_lossy(&reply.bytes));
            assert!(!reply.json()["error_message"].as_str().unwrap().is_empty());
        }
        assert_eq!(app.client.get_ok("/api/madfunny/fetchArtist?service=madfunny").await, json!([]));
    }

    async fn import_without_admin_token_is_401(engine) {
        let app = spawn_app(engine).await;
        let order = json!({"service": "madfunny", "digest": "x"});
        let without_token = app.client.post("/internal/imports", &order).await;
        assert_eq!((without_token.status, without_token.header("www-authenticate")), (401, "Bearer"));
        let wrong = app.client.request("POST".parse().unwrap(), "/internal/imports").bearer_auth("wrong").json(&order);
        assert_eq!(app.client.send(wrong).await.status, 401);
    }

    async fn import_changes_nothing_before_apply(engine) {
        let app = spawn_app(engine).await;
        let post = async |path: String, body: serde_json::Value| app.client.post_as_admin(&path, &body).await;
        let opened = post("/internal/imports".to_owned(), json!({"service": "madfunny", "digest": "x"})).await.json();
        let import = format!("/internal/imports/{}", opened["import"]);
        let records = json!({"artists": [{"place": 1, "slug": "a", "artist": "A", "description": "", "image": "https://images.spaza.example/a.webp"}]});
        assert_eq!(post(format!("{import}/records"), records).await.json(), json!({"accepted": 1}));
        let check = post(format!("{import}/check"), json!({"records": 1})).await.json();
        assert_eq!((&check["faults"], &check["changes"][0]["added_names"]), (&json!([]), &json!(["a"])));
        assert_eq!(app.client.get_ok("/api/madfunny/fetchArtist?service=madfunny").await, json!([]));
        let applied = post(format!("{import}/apply"), json!({"records": 1})).await.json();
        assert_eq!(applied[0]["added"], 1);
        assert_eq!(app.client.get_ok("/api/madfunny/fetchArtist?service=madfunny").await.as_array().unwrap().len(), 1);
        let again = post("/internal/imports".to_owned(), json!({"service": "madfunny", "digest": "x"})).await.json();
        assert_eq!(again["import"], json!(null), "the same again has nothing to send");
        let other = post("/internal/imports".to_owned(), json!({"service": "madfunny", "digest": "y"})).await.json();
        let drop = app.client.request("DELETE".parse().unwrap(), &format!("/internal/imports/{}", other["import"]));
        assert_eq!(app.client.send(drop.bearer_auth(testkit::ADMIN_TOKEN)).await.status, 204);
        let order = json!({"service": "madfunny", "kind": "artist", "record": "a", "state": "unlisted", "who": "me", "reason": "why"});
        assert_eq!(post("/internal/take-downs".to_owned(), order).await.json()["to_state"], "unlisted");
        assert_eq!(app.client.get_ok("/api/madfunny/fetchArtist?service=madfunny").await, json!([]));
        let log = app.client.request("GET".parse().unwrap(), "/internal/take-downs?service=madfunny");
        assert_eq!(app.client.send(log.bearer_auth(testkit::ADMIN_TOKEN)).await.json()[0]["reason"], "why");
    }
}

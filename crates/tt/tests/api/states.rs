//! Hidden and deleted videos.

use serde_json::{Value, json};

use crate::{ANI, manifest, spawn_app};

/// The videos of the first category: the first listed, the second unlisted, the third deleted.
fn with_states() -> Value {
    let mut manifest = manifest("ttmbhatv");
    manifest["digest"] = json!("states");
    for (number, state) in ["listed", "unlisted", "deleted"].into_iter().enumerate() {
        manifest["categories"][0]["videos"][number]["state"] = json!(state);
        manifest["categories"][0]["videos"][number]["status"] = json!("live");
    }
    manifest["banners"][0]["video"] = json!("drama-3");
    manifest
}

testkit::on_each_engine! {
    async fn only_listed_videos_are_in_lists(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("ttmbhatv")).await;
        let ids = app.video_ids("ttmbhatv").await;
        app.import(&with_states()).await;
        assert_eq!(app.video_ids("ttmbhatv").await, [&ids[..1], &ids[3..]].concat());
        for call in ["catVideos/drama", "ttrelated/live"] {
            let listed = app.client.get_ok(&format!("/api/tt/{call}")).await.to_string();
            let names = |id: i64| listed.contains(&format!("\"videoid\":{id},"));
            assert_eq!([names(ids[0]), names(ids[1]), names(ids[2])], [true, false, false], "{call}: {listed}");
        }
        for (id, status) in [(ids[0], 200), (ids[1], 200), (ids[2], 404)] {
            assert_eq!(app.client.get(&format!("/api/tt/ttsinglevideo/{id}")).await.status, status);
        }
        let banners = app.client.get_ok("/api/tt/banners/ttmbhatv").await;
        assert_eq!(banners[0]["videoid"], json!(null), "the banner's video is deleted");
    }

    async fn deleted_video_is_not_in_the_watchlist_and_cannot_be_liked(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("ttmbhatv")).await;
        let ids = app.video_ids("ttmbhatv").await;
        let client = app.client.with_session(152, ANI);
        for id in &ids[..3] {
            assert_eq!(client.post("/api/tt/ttaddwatchlist", &json!({"videoid": id})).await.status, 200);
        }
        app.import(&with_states()).await;
        let items = client.get_ok("/api/tt/getTTWatchlist/ttmbhatv").await;
        let mut left: Vec<_> = items.as_array().unwrap().iter().map(|item| item["id"].as_i64().unwrap()).collect();
        left.sort_unstable();
        assert_eq!(left, ids[..2]);
        for (id, status) in [(ids[1], 200), (ids[2], 404)] {
            for call in ["likevideo", "ttaddwatchlist"] {
                assert_eq!(client.post(&format!("/api/tt/{call}"), &json!({"videoid": id})).await.status, status, "{call}");
            }
        }
    }

    async fn video_of_deleted_category_is_not_in_the_watchlist_and_cannot_be_liked(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("ttmbhatv")).await;
        let id = app.video_ids("ttmbhatv").await[0];
        let client = app.client.with_session(152, ANI);
        assert_eq!(client.post("/api/tt/ttaddwatchlist", &json!({"videoid": id})).await.status, 200);
        let mut without = manifest("ttmbhatv");
        without["digest"] = json!("without");
        without["categories"][0]["state"] = json!("deleted");
        app.import(&without).await;
        assert_eq!(client.get_ok("/api/tt/getTTWatchlist/ttmbhatv").await, json!([]));
        for call in ["likevideo", "ttaddwatchlist"] {
            assert_eq!(client.post(&format!("/api/tt/{call}"), &json!({"videoid": id})).await.status, 404, "{call}");
        }
    }

    async fn row_has_the_first_twenty_listed_videos_of_the_category(engine) {
        let app = spawn_app(engine).await;
        let mut pack = manifest("ttmbhatv");
        let first = pack["categories"][0]["videos"][0].clone();
        let category = |slug: &str, videos: usize, gone: usize| {
            let video = |number: usize| {
                let mut video = first.clone();
                video["slug"] = json!(format!("{slug}-{number}"));
                video["name"] = json!(number.to_string());
                video["state"] = json!(if number <= gone { "unlisted" } else { "listed" });
                video
            };
            json!({"slug": slug, "category_name": slug, "videos": (1..=videos).map(video).collect::<Vec<_>>()})
        };
        pack["categories"] = json!([category("none", 0, 0), category("twenty", 20, 0), category("more", 30, 3), category("hidden", 2, 2), category("few", 3, 1)]);
        pack["banners"] = json!([]);
        app.import(&pack).await;
        let rows = app.client.get_ok("/api/tt/getcatvideos/ttmbhatv").await;
        let names: Vec<(&str, Vec<&str>)> = rows.as_array().unwrap().iter()
            .map(|row| {
                let videos = row["videos"].as_array().unwrap();
                (row["category"]["category_name"].as_str().unwrap(), videos.iter().map(|video| video["name"].as_str().unwrap()).collect())
            })
            .collect();
        let numbers = |from: usize, to: usize| (from..=to).map(|number| number.to_string()).collect::<Vec<_>>();
        let expected = [("none", numbers(1, 0)), ("twenty", numbers(1, 20)), ("more", numbers(4, 23)), ("hidden", numbers(1, 0)), ("few", numbers(2, 3))];
        assert_eq!(names.len(), 5);
        for ((name, videos), (expected_name, expected_videos)) in names.iter().zip(&expected) {
            assert_eq!((name, videos.len()), (expected_name, expected_videos.len()));
            assert!(videos.iter().zip(expected_videos).all(|(video, expected)| video == expected), "{name}: {videos:?}");
        }
        // The same rows with paging.
        let mut paged = Vec::new();
        let mut next = "/api/tt/getcatvideos/ttmbhatv?limit=2".to_owned();
        loop {
            let reply = app.client.get(&next).await;
            paged.extend(reply.json().as_array().unwrap().clone());
            match reply.header("link").strip_prefix('<').and_then(|link| link.split_once('>')) {
                Some((address, _)) => next = address.to_owned(),
                None => break,
            }
        }
        assert_eq!(Value::from(paged), rows);
    }
}

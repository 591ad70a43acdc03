//! Data of one phone number: likes and the watchlist.

use serde_json::{Value, json};

use crate::{ANI, manifest, spawn_app};

/// A manifest of one category with this many videos.
fn library(videos: usize) -> Value {
    let mut manifest = manifest("ttmbhatv");
    let mut drama = manifest["categories"][0].take();
    let video = drama["videos"][0].take();
    let copies = (1..=videos).map(|number| {
        let mut copy = video.clone();
        copy["slug"] = json!(format!("drama-{number}"));
        copy
    });
    drama["videos"] = copies.collect();
    manifest["categories"] = json!([drama]);
    manifest
}

testkit::on_each_engine! {
    async fn like_is_stored_and_unlike_removes_it(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("ttmbhatv")).await;
        let id = app.video_ids("ttmbhatv").await[0];
        let client = app.client.with_session(152, ANI);
        let like = json!({"videoid": id, "ani": ANI, "status": "1", "servicename": "ttmbhatv", "created": "2026-03-05 10:00:00"});
        for _ in 0..2 {
            assert_eq!(client.post("/api/tt/likevideo", &like).await.json(), json!({"videoid": id, "liked": true}));
        }
        assert_eq!(client.get_ok("/api/tt/mine/ttmbhatv").await, json!({"liked": [id], "watchlist": []}));
        for _ in 0..2 {
            let reply = client.delete("/api/tt/unlikevideo", &json!({"ani": ANI, "videoid": id})).await;
            assert_eq!(reply.json(), json!({"videoid": id, "liked": false}));
        }
        assert_eq!(client.get_ok("/api/tt/mine/ttmbhatv").await, json!({"liked": [], "watchlist": []}));
    }

    async fn marks_of_a_former_owner_of_the_number_are_not_shown(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("ttmbhatv")).await;
        let id = app.video_ids("ttmbhatv").await[0];
        let (former, other) = (app.client.with_session(152, ANI), app.client.with_session_of_person(152, ANI, 740_000));
        let mark = json!({"ani": ANI, "videoid": id});
        for address in ["/api/tt/likevideo", "/api/tt/ttaddwatchlist"] {
            assert_eq!(former.post(address, &mark).await.status, 200);
        }
        let shown = async || {
            (other.get_ok("/api/tt/mine/ttmbhatv").await, other.get_ok("/api/tt/getTTWatchlist/ttmbhatv").await)
        };
        assert_eq!(shown().await, (json!({"liked": [], "watchlist": []}), json!([])));
        for address in ["/api/tt/likevideo", "/api/tt/ttaddwatchlist"] {
            assert_eq!(other.post(address, &mark).await.status, 200);
        }
        let (mine, list) = shown().await;
        assert_eq!((mine, list.as_array().unwrap().len()), (json!({"liked": [id], "watchlist": [id]}), 1));
        assert_eq!(former.get_ok("/api/tt/mine/ttmbhatv").await, json!({"liked": [], "watchlist": []}));
    }

    async fn watchlist_is_visible_to_its_owner_only(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("ttmbhatv")).await;
        let ids = app.video_ids("ttmbhatv").await;
        let client = app.client.with_session(152, ANI);
        for id in [ids[0], ids[1], ids[0]] {
            let reply = client.post("/api/tt/ttaddwatchlist", &json!({"ani": ANI, "videoid": id, "service": "ttmbhatv", "name": "x"})).await;
            assert_eq!(reply.json(), json!({"videoid": id, "watchlisted": true}));
        }
        let items = client.get_ok("/api/tt/getTTWatchlist/ttmbhatv").await;
        let expected = [(ids[1], 2), (ids[0], 1)].map(|(id, number)| json!({
            "id": id, "name": format!("drama {number}"), "videoid": id, "artist": "Our own crew",
            "imgurl": format!("https://images.spaza.example/drama-{number}.webp"), "duration_s": 8, "bytes": 65536
        }));
        assert_eq!(items.as_array().unwrap().len(), 2);
        assert!(expected.iter().all(|item| items.as_array().unwrap().contains(item)), "{items}");
        assert_eq!(app.client.get_ok("/api/tt/getTTWatchlist/ttmbhatv").await, json!([]));
        assert_eq!(app.client.with_session(152, "27829999999").get_ok("/api/tt/getTTWatchlist/ttmbhatv").await, json!([]));
        assert_eq!(client.get_ok("/api/tt/getTTWatchlist/raceday").await, json!([]));
        let reply = client.delete("/api/tt/ttremove", &json!({"ani": ANI, "videoid": ids[1]})).await;
        assert_eq!(reply.json(), json!({"videoid": ids[1], "watchlisted": false}));
        assert_eq!(client.get_ok("/api/tt/mine/ttmbhatv").await, json!({"liked": [], "watchlist": [ids[0]]}));
    }

    async fn watchlist_continues_by_link_to_its_end(engine) {
        let app = spawn_app(engine).await;
        app.import(&library(205)).await;
        let client = app.client.with_session(152, ANI);
        let ids = app.client.get_ok("/api/tt/catVideos/drama?limit=200").await;
        let mut ids: Vec<i64> = ids["videos"].as_array().unwrap().iter().map(|video| video["id"].as_i64().unwrap()).collect();
        let rest = app.client.get_ok(&format!("/api/tt/catVideos/drama?after={}", ids.last().unwrap())).await;
        ids.extend(rest["videos"].as_array().unwrap().iter().map(|video| video["id"].as_i64().unwrap()));
        assert_eq!(ids.len(), 205);
        // Several are added within one second: the order is then by id.
        for id in &ids {
            assert_eq!(client.post("/api/tt/ttaddwatchlist", &json!({"videoid": id})).await.status, 200);
        }
        let ids_in = |reply: &testkit::Reply| -> Vec<i64> {
            reply.json().as_array().unwrap().iter().map(|item| item["id"].as_i64().unwrap()).collect()
        };
        let next = |reply: &testkit::Reply| {
            Some(reply.header("link").strip_prefix('<')?.strip_suffix(">; rel=\"next\"")?.to_owned())
        };
        let whole = client.get("/api/tt/getTTWatchlist/ttmbhatv").await;
        assert_eq!(ids_in(&whole).len(), 200);
        assert!(next(&whole).unwrap().starts_with("/api/tt/getTTWatchlist/ttmbhatv?limit=200&after="));
        let mut seen = Vec::new();
        let mut address = Some("/api/tt/getTTWatchlist/ttmbhatv?limit=50".to_owned());
        while let Some(path) = address {
            let reply = client.get(&path).await;
            assert_eq!((reply.status, reply.header("cache-control")), (200, "no-store"));
            let page = ids_in(&reply);
            // The removal of the item that a page ends with does not move the next page.
            if seen.is_empty() {
                assert_eq!(client.delete("/api/tt/ttremove", &json!({"videoid": page.last().unwrap()})).await.status, 200);
            }
            seen.extend(page);
            address = next(&reply);
        }
        ids.reverse();
        assert_eq!(seen, ids);
        assert_eq!(client.get_ok("/api/tt/mine/ttmbhatv").await["watchlist"].as_array().unwrap().len(), 204);
        let most = client.get("/api/tt/getTTWatchlist/ttmbhatv?limit=204").await;
        assert_eq!(ids_in(&most).len(), 200, "limits above 200 mean 200");
        let other = app.client.with_session(152, "27829999999");
        assert_eq!(other.get_ok("/api/tt/getTTWatchlist/ttmbhatv?limit=50&after=253402300799-5").await, json!([]));
        for query in ["limit=0", "limit=x", "after=7", "after=-1-7", "after=a-b", "after=1772735400-", "after=1772735400-1234567890123456789"] {
            let reply = client.get(&format!("/api/tt/getTTWatchlist/ttmbhatv?{query}")).await;
            assert_eq!(reply.status, 400, "{query}");
            assert!(reply.json()["error_message"].is_string(), "{query}");
        }
        assert_eq!(client.get_ok("/api/tt/getTTWatchlist/ttmbhatv?after=999999999999-1&limit=1").await.as_array().unwrap().len(), 1);
        assert_eq!(client.get_ok("/api/tt/getTTWatchlist/ttmbhatv?after=0-1").await, json!([]));
    }

    async fn watchlist_shows_each_video_as_the_video_itself(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("ttmbhatv")).await;
        let id = app.video_ids("ttmbhatv").await[4];
        let client = app.client.with_session(152, ANI);
        assert_eq!(client.post("/api/tt/ttaddwatchlist", &json!({"videoid": id})).await.status, 200);
        let video = client.get_ok(&format!("/api/tt/ttsinglevideo/{id}")).await;
        let items = client.get_ok("/api/tt/getTTWatchlist/ttmbhatv").await;
        for (field, value) in items[0].as_object().unwrap() {
            assert_eq!(*value, video[field], "{field}");
        }
        insta::assert_json_snapshot!("watchlist", items, { "[].id" => "[id]", "[].videoid" => "[id]" });
    }

    async fn writes_need_a_session_of_the_same_number_brand_and_host(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("ttmbhatv")).await;
        app.import(&manifest("raceday")).await;
        let id = app.video_ids("ttmbhatv").await[0];
        let body = json!({"videoid": id, "ani": ANI});
        let posts = ["likevideo", "ttaddwatchlist"];
        let deletes = ["unlikevideo", "ttremove"];
        let own = app.client.with_session(152, ANI);
        let stranger = app.client.with_session(152, "27829999999");
        let foreign = app.client.on_host("racedaytv").with_session(153, ANI);
        for (client, status) in [(&app.client, 401), (&stranger, 403), (&own.on_host("racedaytv"), 401), (&foreign, 404)] {
            for call in posts {
                assert_eq!(client.post(&format!("/api/tt/{call}"), &body).await.status, status, "{call}");
            }
            for call in deletes {
                assert_eq!(client.delete(&format!("/api/tt/{call}"), &body).await.status, status, "{call}");
            }
        }
        assert_eq!(own.post("/api/tt/likevideo", &json!({"videoid": id, "servicename": "raceday"})).await.status, 403);
        assert_eq!(own.post("/api/tt/likevideo", &json!({"videoid": id, "status": 1})).await.status, 400);
        assert_eq!(own.get_ok("/api/tt/mine/ttmbhatv").await, json!({"liked": [], "watchlist": []}));
    }
}

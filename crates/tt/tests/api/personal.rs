//! Data of one phone number: likes and the watchlist.

use serde_json::json;

use crate::{ANI, manifest, spawn_app};

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

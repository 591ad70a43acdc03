//! `postlike`, `unlike` and `mine`.

use reqwest::Method;
use serde_json::json;
use testkit::actix_web::rt;

use crate::{ANI, SVC_ID, manifest, spawn_app};

testkit::on_each_engine! {
    async fn repeated_like_counts_once_and_unlike_removes_it(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 2)).await;
        let id = app.meme_ids().await[0];
        let client = app.client.with_session(SVC_ID, ANI);
        let like = json!({"like": "1", "created": "2026-03-05 10:00:00", "updated": "2026-03-05 10:00:00", "id": id, "ani": "0812345678"});
        for _ in 0..2 {
            assert_eq!(client.post("/api/meme/postlike", &like).await.json(), json!({"id": id, "liked": true, "likes": 1}));
        }
        assert_eq!(client.get_ok("/api/meme/mine").await, json!({"liked": [id]}));
        let liked = client.get_ok("/api/meme/liked").await;
        assert_eq!((liked[0]["id"].as_i64(), liked[0]["likes"].as_i64(), liked.as_array().unwrap().len()), (Some(id), Some(1), 1));
        assert_eq!(app.client.get_ok("/api/meme/liked").await, json!([]), "without a session");
        for _ in 0..2 {
            let reply = client.delete("/api/meme/unlike", &json!({"meme_id": id, "ani": ANI})).await;
            assert_eq!(reply.json(), json!({"id": id, "liked": false, "likes": 0}));
        }
        assert_eq!(client.get_ok("/api/meme/mine").await, json!({"liked": []}));
    }

    async fn likes_of_a_former_owner_of_the_number_are_not_shown(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 2)).await;
        let ids = app.meme_ids().await;
        let (former, other) =
            (app.client.with_session(SVC_ID, ANI), app.client.with_session_of_person(SVC_ID, ANI, 740_000));
        for id in &ids {
            former.post("/api/meme/postlike", &json!({"id": id})).await;
        }
        let first = former.get("/api/meme/liked?limit=1").await;
        assert_eq!(first.json()[0]["id"], ids[1]);
        assert_eq!(first.header("link"), format!("</api/meme/liked?limit=1&after={}>; rel=\"next\"", ids[1]));
        assert_eq!(former.get_ok(&format!("/api/meme/liked?after={}", ids[1])).await[0]["id"], ids[0]);
        assert_eq!(other.get_ok("/api/meme/liked").await, json!([]));
        assert_eq!(other.get_ok("/api/meme/mine").await, json!({"liked": []}));
        // The number counts once.
        let like = json!({"id": ids[0]});
        for _ in 0..2 {
            let reply = other.post("/api/meme/postlike", &like).await.json();
            assert_eq!(reply, json!({"id": ids[0], "liked": true, "likes": 1}));
        }
        assert_eq!(other.get_ok("/api/meme/mine").await, json!({"liked": [ids[0]]}));
    }

    async fn like_needs_a_session_of_the_same_number(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 1)).await;
        let id = app.meme_ids().await[0];
        let like = json!({"id": id, "ani": ANI});
        assert_eq!(app.client.post("/api/meme/postlike", &like).await.status, 401);
        assert_eq!(app.client.delete("/api/meme/unlike", &json!({"meme_id": id})).await.status, 401);
        let other = app.client.with_session(SVC_ID, "27829999999");
        assert_eq!(other.post("/api/meme/postlike", &like).await.status, 403);
        assert_eq!(other.post("/api/meme/postlike", &json!({"id": id, "ani": "not a number"})).await.status, 403);
        // A session of another brand, or of this brand sent to another host, is not accepted.
        assert_eq!(app.client.with_session(151, ANI).post("/api/meme/postlike", &like).await.status, 401);
        assert_eq!(app.client.with_session(SVC_ID, ANI).on_host("diski99").post("/api/meme/postlike", &like).await.status, 401);
        assert_eq!(app.client.get_ok("/api/meme/mine").await, json!({"liked": []}));
        let memes = app.client.get_ok("/api/meme/random").await;
        assert_eq!(memes[0]["likes"], 0);
    }

    async fn concurrent_likes_are_counted_exactly(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 1)).await;
        let id = app.meme_ids().await[0];
        // 1,000 concurrent likes and unlikes by 100 numbers; at the end even numbers like the meme and odd ones do not.
        let one = |number: usize| {
            let client = app.client.with_session(SVC_ID, &format!("2781234{number:04}"));
            async move {
                let like = async || client.send_until_accepted(Method::POST, "/api/meme/postlike", &json!({"id": id})).await.status;
                let unlike = async || client.send_until_accepted(Method::DELETE, "/api/meme/unlike", &json!({"meme_id": id})).await.status;
                for _ in 0..5 {
                    assert_eq!((like().await, unlike().await), (200, 200));
                }
                if number.is_multiple_of(2) {
                    assert_eq!(like().await, 200);
                }
            }
        };
        let all: Vec<_> = (0..100).map(|number| rt::spawn(one(number))).collect();
        for done in all {
            done.await.unwrap();
        }
        let memes = app.client.get_ok("/api/meme/random").await;
        assert_eq!(memes[0]["likes"], 50);
    }

    async fn invalid_like_is_rejected(engine) {
        let app = spawn_app(engine).await;
        let client = app.client.with_session(SVC_ID, ANI);
        for (body, status) in [
            (json!({"id": 99}), 404),
            (json!({"id": 0}), 400),
            (json!({"id": "7"}), 400),
            (json!({"id": 7, "like": 1}), 400),
            (json!({}), 400),
            (json!([]), 400),
        ] {
            assert_eq!(client.post("/api/meme/postlike", &body).await.status, status, "{body}");
        }
        assert_eq!(client.delete("/api/meme/unlike", &json!({"meme_id": 99})).await.status, 404);
        let text = client.request("POST".parse().unwrap(), "/api/meme/postlike").header("content-type", "text/plain").body("hello");
        assert_eq!(client.send(text).await.status, 415);
        let large = json!({"id": 7, "like": "1".repeat(70_000)});
        assert_eq!(client.post("/api/meme/postlike", &large).await.status, 413);
    }
}

//! `random`.

use std::collections::HashSet;

use crate::{manifest, spawn_app};

testkit::on_each_engine! {
    async fn random_returns_distinct_memes(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 50)).await;
        let reply = app.client.get("/api/meme/random").await;
        assert_eq!(reply.header("cache-control"), "no-store");
        let ids = |reply: serde_json::Value| {
            reply.as_array().unwrap().iter().map(|meme| meme["id"].as_i64().unwrap()).collect::<Vec<_>>()
        };
        let first = ids(reply.json());
        assert_eq!((first.len(), first.iter().collect::<HashSet<_>>().len()), (30, 30));
        let second = ids(app.client.get_ok("/api/meme/random").await);
        assert_ne!(first, second, "two draws of 30 from 50 in the same order");
        assert_eq!(ids(app.client.get_ok("/api/meme/random?limit=100").await).len(), 50);
        assert_eq!(ids(app.client.get_ok("/api/meme/random?limit=1").await).len(), 1);
    }

    async fn random_memes_have_their_category(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 2)).await;
        let id = app.category_id("Load shedding").await;
        for meme in app.client.get_ok("/api/meme/random").await.as_array().unwrap() {
            assert_eq!(meme["category_id"], id);
        }
    }

    async fn random_is_uniform(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 10)).await;
        let mut counts = std::collections::HashMap::new();
        for _ in 0..300 {
            for meme in app.client.get_ok("/api/meme/random?limit=3").await.as_array().unwrap() {
                *counts.entry(meme["id"].as_i64().unwrap()).or_insert(0_u32) += 1;
            }
        }
        // 300 draws of 3 from 10: each is expected 90 times with a standard deviation of 8. A correct sampler is off by more than 60 once in
        // 10^11 runs.
        assert_eq!(counts.len(), 10);
        assert!(counts.values().all(|count| (30..=150).contains(count)), "{counts:?}");
    }

    async fn random_includes_a_new_import_within_two_seconds(engine) {
        let app = spawn_app(engine).await;
        assert_eq!(app.client.get_ok("/api/meme/random").await, serde_json::json!([]));
        app.import(&manifest("a", 3)).await;
        tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        assert_eq!(app.client.get_ok("/api/meme/random").await.as_array().unwrap().len(), 3);
    }

    async fn random_with_invalid_limit_is_400(engine) {
        let app = spawn_app(engine).await;
        for limit in ["0", "101", "-1", "x", "1e3"] {
            assert_eq!(app.client.get(&format!("/api/meme/random?limit={limit}")).await.status, 400, "{limit}");
        }
    }
}

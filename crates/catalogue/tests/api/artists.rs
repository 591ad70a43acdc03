//! `fetchArtist`.

use crate::{manifest, spawn_app};

testkit::on_each_engine! {
    async fn fetch_artist_accepts_every_name_of_the_service(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 1)).await;
        let expected = app.client.get_ok("/api/madfunny/fetchArtist?service=MC%20Funny").await;
        insta::assert_json_snapshot!("artists", expected, { "[].id" => "[id]" });
        for name in ["madfunny", "mcfunny", "Mad%20Funny", "%20mc%20FUNNY%20"] {
            let artists = app.client.get_ok(&format!("/api/madfunny/fetchArtist?service={name}")).await;
            assert_eq!(artists, expected, "{name}");
        }
    }

    async fn fetch_artist_of_unknown_service_is_404(engine) {
        let app = spawn_app(engine).await;
        for query in ["service=diski99", "service=", "service=memeworld"] {
            let reply = app.client.get(&format!("/api/madfunny/fetchArtist?{query}")).await;
            assert_eq!(reply.status, 404, "{query}");
        }
        let reply = app.client.get("/api/madfunny/fetchArtist?service=nobody").await;
        assert_eq!(reply.header("content-type"), "application/problem+json");
        insta::assert_json_snapshot!("unknown_service", reply.json(), { ".request_id" => "[id]" });
        assert_eq!(app.client.get("/api/madfunny/fetchArtist").await.status, 400);
    }

    async fn fetch_artist_is_paged(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 0)).await;
        let first = app.client.get("/api/madfunny/fetchArtist?service=madfunny&limit=1").await;
        let names = |reply: &serde_json::Value| reply.as_array().unwrap().iter().map(|a| a["name"].clone()).collect::<Vec<_>>();
        assert_eq!(names(&first.json()), ["Gogo Thandi"]);
        let next = first.header("link").strip_prefix('<').unwrap().strip_suffix(">; rel=\"next\"").unwrap().to_owned();
        let second = app.client.get(&next).await;
        assert_eq!(names(&second.json()), ["The Quiet One"]);
        assert_eq!(second.header("link"), "");
        for query in ["limit=0", "limit=-1", "limit=x", "after=-1"] {
            assert_eq!(app.client.get(&format!("/api/madfunny/fetchArtist?service=madfunny&{query}")).await.status, 400);
        }
    }

    async fn fetch_videos_has_etag_and_is_compressed(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 50)).await;
        let path = format!("/api/madfunny/fetchVideos/{}", app.artist_id("Gogo Thandi").await);
        let uncompressed = app.client.get(&path).await;
        assert!(uncompressed.header("cache-control").starts_with("public"), "{}", uncompressed.header("cache-control"));
        let get = |name: &'static str, value: String| app.client.send(app.client.request(Default::default(), &path).header(name, value));
        let not_modified = get("if-none-match", uncompressed.header("etag").to_owned()).await;
        assert_eq!((not_modified.status, not_modified.bytes.len()), (304, 0));
        assert_eq!(get("if-none-match", "W/\"other\"".to_owned()).await.status, 200);
        for encoding in ["br", "gzip"] {
            let compressed = get("accept-encoding", encoding.to_owned()).await;
            assert_eq!(compressed.header("content-encoding"), encoding);
            assert!(compressed.bytes.len() * 4 < uncompressed.bytes.len(), "{encoding}: {}", compressed.bytes.len());
            assert_eq!(compressed.header("etag"), uncompressed.header("etag"));
        }
    }
}

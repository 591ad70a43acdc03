//! Hidden and deleted artists and videos.

use serde_json::json;

use crate::{manifest, spawn_app};

testkit::on_each_engine! {
    async fn fetchsingle_serves_unlisted_videos_but_not_deleted_ones(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 3)).await;
        let artist = app.artist_id("Gogo Thandi").await;
        let videos = app.client.get_ok(&format!("/api/madfunny/fetchVideos/{artist}")).await;
        let mut edited = manifest("b", 3);
        edited["artists"][0]["videos"][1]["state"] = json!("unlisted");
        edited["artists"][0]["videos"][2]["state"] = json!("deleted");
        app.import(&edited).await;
        for call in ["fetchVideos", "common"] {
            assert_eq!(app.client.get_ok(&format!("/api/madfunny/{call}/{artist}")).await, json!([videos[0]]), "{call}");
        }
        for (video, status) in [(0, 200), (1, 200), (2, 404)] {
            let reply = app.client.get(&format!("/api/madfunny/fetchsingle/{}", videos[video]["id"])).await;
            assert_eq!(reply.status, status, "{video}");
        }
    }

    async fn videos_of_a_deleted_artist_are_404(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 1)).await;
        let artist = app.artist_id("Gogo Thandi").await;
        let videos = app.client.get_ok(&format!("/api/madfunny/fetchVideos/{artist}")).await;
        for (state, status) in [("unlisted", 200), ("deleted", 404), ("listed", 200)] {
            let mut edited = manifest(state, 1);
            edited["artists"][0]["state"] = json!(state);
            app.import(&edited).await;
            let artists = app.client.get_ok("/api/madfunny/fetchArtist?service=mcfunny").await;
            let listed = artists.as_array().unwrap().iter().any(|listed| listed["id"] == artist);
            assert_eq!(listed, state == "listed", "{state}");
            for call in [format!("fetchVideos/{artist}"), format!("fetchsingle/{}", videos[0]["id"])] {
                assert_eq!(app.client.get(&format!("/api/madfunny/{call}")).await.status, status, "{state} {call}");
            }
        }
    }
}

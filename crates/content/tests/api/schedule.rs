//! What is before its time or past it is in no list, no draw, and at no address.

use chrono::{Duration, Utc};
use content::Options;
use serde_json::{Value, json};
use testkit::eventually;

use crate::{Family, import::manifest, spawn_family};

fn time(from_now: i64) -> Value {
    let time = Utc::now() + Duration::seconds(from_now);
    time.format("%Y-%m-%d %H:%M:%SZ").to_string().into()
}

/// The manifest with one field of one record of each kind set.
fn with(field: &str, value: &Value) -> Value {
    let mut manifest = manifest();
    let services = &mut manifest["services"];
    services["madfunny"]["artists"][0]["videos"][0][field] = value.clone();
    services["memeworld"]["categories"][0]["memes"][1][field] = value.clone();
    services["ttmbhatv"]["categories"][0]["videos"][1][field] = value.clone();
    services["ttmbhatv"]["banners"][0][field] = value.clone();
    manifest
}

/// Every address at which one of the four stands or stood, in lists or alone.
async fn sights(family: &Family, ids: &[i64; 4]) -> Vec<bool> {
    let [artist, video, meme, tt_video] = ids;
    let holds = |list: Value, id: i64| list.to_string().contains(&format!("\"id\":{id},"));
    let comedy = |call: String| async move { family.comedy.get(&format!("/api/madfunny/{call}")).await };
    let drawn = family.meme.get_ok("/api/meme/random").await;
    let category = family.meme.get_ok("/api/meme/getMemeCategories").await[0]["id"].clone();
    vec![
        comedy(format!("fetchsingle/{video}")).await.status == 200,
        holds(comedy(format!("fetchVideos/{artist}")).await.json(), *video),
        holds(comedy(format!("common/{artist}")).await.json(), *video),
        holds(drawn, *meme),
        holds(family.meme.get_ok(&format!("/api/meme/getMemeValue/{category}")).await, *meme),
        family.tt.get(&format!("/api/tt/ttsinglevideo/{tt_video}")).await.status == 200,
        holds(family.tt.get_ok("/api/tt/getcatvideos/ttmbhatv").await, *tt_video),
        holds(family.tt.get_ok("/api/tt/catVideos/drama").await, *tt_video),
        holds(family.tt.get_ok("/api/tt/ttrelated/live").await, *tt_video),
        family.tt.get_ok("/api/tt/banners/ttmbhatv").await != json!([]),
    ]
}

async fn ids(family: &Family) -> [i64; 4] {
    let [artists, _, rows, _] = family.listed().await;
    let artist = artists[0]["id"].as_i64().unwrap();
    let videos = family.comedy.get_ok(&format!("/api/madfunny/fetchVideos/{artist}")).await;
    let memes = family.meme.get_ok("/api/meme/random").await;
    let second = memes.as_array().unwrap().iter().find(|meme| meme["title"] == "Two").unwrap();
    [
        artist,
        videos[0]["id"].as_i64().unwrap(),
        second["id"].as_i64().unwrap(),
        rows[0]["videos"][1]["id"].as_i64().unwrap(),
    ]
}

testkit::on_each_engine! {
    async fn nothing_is_found_before_its_time_and_everything_from_then_on(engine) {
        let family = spawn_family(engine).await;
        family.import(&manifest(), Options::default()).await;
        let ids = ids(&family).await;
        assert_eq!(family.import(&with("publish_at", &time(3600)), Options::default()).await, [0, 4, 5, 0]);
        eventually("nothing of it is seen", async || !sights(&family, &ids).await.contains(&true)).await;
        family.import(&with("publish_at", &time(3)), Options::default()).await;
        eventually("all of it is seen", async || !sights(&family, &ids).await.contains(&false)).await;
    }

    async fn expired_records_disappear_without_an_import(engine) {
        let family = spawn_family(engine).await;
        family.import(&manifest(), Options::default()).await;
        let ids = ids(&family).await;
        family.import(&with("expires_at", &time(3600)), Options::default()).await;
        assert!(!sights(&family, &ids).await.contains(&false), "an hour is left");
        family.import(&with("expires_at", &time(2)), Options::default()).await;
        eventually("nothing of it is seen", async || !sights(&family, &ids).await.contains(&true)).await;
    }

    async fn records_of_a_deleted_group_are_not_found(engine) {
        let family = spawn_family(engine).await;
        family.import(&manifest(), Options::default()).await;
        let ids = ids(&family).await;
        let mut manifest = manifest();
        manifest["services"]["madfunny"]["artists"][0]["expires_at"] = json!("2026-01-01 00:00:00");
        manifest["services"]["memeworld"]["categories"][0]["expires_at"] = json!("2026-01-01 00:00:00");
        manifest["services"]["ttmbhatv"]["categories"][0]["expires_at"] = json!("2026-01-01 00:00:00");
        family.import(&manifest, Options::default()).await;
        eventually("none is drawn", async || family.meme.get_ok("/api/meme/random").await == json!([])).await;
        for (client, path) in [
            (&family.comedy, format!("/api/madfunny/fetchsingle/{}", ids[1])),
            (&family.comedy, format!("/api/madfunny/fetchVideos/{}", ids[0])),
            (&family.tt, format!("/api/tt/ttsinglevideo/{}", ids[3])),
            (&family.tt, "/api/tt/catVideos/drama".to_owned()),
        ] {
            assert_eq!(client.get(&path).await.status, 404, "{path}");
        }
        assert_eq!(family.tt.get_ok("/api/tt/ttrelated/live").await, json!([]));
        assert_eq!(family.listed().await[..3], [json!([]), json!([]), json!([])]);
    }
}

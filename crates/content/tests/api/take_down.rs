//! `content unlist`, `content relist` and `content log`.

use std::time::{Duration, Instant};

use content::{Options, Order};
use serde_json::json;
use testkit::eventually;

use crate::{Family, import::manifest, spawn_family};

fn order<'a>(kind: &'a str, record: &'a str, state: &'a str) -> Order<'a> {
    Order { kind, record, state, who: "thandi", reason: "A complaint by the club" }
}

async fn move_to(family: &Family, service: &str, kind: &str, record: &str, state: &str) -> Result<String, String> {
    let brands = testkit::brands();
    let done = content::take_down(&brands, &family.services, service, order(kind, record, state)).await;
    done.map(|done| format!("{} {} {}", done.slug, done.from_state, done.to_state)).map_err(|error| error.to_string())
}

testkit::on_each_engine! {
    async fn it_holds_on_every_replica_at_once_and_against_every_manifest(engine) {
        let mut family = spawn_family(engine).await;
        let replica = family.tt_replica().await;
        family.import(&manifest(), Options::default()).await;
        let rows = "/api/tt/getcatvideos/ttmbhatv";
        let count = async |client: &testkit::Client| client.get_ok(rows).await[0]["videos"].as_array().unwrap().len();
        eventually("the replica sees both", async || count(&replica).await == 2).await;
        let id = family.tt.get_ok(rows).await[0]["videos"][0]["id"].to_string();
        assert_eq!(move_to(&family, "ttmbhatv", "video", &id, "unlisted").await.unwrap(), "d1 listed unlisted");
        assert_eq!(count(&family.tt).await, 1, "the replica that took it down shows it gone at once");
        let began = Instant::now();
        eventually("the replica sees it gone", async || count(&replica).await == 1).await;
        // A reply is cached for half a second; a busy machine may need longer before it reads at all.
        assert!(began.elapsed() < Duration::from_secs(60));
        assert_eq!(replica.get(&format!("/api/tt/ttsinglevideo/{id}")).await.status, 200, "its own address answers");
        // The next night's manifest lists it still, with another title.
        let mut nightly = manifest();
        nightly["services"]["ttmbhatv"]["categories"][0]["videos"][0]["name"] = json!("renamed");
        family.import(&nightly, Options::default()).await;
        assert_eq!(count(&family.tt).await, 1);
        assert_eq!(family.tt.get_ok(&format!("/api/tt/ttsinglevideo/{id}")).await["name"], "renamed");
        assert_eq!(move_to(&family, "ttmbhatv", "video", "d1", "deleted").await.unwrap(), "d1 unlisted deleted");
        assert_eq!(family.tt.get(&format!("/api/tt/ttsinglevideo/{id}")).await.status, 404);
        assert_eq!(move_to(&family, "TTMBHATV", "video", "d1", "listed").await.unwrap(), "d1 deleted listed");
        assert_eq!(count(&family.tt).await, 2);
        let log = content::take_downs(&testkit::brands(), &family.services, "ttmbhatv").await.unwrap();
        let entries: Vec<_> = log.iter().map(|line| (line.who.as_str(), line.to_state.as_str(), line.reason.as_str())).collect();
        let reason = "A complaint by the club";
        assert_eq!(entries, [("thandi", "listed", reason), ("thandi", "deleted", reason), ("thandi", "unlisted", reason)]);
    }

    async fn prune_skips_held_records(engine) {
        let family = spawn_family(engine).await;
        family.import(&manifest(), Options::default()).await;
        let id = family.tt.get_ok("/api/tt/getcatvideos/ttmbhatv").await[0]["videos"][0]["id"].to_string();
        move_to(&family, "ttmbhatv", "video", "d1", "unlisted").await.unwrap();
        let mut less = manifest();
        less["services"]["ttmbhatv"]["categories"][0]["videos"].as_array_mut().unwrap().remove(0);
        let prune = Options { prune: true, ..Options::default() };
        assert_eq!(family.import(&less, prune).await[3], 0);
        assert_eq!(family.tt.get(&format!("/api/tt/ttsinglevideo/{id}")).await.status, 200, "unlisted, as it was");
    }

    async fn take_down_by_number_prefers_the_slug(engine) {
        let family = spawn_family(engine).await;
        family.import(&manifest(), Options::default()).await;
        let id = family.tt.get_ok("/api/tt/getcatvideos/ttmbhatv").await[0]["videos"][0]["id"].to_string();
        let mut more = manifest();
        let videos = more["services"]["ttmbhatv"]["categories"][0]["videos"].as_array_mut().unwrap();
        for slug in [id.as_str(), "987654"] {
            let mut video = videos[0].clone();
            video["slug"] = json!(slug);
            videos.push(video);
        }
        family.import(&more, Options::default()).await;
        assert_eq!(move_to(&family, "ttmbhatv", "video", "987654", "unlisted").await.unwrap(), "987654 listed unlisted");
        let refused = move_to(&family, "ttmbhatv", "video", &id, "unlisted").await.unwrap_err();
        assert!(refused.contains(&format!("{id} is the id of d1 and the slug of")), "{refused}");
    }

    async fn unlisted_meme_is_not_drawn(engine) {
        let family = spawn_family(engine).await;
        family.import(&manifest(), Options::default()).await;
        assert_eq!(family.meme.get_ok("/api/meme/random").await.as_array().unwrap().len(), 2);
        move_to(&family, "memeworld", "meme", "m1", "unlisted").await.unwrap();
        for _ in 0..20 {
            assert_eq!(family.meme.get_ok("/api/meme/random").await[0]["title"], "Two");
        }
        move_to(&family, "memeworld", "category", "monday", "unlisted").await.unwrap();
        assert_eq!(family.meme.get_ok("/api/meme/random").await, json!([]));
        move_to(&family, "MC Funny", "artist", "gogo", "unlisted").await.unwrap();
        assert_eq!(family.listed().await[0], json!([]));
    }

    async fn take_down_of_unknown_records_is_refused(engine) {
        let family = spawn_family(engine).await;
        family.import(&manifest(), Options::default()).await;
        for (service, kind, record, words) in [
            ("nowhere", "video", "1", "there is no such service"),
            ("ttmbhatv", "meme", "1", "it has: category, video, banner"),
            ("ttmbhatv", "video", "987654", "ttmbhatv has no video"),
            ("raceday", "video", "d1", "raceday has no video"),
        ] {
            let refused = move_to(&family, service, kind, record, "unlisted").await.unwrap_err();
            assert!(refused.contains(words), "{refused}");
        }
        let nameless = Order { who: " ", ..order("video", "d1", "unlisted") };
        let refused = content::take_down(&testkit::brands(), &family.services, "ttmbhatv", nameless).await.unwrap_err();
        assert!(refused.to_string().contains("who"), "{refused}");
    }
}

//! `search/{service}`.

use serde_json::{Value, json};
use testkit::ADMIN_TOKEN;

use crate::{ANI, App, manifest, spawn_app};

impl App {
    /// The titles of a search's results, best first.
    async fn found(&self, query: &str) -> Vec<String> {
        titles(&self.client.get_ok(&address(query)).await)
    }
}

fn titles(videos: &Value) -> Vec<String> {
    videos.as_array().unwrap().iter().map(|video| video["video_name"].as_str().unwrap().to_owned()).collect()
}

fn address(query: &str) -> String {
    let query: String = url::form_urlencoded::byte_serialize(query.as_bytes()).collect();
    format!("/api/tt/search/ttmbhatv?q={query}")
}

/// A manifest of one category with these titles.
fn manifest_with_titles(digest: &str, category: &str, titles: &[&str]) -> Value {
    let mut manifest = manifest("ttmbhatv");
    let video = manifest["categories"][0]["videos"][0].clone();
    let videos = titles.iter().enumerate().map(|(number, title)| {
        let mut video = video.clone();
        video["slug"] = json!(format!("video-{number}"));
        video["name"] = json!(title);
        video["video_name"] = json!(title);
        video
    });
    manifest["categories"] = json!([{"slug": "only", "category_name": category, "videos": videos.collect::<Vec<_>>()}]);
    manifest["banners"] = json!([]);
    manifest["digest"] = json!(digest);
    manifest
}

testkit::on_each_engine! {
    async fn search_matches_all_words_in_any_order_case_and_accents(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest_with_titles("a", "Kasi stories", &["The last taxi", "Thohoyanḓou by night", "Taxi rank"])).await;
        assert_eq!(app.found("taxi last").await, ["The last taxi"]);
        assert_eq!(app.found("  TAXI!  ").await, ["Taxi rank", "The last taxi"], "the shorter title first");
        assert_eq!(app.found("thohoyandou").await, ["Thohoyanḓou by night"]);
        assert_eq!(app.found("thohoyanḓou night").await, ["Thohoyanḓou by night"]);
        assert_eq!(app.found("kasi rank").await, ["Taxi rank"], "the category counts");
        assert_eq!(app.found("crew taxi rank").await, ["Taxi rank"], "the artist counts");
        assert_eq!(app.found("taxi bus").await, [""; 0]);
        assert_eq!(app.found("!!!").await, [""; 0]);
    }

    async fn search_matches_prefixes_and_typos(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest_with_titles("a", "Drama", &["Stokvel queens", "Gogo knows", "Umlilo", "Ring road"])).await;
        assert_eq!(app.found("stok").await, ["Stokvel queens"]);
        assert_eq!(app.found("gogo kn").await, ["Gogo knows"]);
        for wrong in ["stokvle", "stokvl", "stokvvel", "stokwel", "stokvel quens", "stokvle qeens", "gogo konws", "umililo", "rinh road", "gogo known"] {
            assert_eq!(app.found(wrong).await.len(), 1, "{wrong}");
        }
        assert_eq!(app.found("stovkle").await, [""; 0], "two wrong letters are another word");
    }

    async fn search_ranks_exact_words_first(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest_with_titles("a", "Road", &["Late again", "Roads", "Road"])).await;
        assert_eq!(app.found("road").await, ["Road", "Roads", "Late again"]);
    }

    async fn search_is_paged(engine) {
        let app = spawn_app(engine).await;
        let titles: Vec<String> = (0..250).map(|number| format!("Episode {number}")).collect();
        app.import(&manifest_with_titles("a", "Series", &titles.iter().map(String::as_str).collect::<Vec<_>>())).await;
        let (mut next, mut ids) = (Some(format!("{}&limit=100", address("episode"))), Vec::new());
        while let Some(address) = next {
            let reply = app.client.get(&address).await;
            assert_eq!(reply.status, 200);
            ids.extend(reply.json().as_array().unwrap().iter().map(|video| video["id"].as_i64().unwrap()));
            let link = reply.header("link").to_owned();
            next = link.split_once('<').and_then(|(_, rest)| rest.split_once(">; rel=\"next\"")).map(|(to, _)| to.to_owned());
        }
        assert_eq!(ids.len(), 250);
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 250, "none comes twice");
        let beyond = app.client.get_ok(&format!("{}&after=9223372036854775807", address("episode"))).await;
        assert_eq!(beyond, json!([]));
    }

    async fn search_index_follows_edits(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest_with_titles("a", "Drama", &["Umlilo"])).await;
        app.import(&manifest_with_titles("b", "Comedy", &["Amanzi"])).await;
        for gone in ["umlilo", "drama"] {
            assert_eq!(app.found(gone).await, [""; 0], "{gone}");
        }
        for new in ["amanzi", "comedy", "amanzj"] {
            assert_eq!(app.found(new).await, ["Amanzi"], "{new}");
        }
        let mut unlisted = manifest_with_titles("c", "Comedy", &["Amanzi"]);
        unlisted["categories"][0]["videos"][0]["state"] = json!("unlisted");
        app.import(&unlisted).await;
        assert_eq!(app.found("amanzi").await, [""; 0]);
        let mut expired = manifest_with_titles("d", "Comedy", &["Amanzi"]);
        expired["categories"][0]["expires_at"] = json!("2026-01-01 00:00:00");
        app.import(&expired).await;
        assert_eq!(app.found("amanzi").await, [""; 0], "its category is not listed");
    }

    async fn search_finds_only_the_services_own_videos(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("ttmbhatv")).await;
        app.import(&manifest("raceday")).await;
        let own = app.client.get_ok("/api/tt/search/ttmbhatv?q=drama").await;
        let others = app.client.get_ok("/api/tt/search/RACEDAYTV?q=drama").await;
        assert_eq!((own.as_array().unwrap().len(), others.as_array().unwrap().len()), (3, 3));
        assert_ne!(own[0]["id"], others[0]["id"]);
        assert!(others[0]["vurl"].as_str().unwrap().starts_with("/media/raceday/"));
    }

    async fn search_without_a_query_lists_the_newest_or_the_most_liked(engine) {
        let app = spawn_app(engine).await;
        let mut library = manifest_with_titles("a", "Drama", &["First", "Second", "Third", "Later", "Hidden"]);
        for (number, day) in [5, 7, 6, 8, 9].into_iter().enumerate() {
            library["categories"][0]["videos"][number]["datetime"] = json!(format!("2026-03-0{day} 18:30:00"));
        }
        library["categories"][0]["videos"][3]["publish_at"] = json!("2126-03-08 18:30:00");
        library["categories"][0]["videos"][4]["state"] = json!("unlisted");
        app.import(&library).await;
        let listed = async |query: &str| titles(&app.client.get_ok(&format!("/api/tt/search/ttmbhatv?{query}")).await);
        for query in ["", "order=newest"] {
            assert_eq!(listed(query).await, ["Second", "Third", "First"], "{query}");
        }
        let first = app.client.get("/api/tt/search/ttmbhatv?order=newest&limit=2").await;
        assert_eq!(first.header("link"), "</api/tt/search/ttmbhatv?order=newest&limit=2&after=2>; rel=\"next\"");
        assert_eq!(listed("order=newest&limit=2&after=2").await, ["First"]);
        assert_eq!(listed("order=newest&after=9223372036854775807").await, [""; 0]);

        let ids = app.video_ids("ttmbhatv").await;
        let (one, other) = (app.client.with_session(152, ANI), app.client.with_session(152, "27829999999"));
        for (client, id) in [(&one, ids[0]), (&one, ids[2]), (&other, ids[2]), (&other, ids[2])] {
            assert_eq!(client.post("/api/tt/likevideo", &json!({"videoid": id})).await.status, 200);
        }
        // A reply is cached for half a second: each of these has a limit of its own.
        assert_eq!(listed("order=most_liked&limit=10").await, ["Third", "First"], "nothing without a like");
        one.delete("/api/tt/unlikevideo", &json!({"videoid": ids[0]})).await;
        assert_eq!(listed("order=most_liked&limit=11").await, ["Third"]);
        for number in [ANI, "27829999999"] {
            let erasure = app.client.request("DELETE".parse().unwrap(), &format!("/internal/persons/{number}"));
            assert_eq!(app.client.send(erasure.bearer_auth(ADMIN_TOKEN)).await.status, 200);
        }
        assert_eq!(listed("order=most_liked&limit=12").await, [""; 0], "erased likes do not count");
    }

    async fn search_with_invalid_query_is_400(engine) {
        let app = spawn_app(engine).await;
        for (query, status) in [("", 400), ("%20%20", 400), (&*"x".repeat(101), 400), (&*"x".repeat(100), 200), ("%00", 200), ("'%22;--%25_*", 200)] {
            let reply = app.client.get(&format!("/api/tt/search/ttmbhatv?q={query}")).await;
            assert_eq!(reply.status, status, "{query}");
        }
        assert_eq!(app.client.get("/api/tt/search/ttmbhatv?order=oldest").await.status, 400);
        assert_eq!(app.client.get("/api/tt/search/unknown?q=x").await.status, 404);
        assert_eq!(app.client.get("/api/tt/search/ttmbhatv?q=x&limit=0").await.status, 400);
    }
}

//! No call of a catalogue reads a whole table: every statement that the services really send is explained, on both engines.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must say so and fail")]

mod explain;
mod library;

use serde_json::json;
use service::{Running, ServeConfig};
use store::{Db, Migrations};
use testkit::{Client, Engine, TestStore};

const ANI: &str = "27812345678";

fn settings(place: &TestStore) -> catalogue::Config {
    catalogue::Config {
        brands_file: concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/brands.toml").into(),
        public_port: 8080,
        admin_token: Some(testkit::ADMIN_TOKEN.to_owned()),
        staff_token_public_keys: None,
        changes_months: 24,
        production: service::Production::default(),
        store: place.config.clone(),
        serve: ServeConfig { workers: 1, ..ServeConfig::default() },
    }
}

/// Fills an owner's tables, then records what `ask` makes the service send, and explains it.
async fn examine(
    engine: Engine,
    owner: &'static str,
    migrations: Migrations,
    fill: &'static str,
    ask: impl AsyncFnOnce(&TestStore),
) {
    let place = testkit::store(engine).await;
    let db = Db::open(&place.config, owner, migrations).await.unwrap();
    db.run(move |conn| library::fill(conn, fill)).await.unwrap();
    testkit::take_statements();
    ask(&place).await;
    let statements: Vec<String> =
        testkit::take_statements().into_iter().map(|sent| sent.text).filter(|text| reads_rows(text)).collect();
    assert!(statements.len() >= 3, "{owner}: the record is empty");
    for statement in statements {
        let text = statement.clone();
        let plan = db.run(move |conn| explain::explain(conn, &text)).await.unwrap();
        let faults = explain::faults(&plan);
        assert!(faults.is_empty(), "{owner} on {engine:?}: {faults:?}\n{statement}\n{}", plan.join("\n"));
    }
}

/// Whether a statement looks for rows, as every one but a plain insert does.
fn reads_rows(statement: &str) -> bool {
    ["SELECT", "WITH", "UPDATE", "DELETE"].iter().any(|verb| statement.starts_with(verb))
}

/// The public paths of a service's OpenAPI document that this test does not request.
fn unrequested(document: &serde_json::Value, requested: &[&str]) -> Vec<String> {
    let fits = |pattern: &str, address: &str| {
        let (pattern, address) = (pattern.split('/'), address.split('?').next().unwrap().split('/'));
        pattern.clone().count() == address.clone().count()
            && pattern
                .zip(address)
                .all(|(part_of_pattern, part)| part_of_pattern == part || part_of_pattern.starts_with('{'))
    };
    let visitors = document["paths"].as_object().unwrap().keys().filter(|path| path.starts_with("/api/"));
    visitors.filter(|path| !requested.iter().any(|address| fits(path, address))).cloned().collect()
}

/// Requests a kind's lists as editors do, in every order and with filters, and one record.
async fn request_lists(running: &Running, host: &str, service: &str, kind: &str, slug: &str, parent: Option<&str>) {
    let client = Client::new(running.addr, host);
    let mut queries: Vec<String> = ["newest", "oldest", "slug", "reverse", "title", "position"]
        .iter()
        .filter(|sort| **sort != "position" || matches!(kind, "artist" | "category" | "banner"))
        .flat_map(|sort| {
            let after = if matches!(*sort, "slug" | "reverse") { slug } else { "10000" };
            [
                format!("sort={sort}"),
                format!("sort={sort}&after={after}"),
                format!("sort={sort}&state=deleted&q=video%2019"),
            ]
        })
        .collect();
    // Scheduled and expired records are not in the list: no index has them, and few lists are that rare; they read the service's rows.
    queries.extend(["listed", "unlisted", "deleted"].map(|state| format!("state={state}")));
    queries.push("missing=zu&limit=50".to_owned());
    queries.extend(parent.map(|parent| format!("parent={parent}&limit=50")));
    let lists = queries.iter().map(|query| format!("/internal/records/{kind}?service={service}&{query}"));
    let more = [
        format!("/internal/records/{kind}/{slug}?service={service}"),
        format!("/internal/translations/{kind}?service={service}"),
    ];
    for path in lists.chain(more) {
        let reply = client.send(client.request(reqwest::Method::GET, &path).bearer_auth(testkit::ADMIN_TOKEN)).await;
        assert_eq!(reply.status, 200, "{path}: {}", String::from_utf8_lossy(&reply.bytes));
    }
}

async fn request_all(
    running: &Running,
    document: serde_json::Value,
    host: &str,
    svc_id: i32,
    gets: &[&str],
    writes: &[(&str, &str, serde_json::Value)],
) {
    let requested: Vec<&str> = gets.iter().copied().chain(writes.iter().map(|(_, path, _)| *path)).collect();
    let unrequested = unrequested(&document, &requested);
    assert!(unrequested.is_empty(), "no request for {unrequested:?}: add it to this list");
    let client = Client::new(running.addr, host).with_session(svc_id, ANI);
    for get in gets {
        // Readers of another language get translations, too.
        for language in ["en", "zu"] {
            let request = client.request(reqwest::Method::GET, get).header("accept-language", language);
            let reply = client.send(request).await;
            assert_eq!(reply.status, 200, "{get}: {}", String::from_utf8_lossy(&reply.bytes));
        }
    }
    for (method, path, body) in writes {
        let request = client.request(method.parse().unwrap(), path).json(body);
        let reply = client.send(request).await;
        assert_eq!(reply.status, 200, "{path}: {}", String::from_utf8_lossy(&reply.bytes));
    }
    // Export and erasure seek the rows of the number.
    for method in [reqwest::Method::GET, reqwest::Method::DELETE] {
        let path = format!("/internal/persons/{ANI}");
        let reply = client.send(client.request(method, &path).bearer_auth(testkit::ADMIN_TOKEN)).await;
        assert_eq!(reply.status, 200, "{path}: {}", String::from_utf8_lossy(&reply.bytes));
    }
}

#[actix_web::test]
async fn calls_scan_no_whole_table() {
    testkit::watch_statements();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        examine(engine, "comedy", comedy::PUBLICATION.migrations, library::ARTISTS, async |place| {
            let config = comedy::Config { bind: "127.0.0.1:0".parse().unwrap(), catalogue: settings(place) };
            let running = comedy::start(config).await.unwrap();
            let gets = [
                "/api/madfunny/fetchArtist?service=madfunny",
                "/api/madfunny/fetchArtist?service=madfunny&after=10000&limit=5",
                "/api/madfunny/fetchVideos/20",
                "/api/madfunny/common/20?after=3",
                "/api/madfunny/fetchsingle/20",
                "/api/madfunny/search/madfunny?q=video%2019",
                "/api/madfunny/search/madfunny?q=vidoe%2019",
                "/api/madfunny/search/madfunny",
            ];
            request_all(&running, comedy::PUBLICATION.openapi(), "mcfunny", 148, &gets, &[]).await;
            request_lists(&running, "mcfunny", "madfunny", "artist", "artist-20", None).await;
            request_lists(&running, "mcfunny", "madfunny", "video", "video-20", Some("artist-20")).await;
        })
        .await;
        examine(engine, "meme", meme::PUBLICATION.migrations, library::MEMES, async |place| {
            let config = meme::Config {
                bind: "127.0.0.1:0".parse().unwrap(),
                session_public_keys: testkit::minter().public_key(),
                catalogue: settings(place),
            };
            let running = meme::start(config).await.unwrap();
            let gets = [
                "/api/meme/getMemeCategories",
                "/api/meme/getMemeCategories?after=10000&limit=5",
                "/api/meme/getMemeValue/20",
                "/api/meme/getMemeValue/20?after=5&limit=2",
                "/api/meme/random",
                "/api/meme/mine",
                "/api/meme/liked",
                "/api/meme/search/memeworld?q=meme%2020",
                "/api/meme/search/memeworld?q=meem%2020",
                "/api/meme/search/memeworld",
                "/api/meme/search/memeworld?order=most_liked",
            ];
            let writes = [
                ("POST", "/api/meme/postlike", json!({"id": 20})),
                ("DELETE", "/api/meme/unlike", json!({"meme_id": 20})),
            ];
            request_all(&running, meme::PUBLICATION.openapi(), "memeworld", 150, &gets, &writes).await;
            request_lists(&running, "memeworld", "memeworld", "category", "category-20", None).await;
            request_lists(&running, "memeworld", "memeworld", "meme", "meme-20", Some("category-20")).await;
        })
        .await;
        examine(engine, "tt", tt::PUBLICATION.migrations, library::VIDEOS, async |place| {
            let config = tt::Config {
                bind: "127.0.0.1:0".parse().unwrap(),
                session_public_keys: testkit::minter().public_key(),
                catalogue: settings(place),
            };
            let running = tt::start(config).await.unwrap();
            let gets = [
                "/api/tt/getCategory/ttmbhatv",
                "/api/tt/getcatvideos/ttmbhatv",
                "/api/tt/getcatvideos/ttmbhatv?after=50&limit=3",
                "/api/tt/catVideos/20",
                "/api/tt/catVideos/category%2020",
                "/api/tt/ttsinglevideo/20",
                "/api/tt/ttrelated/live-0",
                "/api/tt/ttrelated/live-0?after=7",
                "/api/tt/search/ttmbhatv?q=video%2020",
                "/api/tt/search/ttmbhatv?q=vidoe%2020",
                "/api/tt/search/ttmbhatv",
                "/api/tt/search/ttmbhatv?order=most_liked",
                "/api/tt/banners/ttmbhatv",
                "/api/tt/banners/ttmbhatv?after=10000&limit=5",
                "/api/tt/mine/ttmbhatv",
                "/api/tt/getTTWatchlist/ttmbhatv",
                "/api/tt/getTTWatchlist/ttmbhatv?limit=2&after=1772735400-20",
            ];
            let writes = [
                ("POST", "/api/tt/likevideo", json!({"videoid": 20})),
                ("DELETE", "/api/tt/unlikevideo", json!({"videoid": 20})),
                ("POST", "/api/tt/ttaddwatchlist", json!({"videoid": 20})),
                ("DELETE", "/api/tt/ttremove", json!({"videoid": 20})),
            ];
            request_all(&running, tt::PUBLICATION.openapi(), "ttmbhatv", 152, &gets, &writes).await;
            request_lists(&running, "ttmbhatv", "ttmbhatv", "category", "category-20", None).await;
            request_lists(&running, "ttmbhatv", "ttmbhatv", "video", "video-20", Some("category-20")).await;
            request_lists(&running, "ttmbhatv", "ttmbhatv", "banner", "banner-20", None).await;
        })
        .await;
    }
}

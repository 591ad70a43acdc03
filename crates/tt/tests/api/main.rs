//! API tests of the video-on-demand service, on both engines.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must say so and fail")]

mod catalogue;
mod import;
mod languages;
mod order;
mod personal;
mod replicas;
mod search;
mod states;
mod translations;

use serde_json::{Value, json};
use service::{Running, ServeConfig};
use testkit::{ADMIN_TOKEN, Client, Engine, TestStore};
use tt::Config;

/// The phone number of tests that need only one.
pub(crate) const ANI: &str = "27812345678";

/// The service under test, and a client that calls it as the gateway does.
pub(crate) struct App {
    pub(crate) client: Client,
    _running: Running,
    store: TestStore,
}

/// Starts an empty video-on-demand service.
pub(crate) async fn spawn_app(engine: Engine) -> App {
    let store = testkit::store_with_tables(engine, &[("tt", tt::PUBLICATION.migrations)]).await;
    let running = start(&store).await;
    App { client: Client::new(running.addr, "ttmbhatv"), _running: running, store }
}

async fn start(store: &TestStore) -> Running {
    let config = Config {
        bind: "127.0.0.1:0".parse().unwrap(),
        session_public_keys: testkit::minter().public_key(),
        catalogue: ::catalogue::Config {
            brands_file: concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/brands.toml").into(),
            public_port: 8080,
            admin_token: Some(ADMIN_TOKEN.to_owned()),
            staff_token_public_keys: None,
            changes_months: 24,
            production: service::Production::default(),
            store: store.config.clone(),
            serve: ServeConfig { workers: 1, ..ServeConfig::default() },
        },
    };
    tt::start(config).await.unwrap()
}

/// A manifest of two categories of three videos each and two banners, for the service of this name and media folder.
pub(crate) fn manifest(service: &str) -> Value {
    let video = |category: &str, number: usize| {
        json!({
            "slug": format!("{category}-{number}"),
            "name": format!("{category} {number}"),
            "video_name": format!("The {category} number {number}"),
            "artist": "Our own crew",
            "status": if number == 1 { "live" } else { "classic" },
            "media": format!("{service}/{category}-{number}.mp4"),
            "image": format!("https://images.spaza.example/{category}-{number}.webp"),
            "datetime": "2026-03-05 18:30:00",
            "duration_s": 8,
            "bytes": 65536
        })
    };
    let category = |slug: &str, name: &str| json!({"slug": slug, "category_name": name, "videos": (1..=3).map(|number| video(slug, number)).collect::<Vec<_>>()});
    json!({
        "service": service,
        "digest": "a",
        "categories": [category("drama", "Drama"), category("music", "Music & Dance")],
        "banners": [
            {"slug": "first", "title": "Tonight", "image": "https://images.spaza.example/b1.webp", "video": "drama-2"},
            {"slug": "second", "title": "Soon", "image": "https://images.spaza.example/b2.webp", "video": null}
        ]
    })
}

impl App {
    /// Another process with the same database, and a client for it.
    pub(crate) async fn replica(&self) -> (Running, Client) {
        let running = start(&self.store).await;
        let client = Client::new(running.addr, "ttmbhatv");
        (running, client)
    }

    /// Imports a manifest; returns how many records were added, changed and unchanged.
    pub(crate) async fn import(&self, manifest: &Value) -> [u64; 3] {
        self.client.import(manifest).await.unwrap()
    }

    /// The ids of a service's videos, in the order of the manifest.
    pub(crate) async fn video_ids(&self, service: &str) -> Vec<i64> {
        let rows = self.client.get_ok(&format!("/api/tt/getcatvideos/{service}")).await;
        let rows = rows.as_array().unwrap();
        rows.iter()
            .flat_map(|row| row["videos"].as_array().unwrap())
            .map(|video| video["id"].as_i64().unwrap())
            .collect()
    }
}

testkit::on_each_engine! {
    async fn program_with_migrate_applies_migrations_and_exits(engine) {
        testkit::check_migrate(env!("CARGO_BIN_EXE_tt"), "tt", "tt", engine).await;
    }
}

#[testkit::actix_web::test]
async fn program_in_production_rejects_weak_settings() {
    let key = testkit::minter().public_key();
    let settings = [("ADMIN_TOKEN", testkit::STRONG_SECRET), ("SESSION_PUBLIC_KEYS", &key)];
    let published = format!("{key},k4.public.eO_Kf_9QeY9usk6ydg3ltc3GhBQnCbGVXX8pFwcjegk");
    let refused = [("ADMIN_TOKEN", "a"), ("ADMIN_TOKEN", "dev-admin"), ("SESSION_PUBLIC_KEYS", &published)];
    testkit::check_production(env!("CARGO_BIN_EXE_tt"), &settings, "DATABASE_URL", &refused).await;
}

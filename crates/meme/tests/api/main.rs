//! API tests of the meme service, on both engines.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must say so and fail")]

mod categories;
mod import;
mod likes;
mod memes;
mod search;
mod states;
mod translations;

use meme::Config;
use serde_json::{Value, json};
use service::{Running, ServeConfig};
use testkit::{ADMIN_TOKEN, Client, Engine, TestStore};

/// The phone number of tests that need only one.
pub(crate) const ANI: &str = "27812345678";
/// The service id of memeworld.
pub(crate) const SVC_ID: i32 = 150;

/// The service under test, and a client that calls it as the gateway does.
pub(crate) struct App {
    pub(crate) client: Client,
    _running: Running,
    _store: TestStore,
}

/// Starts an empty meme service.
pub(crate) async fn spawn_app(engine: Engine) -> App {
    let store = testkit::store_with_tables(engine, &[("meme", meme::PUBLICATION.migrations)]).await;
    let config = Config {
        bind: "127.0.0.1:0".parse().unwrap(),
        session_public_keys: testkit::minter().public_key(),
        catalogue: catalogue::Config {
            brands_file: concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/brands.toml").into(),
            public_port: 8080,
            admin_token: Some(ADMIN_TOKEN.to_owned()),
            staff_token_public_keys: None,
            changes_months: 24,
            production: service::Production::default(),
            store: store.config.clone(),
            serve: ServeConfig { workers: 2, ..ServeConfig::default() },
        },
    };
    let running = meme::start(config).await.unwrap();
    App { client: Client::new(running.addr, "memeworld"), _running: running, _store: store }
}

/// A manifest with a category of `memes` memes and an empty category.
pub(crate) fn manifest(digest: &str, memes: usize) -> Value {
    let meme = |number| {
        json!({
            "slug": format!("meme-{number}"),
            "title": format!("Meme {number}"),
            "image": format!("https://images.spaza.example/meme-{number}.webp"),
            "created_at": "2026-03-05 18:30:00"
        })
    };
    json!({
        "service": "memeworld",
        "digest": digest,
        "categories": [
            { "slug": "load-shedding", "name": "Load shedding", "memes": (1..=memes).map(meme).collect::<Vec<_>>() },
            { "slug": "nothing-yet", "name": "Nothing yet" }
        ]
    })
}

impl App {
    /// Imports a manifest; returns how many records were added, changed and unchanged.
    pub(crate) async fn import(&self, manifest: &Value) -> [u64; 3] {
        self.client.import(manifest).await.unwrap()
    }

    /// The id of the category with this name.
    pub(crate) async fn category_id(&self, name: &str) -> i64 {
        let categories = self.client.get_ok("/api/meme/getMemeCategories").await;
        let found = categories.as_array().unwrap().iter().find(|category| category["name"] == name).unwrap().clone();
        found["id"].as_i64().unwrap()
    }

    /// The ids of the memes in the category with memes.
    pub(crate) async fn meme_ids(&self) -> Vec<i64> {
        let id = self.category_id("Load shedding").await;
        let reply = self.client.get_ok(&format!("/api/meme/getMemeValue/{id}")).await;
        reply["memeData"].as_array().unwrap().iter().map(|meme| meme["id"].as_i64().unwrap()).collect()
    }
}

testkit::on_each_engine! {
    async fn program_with_migrate_applies_migrations_and_exits(engine) {
        testkit::check_migrate(env!("CARGO_BIN_EXE_meme"), "meme", "meme", engine).await;
    }
}

#[testkit::actix_web::test]
async fn program_in_production_rejects_weak_settings() {
    let key = testkit::minter().public_key();
    let settings = [("ADMIN_TOKEN", testkit::STRONG_SECRET), ("SESSION_PUBLIC_KEYS", &key)];
    let published = format!("{key},k4.public.eO_Kf_9QeY9usk6ydg3ltc3GhBQnCbGVXX8pFwcjegk");
    let refused = [("ADMIN_TOKEN", "a"), ("ADMIN_TOKEN", "dev-admin"), ("SESSION_PUBLIC_KEYS", &published)];
    testkit::check_production(env!("CARGO_BIN_EXE_meme"), &settings, "DATABASE_URL", &refused).await;
}

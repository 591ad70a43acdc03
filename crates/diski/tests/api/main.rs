//! API tests of the diski service: its brands and its prefix; the endpoints are tested in `catalogue`.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must say so and fail")]

use serde_json::json;
use service::ServeConfig;
use testkit::{ADMIN_TOKEN, Client};

testkit::on_each_engine! {
    async fn import_publishes_the_brand_below_the_prefix(engine) {
        let store = testkit::store(engine).await;
        let catalogue = catalogue::Config {
            brands_file: concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/brands.toml").into(),
            public_port: 8080,
            admin_token: Some(ADMIN_TOKEN.to_owned()),
            staff_token_public_keys: None,
            changes_months: 24,
            production: service::Production::default(),
            store: store.config.clone(),
            serve: ServeConfig { workers: 1, ..ServeConfig::default() },
        };
        let running = diski::start(diski::Config { bind: "127.0.0.1:0".parse().unwrap(), catalogue }).await.unwrap();
        let client = Client::new(running.addr, "diski99");
        assert_eq!(client.get("/readyz").await.status, 200);
        let manifest = json!({
            "service": "diski99",
            "digest": "a",
            "artists": [{"slug": "a", "artist": "A", "description": "", "image": "https://images.spaza.example/a.webp"}]
        });
        assert_eq!(client.import(&manifest).await.unwrap(), [1, 0, 0]);
        let artists = client.get_ok("/api/diski/fetchArtist?service=diski99").await;
        assert_eq!(artists[0]["artist"], "A");
        running.stop().await;
    }
}

testkit::on_each_engine! {
    async fn program_with_migrate_applies_migrations_and_exits(engine) {
        testkit::check_migrate(env!("CARGO_BIN_EXE_diski"), "diski", "artists", engine).await;
    }
}

#[testkit::actix_web::test]
async fn program_in_production_rejects_weak_settings() {
    let settings = [("ADMIN_TOKEN", testkit::STRONG_SECRET)];
    let refused = [("ADMIN_TOKEN", "a"), ("ADMIN_TOKEN", "dev-admin")];
    testkit::check_production(env!("CARGO_BIN_EXE_diski"), &settings, "DATABASE_URL", &refused).await;
}

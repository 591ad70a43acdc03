//! API tests of a catalogue of artists, on both engines.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on must say so and fail")]

mod artists;
mod import;
mod persons;
mod previews;
mod records;
mod search;
mod states;
mod uploads;
mod videos;

use catalogue::Kind;
use serde_json::{Value, json};
use service::{Running, ServeConfig};
use testkit::{ADMIN_TOKEN, Client, Engine, TestStore};

/// The service under test, and a client that calls it as the gateway does.
pub(crate) struct App {
    pub(crate) client: Client,
    _running: Running,
    _store: TestStore,
}

/// Starts an empty catalogue of comedians.
pub(crate) async fn spawn_app(engine: Engine) -> App {
    spawn_with_staff(engine, None).await
}

/// The same, with keys that verify tokens of staff.
pub(crate) async fn spawn_with_staff(engine: Engine, staff_keys: Option<String>) -> App {
    let store = testkit::store_with_tables(engine, &[("comedy", catalogue::artists::MIGRATIONS)]).await;
    let publication = catalogue::artists::publication("comedy", Kind::Comedy, "Comedians.", "/api/madfunny");
    let config = catalogue::Config {
        brands_file: concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/brands.toml").into(),
        public_port: 8080,
        admin_token: Some(ADMIN_TOKEN.to_owned()),
        staff_token_public_keys: staff_keys,
        changes_months: 24,
        production: service::Production::default(),
        store: store.config.clone(),
        serve: ServeConfig { workers: 1, ..ServeConfig::default() },
    };
    let bind = "127.0.0.1:0".parse().unwrap();
    let running = catalogue::start(publication, bind, config, |_| {}).await.unwrap();
    App { client: Client::new(running.addr, "mcfunny"), _running: running, _store: store }
}

/// A video of a manifest, with `number` in all distinguishing fields.
pub(crate) fn video(number: usize) -> Value {
    json!({
        "slug": format!("video-{number}"),
        "video_name": format!("Video {number}"),
        "media": format!("mcfunny/video-{number}.mp4"),
        "image": format!("https://images.spaza.example/video-{number}.webp"),
        "datetime": "2026-03-05 18:30:00",
        "duration_s": 8,
        "bytes": 65536
    })
}

/// A manifest with an artist with `videos` videos and an artist without.
pub(crate) fn manifest(digest: &str, videos: usize) -> Value {
    json!({
        "service": "madfunny",
        "digest": digest,
        "artists": [
            {
                "slug": "gogo-thandi",
                "artist": "Gogo Thandi",
                "description": "Tells it like it was.",
                "image": "https://images.spaza.example/gogo.webp",
                "videos": (1..=videos).map(video).collect::<Vec<_>>()
            },
            {
                "slug": "quiet-one",
                "artist": "The Quiet One",
                "description": "Nothing yet.",
                "image": "https://images.spaza.example/quiet.webp"
            }
        ]
    })
}

impl App {
    /// Imports a manifest; returns how many records were added, changed and unchanged.
    pub(crate) async fn import(&self, manifest: &Value) -> [u64; 3] {
        self.client.import(manifest).await.unwrap()
    }

    /// The id of the artist with this name.
    pub(crate) async fn artist_id(&self, name: &str) -> i64 {
        let artists = self.client.get_ok("/api/madfunny/fetchArtist?service=MC%20Funny").await;
        let found = artists.as_array().unwrap().iter().find(|artist| artist["artist"] == name).unwrap().clone();
        found["id"].as_i64().unwrap()
    }
}

//! The editors' tool against running services, on both engines.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that cannot go on must say so and fail, and the one of size tells what it measured"
)]

mod bad;
mod crash;
mod doctor;
mod import;
mod production;
mod schedule;
mod schema;
mod size;
mod spreadsheets;
mod take_down;

use std::path::PathBuf;

use content::{Manifest, Options, Problems, Services, Summary};
use serde_json::Value;
use service::{Running, ServeConfig};
use testkit::{ADMIN_TOKEN, Client, Engine, TestStore};

/// The services that editors fill, and a folder for their manifests.
pub(crate) struct Family {
    pub(crate) services: Services,
    pub(crate) comedy: Client,
    pub(crate) meme: Client,
    pub(crate) tt: Client,
    store: TestStore,
    running: Vec<Running>,
    folder: tempfile::TempDir,
}

fn brands_file() -> PathBuf {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/brands.toml").into()
}

/// What each service is started with.
fn settings(store: &TestStore) -> catalogue::Config {
    catalogue::Config {
        brands_file: brands_file(),
        public_port: 8080,
        admin_token: Some(ADMIN_TOKEN.to_owned()),
        staff_token_public_keys: None,
        changes_months: 24,
        production: service::Production::default(),
        store: store.config.clone(),
        serve: ServeConfig { workers: 1, ..ServeConfig::default() },
    }
}

async fn start_tt(store: &TestStore) -> Running {
    let config = tt::Config {
        bind: "127.0.0.1:0".parse().unwrap(),
        session_public_keys: testkit::minter().public_key(),
        catalogue: settings(store),
    };
    tt::start(config).await.unwrap()
}

/// Starts empty services.
pub(crate) async fn spawn_family(engine: Engine) -> Family {
    let publications = [comedy::PUBLICATION, diski::PUBLICATION, meme::PUBLICATION, tt::PUBLICATION];
    let tables = publications.map(|publication| (publication.name, publication.migrations));
    let store = testkit::store_with_tables(engine, &tables).await;
    let bind = "127.0.0.1:0".parse().unwrap();
    let catalogue = settings(&store);
    let comedy = comedy::start(comedy::Config { bind, catalogue: catalogue.clone() }).await.unwrap();
    let diski = diski::start(diski::Config { bind, catalogue: catalogue.clone() }).await.unwrap();
    let session_public_keys = testkit::minter().public_key();
    let meme = meme::start(meme::Config { bind, session_public_keys, catalogue }).await.unwrap();
    let tt = start_tt(&store).await;
    let url = |running: &Running| format!("http://{}", running.addr);
    Family {
        services: Services {
            comedy: url(&comedy),
            diski: url(&diski),
            meme: url(&meme),
            tt: url(&tt),
            admin_token: ADMIN_TOKEN.to_owned(),
        },
        comedy: Client::new(comedy.addr, "mcfunny"),
        meme: Client::new(meme.addr, "memeworld"),
        tt: Client::new(tt.addr, "ttmbhatv"),
        store,
        running: vec![comedy, diski, meme, tt],
        folder: tempfile::tempdir().unwrap(),
    }
}

impl Family {
    /// One more process over the tt service's database, and a client that asks it.
    pub(crate) async fn tt_replica(&mut self) -> Client {
        let running = start_tt(&self.store).await;
        let client = Client::new(running.addr, "ttmbhatv");
        self.running.push(running);
        client
    }

    /// Writes a file of these bytes, also over one that is there.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// The same, and reads it as a manifest.
    pub(crate) fn read(&self, name: &str, bytes: &[u8]) -> Result<Manifest, Problems> {
        Manifest::read(&self.write(name, bytes), &testkit::brands())
    }

    /// Imports a file of these bytes; what is said where that fails.
    pub(crate) async fn try_import(
        &self,
        name: &str,
        bytes: &[u8],
        options: Options<'_>,
    ) -> Result<Vec<Summary>, String> {
        let manifest = self.read(name, bytes).map_err(|problems| problems.to_string())?;
        let imported = content::import(&manifest, &self.services, options, |_| {}).await;
        imported.map_err(|error| error.to_string())
    }

    /// Imports a JSON document; answers what was added, changed, unchanged and removed.
    pub(crate) async fn import(&self, manifest: &Value, options: Options<'_>) -> [i64; 4] {
        sum(&self.try_import("manifest.json", manifest.to_string().as_bytes(), options).await.unwrap())
    }

    /// Everything that the services list.
    pub(crate) async fn listed(&self) -> [Value; 4] {
        [
            self.comedy.get_ok("/api/madfunny/fetchArtist?service=MC%20Funny").await,
            self.meme.get_ok("/api/meme/getMemeCategories").await,
            self.tt.get_ok("/api/tt/getcatvideos/ttmbhatv").await,
            self.tt.get_ok("/api/tt/banners/ttmbhatv").await,
        ]
    }
}

/// What was added, changed, unchanged and removed.
pub(crate) fn sum(summaries: &[Summary]) -> [i64; 4] {
    summaries.iter().flat_map(|summary| &summary.changes).fold([0; 4], |[a, c, u, r], change| {
        [a + change.added, c + change.changed, u + change.unchanged, r + change.removed]
    })
}

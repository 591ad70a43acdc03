//! The family as a process: how it fails to start, how it lives over a stop, what a visitor gets from it.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on must say so and fail"
)]

mod calls;
mod charges;
mod conformance;
mod editors;
mod erasure;
mod finance;
mod imports;
mod life;
mod networks;
mod previews;
mod publishers;
mod sims;
mod sms;
mod start;
mod support;
mod terms;
mod tokens;
mod traces;
mod uploads;
mod walks;
mod watched;

use std::{
    hash::{BuildHasher, Hasher, RandomState},
    io::Read,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use store::{Db, Migrations};
use testkit::{Engine, Reserved, TestStore};

/// How long a family may take to come up, or to fail to: everything in it, on a slow machine.
const TIMEOUT: Duration = Duration::from_secs(240);

/// The family, running; killed if the test ends before it is stopped.
pub(crate) struct Family {
    pub(crate) port: u16,
    child: Child,
    _ports: Ports,
}

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The family's command with nothing of the caller's own settings; state and a one-page front end below `home`.
pub(crate) fn command(home: &Path) -> Command {
    let pages = home.join("pages");
    testkit::write_pages(&pages);
    std::fs::create_dir_all(pages.join("backoffice")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_family"));
    command
        .current_dir(root())
        .env_clear()
        .envs(
            ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"]
                .into_iter()
                .filter_map(|name| Some((name, std::env::var_os(name)?))),
        )
        .env("WORKERS", "2")
        .env("DATABASE_CONNECTIONS", "3")
        .env("DATA_DIR", home.join("data"))
        .env("FRONTEND_DIR", pages)
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Eleven neighbouring ports, kept from other tests as long as this lives: from below the range of outgoing connections.
pub(crate) struct Ports {
    pub(crate) first: u16,
    _held: Vec<Reserved>,
}

/// Ports that no other test of this process has had.
pub(crate) fn free_ports() -> Ports {
    static NEXT: LazyLock<AtomicU64> =
        LazyLock::new(|| AtomicU64::new(RandomState::new().build_hasher().finish() >> 8));
    loop {
        let first = 10_000 + u16::try_from(NEXT.fetch_add(11, Ordering::Relaxed) % 20_000).unwrap();
        let held: Option<Vec<_>> = (first..=first + 10).map(Reserved::at).collect();
        if let Some(held) = held {
            return Ports { first, _held: held };
        }
    }
}

impl Family {
    /// Starts on `store`'s engine with state below `home`, and answers once everything is ready.
    pub(crate) async fn start(home: &Path, store: &TestStore) -> Self {
        Self::start_with(home, store, |_| ()).await
    }

    /// As `start`, with more settings.
    pub(crate) async fn start_with(home: &Path, store: &TestStore, settings: impl Fn(&mut Command)) -> Self {
        // Another process may take ports too: a start that lost one of its eleven to it is tried again.
        for _ in 0..5 {
            let ports = free_ports();
            let mut command = command(home);
            command.env("PORT", ports.first.to_string()).stdout(Stdio::null()).stderr(Stdio::null());
            settings(&mut command);
            if let Some(url) = &store.config.database_url {
                command.env("DATABASE_URL", url);
            }
            if let Some(url) = &store.config.redis_url {
                command.env("REDIS_URL", url);
            }
            let mut family = Self { port: ports.first, child: command.spawn().unwrap(), _ports: ports };
            if family.ready().await {
                return family;
            }
        }
        panic!("the family did not start");
    }

    async fn ready(&mut self) -> bool {
        let started = Instant::now();
        let client = testkit::client();
        while started.elapsed() < TIMEOUT && self.child.try_wait().unwrap().is_none() {
            let reply = client.get(format!("http://127.0.0.1:{}/readyz", self.port)).send().await;
            if reply.is_ok_and(|reply| reply.status() == 200) {
                return true;
            }
            actix_web::rt::time::sleep(Duration::from_millis(100)).await;
        }
        false
    }

    /// Sends a signal (`INT`, `KILL`) and waits for the end; the exit code, if there is one.
    pub(crate) fn end(mut self, signal: &str) -> Option<i32> {
        let sent = Command::new("kill").arg(format!("-{signal}")).arg(self.child.id().to_string()).status().unwrap();
        assert!(sent.success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a family that must not come up; returns its exit code and what it printed to standard error.
pub(crate) fn failed_start(mut command: Command) -> (i32, String) {
    let mut child = command.spawn().unwrap();
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > TIMEOUT {
            child.kill().unwrap();
            panic!("the family is still running");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let mut stderr_text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr_text).unwrap();
    (child.wait().unwrap().code().unwrap_or(-1), stderr_text)
}

/// Everything that a family has tables of.
const TABLES: [(&str, Migrations); 7] = [
    (comedy::PUBLICATION.name, comedy::PUBLICATION.migrations),
    (diski::PUBLICATION.name, diski::PUBLICATION.migrations),
    (meme::PUBLICATION.name, meme::PUBLICATION.migrations),
    (tt::PUBLICATION.name, tt::PUBLICATION.migrations),
    (subscription::NAME, subscription::MIGRATIONS),
    (backoffice::NAME, backoffice::MIGRATIONS),
    (operator_sandbox::OWNER, operator_sandbox::MIGRATIONS),
];

/// An empty place for state on this engine, and a folder for the rest.
pub(crate) async fn place(engine: Engine) -> (tempfile::TempDir, TestStore) {
    let months = async |store: &store::StoreConfig| {
        let db = Db::open(store, subscription::NAME, subscription::MIGRATIONS).await.unwrap();
        subscription::make_ahead(&db, chrono::Utc::now().naive_utc()).await.unwrap();
    };
    (tempfile::tempdir().unwrap(), testkit::prepared_store(engine, &TABLES, months).await)
}

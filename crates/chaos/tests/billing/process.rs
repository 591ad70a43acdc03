//! The processes of a run: their settings, and how they end.

use std::{
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
};

use testkit::{Process, TestStore};

/// The environment variables of every process of one run.
#[derive(Clone)]
pub struct Settings {
    pub variables: Vec<(&'static str, String)>,
    pub logs: PathBuf,
}

impl Settings {
    /// With a temporary store, and independent of the environment.
    pub fn new(store: &TestStore, logs: &Path) -> Self {
        let config = &store.config;
        let text = |text: &str| text.to_owned();
        let mut variables = vec![
            ("BIND", text("127.0.0.1:0")),
            ("BRANDS_FILE", text(concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/brands.toml"))),
            ("ADMIN_TOKEN", text(testkit::ADMIN_TOKEN)),
            ("NOTIFY_SECRET", format!("whsec_{}", "Y2hhb3M".repeat(4))),
            ("TEST_CLOCK", text("1")),
            // Its subscribers join without a page.
            ("JOIN_SIGNALS", text("observed")),
            ("WORKERS", text("1")),
            ("DATA_DIR", config.data_dir.display().to_string()),
        ];
        variables.extend(config.database_url.clone().map(|url| ("DATABASE_URL", url)));
        variables.extend(config.redis_url.clone().map(|url| ("REDIS_URL", url)));
        Self { variables, logs: logs.to_owned() }
    }

    pub fn with(&self, more: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        let mut all = self.clone();
        all.variables.extend(more);
        all
    }
}

/// How a process ended by itself.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// At a crash point.
    Crashed,
    /// In any other way.
    Failed(String),
}

impl From<ExitStatus> for End {
    fn from(status: ExitStatus) -> Self {
        // Crash points abort.
        if status.signal() == Some(6) { Self::Crashed } else { Self::Failed(status.to_string()) }
    }
}

/// Starts a subscription service.
pub async fn subscription(name: &str, setting: &Settings) -> Result<Process, End> {
    start("subscription", name, setting).await
}

/// Starts an operator sandbox.
pub async fn sandbox(setting: &Settings) -> Result<Process, End> {
    start("operator-sandbox", "sandbox", setting).await
}

async fn start(program: &str, name: &str, setting: &Settings) -> Result<Process, End> {
    // Tests are built into a folder of their own, below that of the programs.
    let own = std::env::current_exe().unwrap();
    let path = own.ancestors().nth(2).unwrap().join(program);
    assert!(path.is_file(), "{} is not built: cargo build --workspace --bins", path.display());
    Ok(Process::start(Command::new(path), program, &setting.variables, &setting.logs.join(format!("{name}.log")))
        .await?)
}

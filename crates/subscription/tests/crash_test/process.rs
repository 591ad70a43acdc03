//! The processes of a run: their settings, and how they end.

use std::{
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
};

use testkit::{Process, TestStore};

/// Set where this test binary is to run as the operator sandbox.
pub const SANDBOX_ROLE: &str = "STORM_SANDBOX";

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
    let command = Command::new(env!("CARGO_BIN_EXE_subscription"));
    let log = setting.logs.join(format!("{name}.log"));
    Ok(Process::start(command, "subscription", &setting.variables, &log).await?)
}

/// Starts an operator sandbox: this test binary with `SANDBOX_ROLE`.
pub async fn sandbox(setting: &Settings) -> Result<Process, End> {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "sandbox_process", "--ignored", "--nocapture"]).env(SANDBOX_ROLE, "1");
    Ok(Process::start(command, "operator-sandbox", &setting.variables, &setting.logs.join("sandbox.log")).await?)
}

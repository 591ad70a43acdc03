//! Real processes: started, told the time, and killed.

use std::{
    fs::File,
    net::SocketAddr,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;
use testkit::{TestStore, actix_web::rt};

/// How long a process may take to start, on a machine that is busy with everything else.
const PATIENCE: Duration = Duration::from_secs(180);

/// Set where this test's own program is to be the operator sandbox.
pub const SANDBOX_ROLE: &str = "CHAOS_SANDBOX";

/// What every process of one storm is told.
#[derive(Clone)]
pub struct Setting {
    pub variables: Vec<(&'static str, String)>,
    pub logs: PathBuf,
}

impl Setting {
    /// Over one throw-away place, and with nothing of the environment's that could change what is tested.
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
            ("LOG_FORMAT", text("json")),
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

/// A process that dies with its owner.
pub struct Process {
    pub addr: SocketAddr,
    child: Child,
}

/// How a process ended by itself.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    /// At a crash point.
    Crashed,
    /// In any other way.
    Failed(String),
}

impl Process {
    /// A subscription service of its own.
    pub async fn subscription(name: &str, setting: &Setting) -> Result<Self, End> {
        Self::start(Command::new(env!("CARGO_BIN_EXE_subscription")), name, "subscription", setting).await
    }

    /// An operator sandbox: this test's own program, asked to be that.
    pub async fn sandbox(setting: &Setting) -> Result<Self, End> {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "the_sandbox_as_a_process", "--ignored", "--nocapture"]).env(SANDBOX_ROLE, "1");
        Self::start(command, "sandbox", "operator-sandbox", setting).await
    }

    async fn start(mut command: Command, name: &str, service: &str, setting: &Setting) -> Result<Self, End> {
        for variable in ["DATABASE_URL", "REDIS_URL", "RUST_LOG", "CRASH_POINTS", "TEST_MSISDN", "PRODUCTION"] {
            command.env_remove(variable);
        }
        command.envs(setting.variables.iter().map(|(name, value)| (name, value)));
        let log = setting.logs.join(format!("{name}.log"));
        let file = File::options().append(true).create(true).open(&log).unwrap();
        let before = usize::try_from(file.metadata().unwrap().len()).unwrap();
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(file).spawn().unwrap();
        let mut process = Self { addr: ([127, 0, 0, 1], 0).into(), child };
        let started = Instant::now();
        loop {
            let said = String::from_utf8_lossy(std::fs::read(&log).unwrap().split_at(before).1).into_owned();
            if let Some(addr) = said.lines().find_map(|line| listens_on(line, service)) {
                process.addr = addr;
                return Ok(process);
            }
            if let Some(end) = process.end() {
                return Err(end);
            }
            assert!(started.elapsed() < PATIENCE, "{name} does not listen: {said}");
            rt::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// How it ended, if it has.
    pub fn end(&mut self) -> Option<End> {
        let status = self.child.try_wait().unwrap()?;
        // Crash points abort.
        Some(if status.signal() == Some(6) { End::Crashed } else { End::Failed(status.to_string()) })
    }

    /// SIGKILL: nothing of the process runs after it.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn listens_on(line: &str, service: &str) -> Option<SocketAddr> {
    let line: Value = serde_json::from_str(line).ok()?;
    line["message"].as_str()?.strip_prefix(service)?.strip_prefix(" listens on ")?.parse().ok()
}

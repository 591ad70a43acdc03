//! Services as processes of their own: started until they listen, asked to stop, and killed.

use std::{
    fs::File,
    net::SocketAddr,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;

/// How long a process may take to start or stop, on a machine that is busy with everything else.
const TIMEOUT: Duration = Duration::from_secs(180);

/// Variables of the environment that would change what is tested.
const UNSET_VARIABLES: [&str; 9] = [
    "DATABASE_URL",
    "UNNAMED_STATEMENTS",
    "REDIS_URL",
    "STORES_CA_FILE",
    "RUST_LOG",
    "CRASH_POINTS",
    "TEST_MSISDN",
    "PRODUCTION",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
];

/// A process that dies with its owner.
pub struct Process {
    /// Where it listens.
    pub addr: SocketAddr,
    child: Child,
}

impl Process {
    /// Starts `service` by a command that writes its log as JSON to standard error, here at the end of `log`, and waits until it says
    /// that it listens. Where it ends before, that is the error.
    pub async fn start(
        mut command: Command,
        service: &str,
        settings: &[(&str, String)],
        log: &Path,
    ) -> Result<Self, ExitStatus> {
        for variable in UNSET_VARIABLES {
            command.env_remove(variable);
        }
        command.env("LOG_FORMAT", "json").envs(settings.iter().map(|(name, value)| (name, value)));
        let file = File::options().append(true).create(true).open(log).expect("a log");
        let before = file.metadata().map_or(0, |known| usize::try_from(known.len()).unwrap_or_default());
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(file).spawn().expect("a process");
        let mut process = Self { addr: ([127, 0, 0, 1], 0).into(), child };
        let started = Instant::now();
        loop {
            let text = std::fs::read(log).expect("its log");
            let text = String::from_utf8_lossy(text.get(before..).unwrap_or_default()).into_owned();
            if let Some(addr) = text.lines().find_map(|line| listens_on(line, service)) {
                process.addr = addr;
                return Ok(process);
            }
            if let Some(status) = process.ended() {
                return Err(status);
            }
            assert!(started.elapsed() < TIMEOUT, "{service} does not listen: {text}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// How it ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("a child's state")
    }

    /// Sends it a signal, by its name: `HUP`.
    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args([&format!("-{name}"), &id]).status().expect("kill");
        assert!(sent.success(), "the process is gone already");
    }

    /// SIGTERM: asks it to stop, and waits until it has.
    pub async fn stop(mut self) -> ExitStatus {
        self.signal("TERM");
        let started = Instant::now();
        loop {
            if let Some(status) = self.ended() {
                return status;
            }
            assert!(started.elapsed() < TIMEOUT, "it does not stop");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// SIGKILL: nothing of it runs after this.
    pub fn kill(mut self) {
        self.child.kill().expect("a signal");
        self.child.wait().expect("its end");
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
    line.get("message")?.as_str()?.strip_prefix(service)?.strip_prefix(" listens on ")?.parse().ok()
}

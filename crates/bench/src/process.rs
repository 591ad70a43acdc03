//! Processes under measurement: started on chosen CPUs and stopped on drop.

use std::{
    fs::File,
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use tokio::time::Instant;

/// Linux's clock ticks per second in /proc.
const TICKS: f64 = 100.0;

/// Pins client and server to different CPUs.
#[derive(Clone, Copy, Debug)]
pub struct Processors {
    /// The number of CPUs; counted once, since a pinned process sees only its own.
    count: usize,
}

impl Processors {
    /// The machine's CPUs; 1 if they cannot be divided with `taskset`.
    pub fn count() -> Self {
        let works =
            Command::new("taskset").arg("--version").stdout(Stdio::null()).status().is_ok_and(|it| it.success());
        let count = std::thread::available_parallelism().map_or(1, usize::from);
        Self { count: if works { count } else { 1 } }
    }

    /// Pins this process to the last CPU, or unpins it.
    pub fn pin_client(self, pinned: bool) {
        let last = self.count - 1;
        let list = if pinned { last.to_string() } else { format!("0-{last}") };
        let id = std::process::id().to_string();
        if self.count > 1 {
            let _ = Command::new("taskset").args(["-a", "-p", "-c", &list, &id]).stdout(Stdio::null()).status();
        }
    }

    /// A server's command, pinned to the first CPU or unpinned.
    pub fn command(self, program: &Path, pinned: bool) -> Command {
        if self.count < 2 {
            return Command::new(program);
        }
        let list = if pinned { "0".to_owned() } else { format!("0-{}", self.count - 1) };
        let mut command = Command::new("taskset");
        command.args(["-c", &list]).arg(program);
        command
    }
}

/// A process that is terminated on drop.
pub struct Process {
    /// Its name.
    pub name: String,
    /// The address it listens on.
    pub addr: SocketAddr,
    child: Child,
}

impl Process {
    /// Starts one of our services on a free port, with its log in `log`, and waits until it logs its address.
    pub async fn service(name: &str, mut command: Command, log: &Path) -> anyhow::Result<Self> {
        command.env("BIND", "127.0.0.1:0").env("LOG_FORMAT", "json").env_remove("RUST_LOG");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(log)?);
        let child = command.spawn().map_err(|error| anyhow::anyhow!("{name}: {error}"))?;
        // Constructed before waiting, so that the child is terminated if the future is dropped.
        let mut process = Self { name: name.to_owned(), addr: ([127, 0, 0, 1], 0).into(), child };
        let started = Instant::now();
        loop {
            let output = std::fs::read_to_string(log)?;
            if let Some(addr) = output.lines().find_map(listens_on) {
                process.addr = addr;
                return Ok(process);
            }
            if process.has_ended() || started.elapsed() > Duration::from_secs(60) {
                anyhow::bail!("{name} did not start: {}", output.trim());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Starts a process that will listen on `addr`, and waits until it does.
    pub async fn listening(name: &str, mut command: Command, addr: SocketAddr, log: &Path) -> anyhow::Result<Self> {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(log)?);
        let child = command.spawn().map_err(|error| anyhow::anyhow!("{name}: {error}"))?;
        let mut process = Self { name: name.to_owned(), addr, child };
        let started = Instant::now();
        while tokio::net::TcpStream::connect(addr).await.is_err() {
            if process.child.try_wait()?.is_some() || started.elapsed() > Duration::from_secs(20) {
                let output = std::fs::read_to_string(log).unwrap_or_default();
                anyhow::bail!("{name} did not start: {}", output.trim());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(process)
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has exited.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Process {
    /// Sends SIGTERM first: a server that is killed leaves its workers running.
    fn drop(&mut self) {
        let _ = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).stderr(Stdio::null()).status();
        let started = std::time::Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) && started.elapsed() < Duration::from_secs(3) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The address in a service's log line "listens on".
fn listens_on(line: &str) -> Option<SocketAddr> {
    let line: serde_json::Value = serde_json::from_str(line).ok()?;
    line.get("message")?.as_str()?.split_once(" listens on ")?.1.parse().ok()
}

/// The CPU time of a process and its children; `None` if unknown.
pub fn cpu_time(id: u32) -> Option<Duration> {
    let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
    let of_children = children.split_whitespace().filter_map(|child| cpu_time(child.parse().ok()?)).sum();
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let own = ticks_of(&stat).map(|ticks| Duration::from_secs_f64(ticks / TICKS))?;
    Some(own.saturating_add(of_children))
}

/// `utime` and `stime` of a stat line; the program's name before them can contain blanks and brackets.
fn ticks_of(stat: &str) -> Option<f64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let user: f64 = fields.next()?.parse().ok()?;
    let system: f64 = fields.next()?.parse().ok()?;
    Some(user + system)
}

/// A process's resident memory in kilobytes; `None` if unknown.
pub fn resident_kb(id: u32) -> Option<u32> {
    status(id, "VmRSS:")
}

/// A process's peak memory in kilobytes; `None` if unknown.
pub fn peak_kb(id: u32) -> Option<u32> {
    status(id, "VmHWM:")
}

/// The parent process; `None` if unknown.
pub fn parent(id: u32) -> Option<u32> {
    status(id, "PPid:")
}

fn status(id: u32, field: &str) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_of_skips_a_name_with_brackets() {
        let stat = "42 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20 0 1 0 1";
        assert_eq!(ticks_of(stat), Some(200.0));
        assert_eq!(ticks_of("nonsense"), None);
    }

    #[test]
    fn listens_on_parses_the_address() {
        let line = r#"{"level":"INFO","message":"meme listens on 127.0.0.1:4567","service.name":"meme"}"#;
        assert_eq!(listens_on(line), Some("127.0.0.1:4567".parse().unwrap()));
        assert_eq!(listens_on("meme listens on nothing"), None);
    }
}

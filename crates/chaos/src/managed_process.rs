//! A process that is killed and restarted: its address, its settings, and the running process, if any.

use std::{
    cell::{Cell, RefCell},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Command,
};

use testkit::{Process, Reserved};

use crate::fault_proxy::FaultProxy;

/// How clients reach a process.
pub(crate) enum Endpoint {
    /// At its own address, as soon as it listens.
    Direct(Reserved),
    /// Through proxies, which connect once its clock is set, as it starts with the machine's time.
    Proxied(Vec<FaultProxy>),
}

/// One process.
pub(crate) struct ManagedProcess {
    /// The program's name.
    pub program: &'static str,
    /// The name in reports: program and replica.
    pub name: String,
    /// How clients reach it.
    pub endpoint: Endpoint,
    settings: Vec<(&'static str, String)>,
    process: RefCell<Option<Process>>,
    starts: Cell<u32>,
}

impl ManagedProcess {
    /// One that is not running yet.
    pub fn new(
        program: &'static str,
        replica: Option<usize>,
        endpoint: Endpoint,
        settings: Vec<(&'static str, String)>,
    ) -> Self {
        let name = replica.map_or_else(|| program.to_owned(), |replica| format!("{program} {}", replica + 1));
        Self { program, name, endpoint, settings, process: RefCell::default(), starts: Cell::default() }
    }

    /// The base URL that other processes use.
    pub fn url(&self) -> String {
        match &self.endpoint {
            Endpoint::Direct(reserved) => format!("http://{}", reserved.addr),
            Endpoint::Proxied(proxies) => proxies.first().map(FaultProxy::url).unwrap_or_default(),
        }
    }

    /// Where it listens, if it runs.
    pub fn addr(&self) -> Option<SocketAddr> {
        self.process.borrow().as_ref().map(|process| process.addr)
    }

    /// Starts it, with a new log below `logs`, and waits until it listens.
    pub async fn start(&self, programs: &Path, logs: &Path) -> anyhow::Result<()> {
        self.starts.set(self.starts.get() + 1);
        let log: PathBuf = logs.join(format!("{}-{}.log", self.name.replace(' ', "-"), self.starts.get()));
        let bind = match &self.endpoint {
            Endpoint::Direct(reserved) => reserved.addr.to_string(),
            Endpoint::Proxied(_) => "127.0.0.1:0".to_owned(),
        };
        let mut settings = self.settings.clone();
        settings.push(("BIND", bind));
        let started = Process::start(Command::new(programs.join(self.program)), self.program, &settings, &log).await;
        let process = started.map_err(|status| {
            let text = std::fs::read_to_string(&log).unwrap_or_default();
            anyhow::anyhow!("{} ended as it started ({status}): {}", self.name, text.trim())
        })?;
        self.process.replace(Some(process));
        Ok(())
    }

    /// Has its proxies pass connections to it.
    pub fn connect_proxies(&self) {
        if let Endpoint::Proxied(proxies) = &self.endpoint {
            proxies.iter().for_each(|proxy| proxy.set_upstream(self.addr()));
        }
    }

    /// Kills it; nothing of it runs after this.
    pub fn kill(&self) {
        if let Some(process) = self.process.take() {
            process.kill();
        }
        if let Endpoint::Proxied(proxies) = &self.endpoint {
            proxies.iter().for_each(|proxy| proxy.set_upstream(None));
        }
    }

    /// Sends a signal by its name, unless it has exited.
    pub fn signal(&self, name: &str) {
        if self.exit_status().is_some() {
            return;
        }
        if let Some(process) = &*self.process.borrow() {
            process.signal(name);
        }
    }

    /// Its resident memory in kilobytes, while it runs.
    pub fn resident_kb(&self) -> Option<u32> {
        let id = self.process.borrow().as_ref()?.id();
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.split_whitespace().next()?.parse().ok()
    }

    /// Its exit status, if it has exited without having been killed by this program.
    pub fn exit_status(&self) -> Option<String> {
        let status = self.process.borrow_mut().as_mut()?.ended()?;
        Some(status.to_string())
    }
}

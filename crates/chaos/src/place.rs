//! A place for one process: where it is reached, what it is told, and the process that is there now, if any.

use std::{
    cell::{Cell, RefCell},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Command,
};

use testkit::{Process, Reserved};

use crate::door::Door;

/// How a process is reached.
pub(crate) enum Entrance {
    /// At an address of its own, from the moment in which it listens.
    Own(Reserved),
    /// Through doors, which open once its clock is set: it would begin in the past.
    Doors(Vec<Door>),
}

/// One process's place.
pub(crate) struct Place {
    /// The program's name.
    pub program: &'static str,
    /// The name in reports: the program's, and which of its replicas.
    pub name: String,
    /// Where others find it.
    pub entrance: Entrance,
    settings: Vec<(&'static str, String)>,
    process: RefCell<Option<Process>>,
    starts: Cell<u32>,
}

impl Place {
    /// An empty place.
    pub fn new(
        program: &'static str,
        replica: Option<usize>,
        entrance: Entrance,
        settings: Vec<(&'static str, String)>,
    ) -> Self {
        let name = replica.map_or_else(|| program.to_owned(), |replica| format!("{program} {}", replica + 1));
        Self { program, name, entrance, settings, process: RefCell::default(), starts: Cell::default() }
    }

    /// The base URL that the family knows it by.
    pub fn url(&self) -> String {
        match &self.entrance {
            Entrance::Own(place) => format!("http://{}", place.addr),
            Entrance::Doors(doors) => doors.first().map(Door::url).unwrap_or_default(),
        }
    }

    /// Where its process listens, if there is one.
    pub fn addr(&self) -> Option<SocketAddr> {
        self.process.borrow().as_ref().map(|process| process.addr)
    }

    /// Starts a process, each with a log of its own below `logs`, and waits until it listens.
    pub async fn start(&self, programs: &Path, logs: &Path) -> anyhow::Result<()> {
        self.starts.set(self.starts.get() + 1);
        let log: PathBuf = logs.join(format!("{}-{}.log", self.name.replace(' ', "-"), self.starts.get()));
        let bind = match &self.entrance {
            Entrance::Own(place) => place.addr.to_string(),
            Entrance::Doors(_) => "127.0.0.1:0".to_owned(),
        };
        let mut settings = self.settings.clone();
        settings.push(("BIND", bind));
        let started = Process::start(Command::new(programs.join(self.program)), self.program, &settings, &log).await;
        let process = started.map_err(|status| {
            let said = std::fs::read_to_string(&log).unwrap_or_default();
            anyhow::anyhow!("{} ended as it started ({status}): {}", self.name, said.trim())
        })?;
        self.process.replace(Some(process));
        Ok(())
    }

    /// Lets people in through its doors.
    pub fn open(&self) {
        if let Entrance::Doors(doors) = &self.entrance {
            doors.iter().for_each(|door| door.lead_to(self.addr()));
        }
    }

    /// Kills its process; nothing of it runs after this.
    pub fn kill(&self) {
        if let Some(process) = self.process.take() {
            process.kill();
        }
        if let Entrance::Doors(doors) = &self.entrance {
            doors.iter().for_each(|door| door.lead_to(None));
        }
    }

    /// Sends its process a signal, by its name; one that has ended gets none.
    pub fn signal(&self, name: &str) {
        if self.ended().is_some() {
            return;
        }
        if let Some(process) = &*self.process.borrow() {
            process.signal(name);
        }
    }

    /// Whether its process has ended by itself, and how.
    pub fn ended(&self) -> Option<String> {
        let status = self.process.borrow_mut().as_mut()?.ended()?;
        Some(status.to_string())
    }
}

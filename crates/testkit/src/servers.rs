//! PostgreSQL and Redis as temporary processes, on a port of this machine, each with its files in one folder.

mod postgres;
mod redis;

use std::{
    net::TcpListener,
    process::{Child, Command},
};

pub use postgres::{Postgres, ShutdownMode};
pub use redis::Redis;

/// Why a server does not run, in words for a person.
pub type Fault = String;

/// A port without a listener at present.
pub fn free_port() -> Result<u16, Fault> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|error| error.to_string())?;
    listener.local_addr().map(|addr| addr.port()).map_err(|error| error.to_string())
}

/// A server's process; stopped when dropped.
struct Server {
    what: &'static str,
    child: Option<Child>,
}

impl Server {
    fn of(what: &'static str) -> Self {
        Self { what, child: None }
    }

    fn launch(&mut self, command: &mut Command) -> Result<(), Fault> {
        self.kill();
        self.child = Some(command.spawn().map_err(|error| format!("{}: {error}", self.what))?);
        Ok(())
    }

    fn id(&self) -> Option<u32> {
        self.child.as_ref().map(Child::id)
    }

    /// Whether no process of it runs any more.
    fn has_ended(&mut self) -> bool {
        self.child.as_mut().is_none_or(|child| !matches!(child.try_wait(), Ok(None)))
    }

    /// Sends a signal by its name; one that has ended gets none.
    fn signal(&mut self, name: &str) -> Result<(), Fault> {
        if self.has_ended() {
            return Ok(());
        }
        let id = self.id().map(|id| id.to_string()).unwrap_or_default();
        let sent = Command::new("kill").args([&format!("-{name}"), &id]).status();
        sent.map(|_| ()).map_err(|error| format!("{}: kill: {error}", self.what))
    }

    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

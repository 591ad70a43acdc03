//! PostgreSQL, PgBouncer and Redis as temporary processes, on a port of this machine, each with its files in one folder.

mod authority;
mod managed;
mod pgbouncer;
mod postgres;
mod redis;

use std::{
    net::TcpListener,
    path::Path,
    process::{Child, Command},
    time::{Duration, Instant},
};

pub use authority::Authority;
pub use managed::{Managed, make_roles};
pub use pgbouncer::PgBouncer;
pub use postgres::{Postgres, ShutdownMode};
pub use redis::Redis;

/// How often a server is restarted where another process took its port in between.
const ATTEMPTS: usize = 5;

/// How long a server may take to start.
const TIMEOUT: Duration = Duration::from_secs(180);

/// Why a server does not run, in words for a person.
pub type Fault = String;

/// A port without a listener at present.
pub fn free_port() -> Result<u16, Fault> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|error| error.to_string())?;
    listener.local_addr().map(|addr| addr.port()).map_err(|error| error.to_string())
}

/// Starts a server on a port that was free a moment ago, and again on another where it was not any more; returns the port once the
/// server answers there.
pub fn start<S>(
    name: &str,
    server: &mut S,
    launch: impl Fn(&mut S, u16) -> Result<(), Fault>,
    answers: impl Fn(&S, u16) -> bool,
    has_ended: impl Fn(&mut S) -> bool,
) -> Result<u16, Fault> {
    for _ in 0..ATTEMPTS {
        let port = free_port()?;
        launch(server, port)?;
        let began = Instant::now();
        while !has_ended(server) {
            if answers(server, port) {
                return Ok(port);
            }
            if began.elapsed() > TIMEOUT {
                return Err(format!("{name} did not start within {} seconds", TIMEOUT.as_secs()));
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    Err(format!("{name} ended {ATTEMPTS} times before it was ready"))
}

/// Writes a file that belongs to this user and group, where one is given, and that only they can read.
fn write_private(path: &Path, text: &str, owner: Option<(u32, u32)>) -> Result<(), Fault> {
    use std::os::unix::fs::{PermissionsExt, chown};
    let written = std::fs::write(path, text)
        .and_then(|()| std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)))
        .and_then(|()| owner.map_or(Ok(()), |(uid, gid)| chown(path, Some(uid), Some(gid))));
    written.map_err(|error| format!("{}: {error}", path.display()))
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

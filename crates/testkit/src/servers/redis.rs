//! A temporary Redis without persistence.

use std::{
    io::{Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use super::{Fault, Server};

/// Time limit for the reply to INFO.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A Redis with its folder.
pub struct Redis {
    folder: PathBuf,
    server: Server,
}

impl Redis {
    /// One that may be launched.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), server: Server::of("redis-server") }
    }

    /// Starts its process on this port of 127.0.0.1; whether it answers, `answers` tells.
    pub fn launch(&mut self, port: u16) -> Result<(), Fault> {
        let mut command = Command::new("redis-server");
        command
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir"])
            .arg(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        self.server.launch(&mut command).map_err(|fault| format!("{fault} (Debian: apt-get install redis-server)"))
    }

    /// Whether it is our process that answers on this port.
    pub fn answers(&self, port: u16) -> bool {
        process_at(port).is_some_and(|process| Some(process) == self.server.id())
    }

    /// Whether its process is gone.
    pub fn has_ended(&mut self) -> bool {
        self.server.has_ended()
    }

    /// Sends it a signal, by its name: `STOP`.
    pub fn signal(&mut self, name: &str) -> Result<(), Fault> {
        self.server.signal(name)
    }

    /// Ends it at once.
    pub fn kill(&mut self) {
        self.server.kill();
    }
}

/// The process that answers as Redis on this port.
fn process_at(port: u16) -> Option<u32> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(TIMEOUT)).ok()?;
    stream.write_all(b"INFO server\r\nQUIT\r\n").ok()?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply).ok()?;
    reply.lines().find_map(|line| line.strip_prefix("process_id:"))?.trim().parse().ok()
}

//! A temporary Redis without persistence.

use std::{
    io::{Read, Write},
    net::TcpStream,
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use super::{Authority, Fault, Server, write_private};

/// Time limit for the reply to INFO.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The Unix socket of one whose port speaks TLS alone, in its folder.
const SOCKET: &str = "redis.sock";

/// A Redis with its folder.
pub struct Redis {
    folder: PathBuf,
    /// Whether its port speaks TLS alone.
    tls: bool,
    server: Server,
}

impl Redis {
    /// One that may be launched.
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), tls: false, server: Server::of("redis-server") }
    }

    /// One that takes connections over TLS alone, with a certificate of `authority`.
    pub fn with_tls(folder: &Path, authority: &Authority) -> Result<Self, Fault> {
        let (certificate, key) = authority.issue()?;
        write_private(&folder.join("redis.crt"), &certificate, None)?;
        write_private(&folder.join("redis.key"), &key, None)?;
        Ok(Self { tls: true, ..Self::new(folder) })
    }

    /// Starts its process on this port of 127.0.0.1; whether it answers, `answers` tells.
    pub fn launch(&mut self, port: u16) -> Result<(), Fault> {
        let mut command = Command::new("redis-server");
        let port = port.to_string();
        if self.tls {
            command.args(["--port", "0", "--tls-port", &port, "--tls-auth-clients", "no"]);
            command.args(["--tls-cert-file", "redis.crt", "--tls-key-file", "redis.key"]);
            command.args(["--tls-ca-cert-file", "redis.crt", "--unixsocket", SOCKET]);
        } else {
            command.args(["--port", &port]);
        }
        command
            .args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        self.server.launch(&mut command).map_err(|fault| format!("{fault} (Debian: apt-get install redis-server)"))
    }

    /// Whether it is our process that answers on this port.
    pub fn answers(&self, port: u16) -> bool {
        let process = if self.tls {
            UnixStream::connect(self.folder.join(SOCKET)).ok().and_then(|stream| {
                stream.set_read_timeout(Some(TIMEOUT)).ok()?;
                process_at(stream)
            })
        } else {
            TcpStream::connect(("127.0.0.1", port)).ok().and_then(|stream| {
                stream.set_read_timeout(Some(TIMEOUT)).ok()?;
                process_at(stream)
            })
        };
        process.is_some() && process == self.server.id()
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

/// The process that answers as Redis on this connection.
fn process_at(mut stream: impl Read + Write) -> Option<u32> {
    stream.write_all(b"INFO server\r\nQUIT\r\n").ok()?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply).ok()?;
    reply.lines().find_map(|line| line.strip_prefix("process_id:"))?.trim().parse().ok()
}

//! A temporary PgBouncer in transaction mode, which takes connections over TLS alone.

use std::{
    net::TcpStream,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{Authority, Fault, Server, postgres::unprivileged, write_private};

/// A PgBouncer with its folder.
pub struct PgBouncer {
    program: PathBuf,
    folder: PathBuf,
    /// The owner of its files where this process is root, as PgBouncer refuses to run as root.
    owner: Option<(u32, u32)>,
    settings: String,
    server: Server,
    /// Whether it keeps named statements: from 1.21 on.
    pub keeps_named_statements: bool,
}

impl PgBouncer {
    /// One that may be launched, before the PostgreSQL on `port` of this machine, for these roles; each needs no password. `settings` are
    /// further lines of its configuration.
    pub fn new(folder: &Path, authority: &Authority, port: u16, roles: &[&str], settings: &str) -> Result<Self, Fault> {
        let (program, owner) = (program(), unprivileged()?);
        let version = Command::new(&program).arg("--version").output();
        let version = version.map_err(|error| format!("pgbouncer: {error} (Debian: apt-get install pgbouncer)"))?;
        let version = String::from_utf8_lossy(&version.stdout).into_owned();
        let keeps_named_statements = minor_version(&version).is_some_and(|minor| minor >= 21);
        let (certificate, key) = authority.issue()?;
        let users: String = roles.iter().map(|role| format!("\"{role}\" \"\"\n")).collect();
        for (name, text) in [("pooler.crt", &certificate), ("pooler.key", &key), ("users.txt", &users)] {
            write_private(&folder.join(name), text, owner)?;
        }
        let place = |name: &str| folder.join(name).display().to_string();
        let mut settings = format!(
            "[databases]\n* = host=127.0.0.1 port={port}\n[pgbouncer]\npool_mode = transaction\ndefault_pool_size = 4\n\
             max_client_conn = 1000\nserver_idle_timeout = 10\nauth_type = trust\nauth_file = {}\nlogfile = {}\nunix_socket_dir =\n\
             server_tls_sslmode = verify-ca\nserver_tls_ca_file = {}\nclient_tls_sslmode = require\nclient_tls_cert_file = {}\n\
             client_tls_key_file = {}\nlisten_addr = 127.0.0.1\n{settings}\n",
            place("users.txt"),
            place("pgbouncer.log"),
            authority.file.display(),
            place("pooler.crt"),
            place("pooler.key"),
        );
        if keeps_named_statements {
            settings.push_str("max_prepared_statements = 200\n");
        }
        let server = Server::of("pgbouncer");
        Ok(Self { program, folder: folder.to_owned(), owner, settings, server, keeps_named_statements })
    }

    /// Starts its process on this port of 127.0.0.1; whether it answers, `answers` tells.
    pub fn launch(&mut self, port: u16) -> Result<(), Fault> {
        let file = self.folder.join("pgbouncer.ini");
        write_private(&file, &format!("{}listen_port = {port}\n", self.settings), self.owner)?;
        let mut command = Command::new(&self.program);
        command.arg("--quiet").arg(file).stdin(Stdio::null()).stdout(Stdio::null());
        if let Some((uid, gid)) = self.owner {
            command.uid(uid).gid(gid);
        }
        self.server.launch(&mut command)
    }

    /// Whether a process listens on this port; if it is another one, this one soon ends.
    pub fn answers(&self, port: u16) -> bool {
        TcpStream::connect(("127.0.0.1", port)).is_ok()
    }

    /// Whether its process is gone.
    pub fn has_ended(&mut self) -> bool {
        self.server.has_ended()
    }

    /// What it has logged.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("pgbouncer.log")).unwrap_or_default()
    }
}

/// The program of PATH, or else Debian's place for it, which only root has in its PATH.
fn program() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join("pgbouncer"))
        .find(|program| program.exists())
        .unwrap_or_else(|| "/usr/sbin/pgbouncer".into())
}

/// The minor version: 18 of `PgBouncer 1.18.0`.
fn minor_version(text: &str) -> Option<u32> {
    text.split_whitespace().nth(1)?.split('.').nth(1)?.parse().ok()
}

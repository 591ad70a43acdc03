//! A temporary PostgreSQL: created, started, and shut down in each of its modes.

use std::{
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{Authority, Fault, Server, write_private};

/// PostgreSQL's shutdown mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShutdownMode {
    /// Ends every session, rolls back what is under way, and writes everything down.
    Fast,
    /// At once, as if it had crashed; the next start recovers.
    Immediate,
}

/// A database server in a folder.
pub struct Postgres {
    bin: PathBuf,
    folder: PathBuf,
    /// The owner of its files where this process is root, as PostgreSQL refuses to run as root.
    owner: Option<(u32, u32)>,
    server: Server,
}

impl Postgres {
    /// Makes an empty cluster in `folder`, with the superuser `spaza` and no password.
    pub fn make(folder: &Path) -> Result<Self, Fault> {
        let made =
            Self { bin: bin()?, folder: folder.to_owned(), owner: unprivileged()?, server: Server::of("postgres") };
        let data = made.data();
        std::fs::create_dir_all(&data).map_err(|error| error.to_string())?;
        if let Some((uid, gid)) = made.owner {
            for path in [folder, &data] {
                std::os::unix::fs::chown(path, Some(uid), Some(gid)).map_err(|error| error.to_string())?;
            }
        }
        let output = made
            .command("initdb")
            .args(["--username=spaza", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "-D"])
            .arg(&data)
            .output()
            .map_err(|error| format!("initdb: {error}"))?;
        if !output.status.success() {
            return Err(format!("initdb: {}", String::from_utf8_lossy(&output.stderr).trim()));
        }
        Ok(made)
    }

    /// Lets it take connections over TLS alone, with a certificate of `authority`.
    pub fn require_tls(&self, authority: &Authority) -> Result<(), Fault> {
        let (data, (certificate, key)) = (self.data(), authority.issue()?);
        let tls = "ssl = on\nssl_cert_file = 'server.crt'\nssl_key_file = 'server.key'\n";
        for (name, text) in [
            ("server.crt", certificate.as_str()),
            ("server.key", &key),
            ("postgresql.auto.conf", tls),
            ("pg_hba.conf", "local all all trust\nhostssl all all 127.0.0.1/32 trust\n"),
        ] {
            write_private(&data.join(name), text, self.owner)?;
        }
        Ok(())
    }

    /// Starts its process on this port of 127.0.0.1, with settings such as `fsync=off`; whether it answers, `answers` tells.
    pub fn launch(&mut self, port: u16, settings: &[&str]) -> Result<(), Fault> {
        let log = std::fs::File::options().create(true).append(true).open(self.folder.join("postgres.log"));
        let log = log.map_err(|error| error.to_string())?;
        let mut command = self.command("postgres");
        command
            .arg("-D")
            .arg(self.data())
            .arg("-k")
            .arg(&self.folder)
            .args(["-h", "127.0.0.1", "-p", &port.to_string(), "-c", "max_connections=500"])
            .args(settings.iter().flat_map(|setting| ["-c", setting]))
            .stderr(log);
        self.server.launch(&mut command)
    }

    /// Whether it accepts connections. Checks its own Unix socket, as another process may listen on its port.
    pub fn answers(&self, port: u16) -> bool {
        let mut ready = Command::new(self.bin.join("pg_isready"));
        ready.arg("-q").arg("-h").arg(&self.folder).args(["-p", &port.to_string()]);
        ready.status().is_ok_and(|status| status.success())
    }

    /// Whether its process is gone.
    pub fn has_ended(&mut self) -> bool {
        self.server.has_ended()
    }

    /// Begins a shutdown; `has_ended` tells when it is done.
    pub fn shut_down(&mut self, mode: ShutdownMode) -> Result<(), Fault> {
        self.server.signal(match mode {
            ShutdownMode::Fast => "INT",
            ShutdownMode::Immediate => "QUIT",
        })
    }

    /// Sends a signal, by its name, to its first process and to all that this has made: `STOP`.
    pub fn signal_all(&mut self, name: &str) -> Result<(), Fault> {
        self.server.signal(name)?;
        let Some(id) = self.server.id() else { return Ok(()) };
        let children = std::fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        // One that has ended in between is no fault.
        let sent = Command::new("kill").arg(format!("-{name}")).args(children.split_whitespace()).output();
        sent.map(|_| ()).map_err(|error| format!("kill: {error}"))
    }

    /// What it has logged.
    pub fn log(&self) -> String {
        std::fs::read(self.folder.join("postgres.log"))
            .map_or_else(|_| String::new(), |log| String::from_utf8_lossy(&log).into_owned())
    }

    fn data(&self) -> PathBuf {
        self.folder.join("postgres")
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.bin.join(program));
        command.current_dir(&self.folder).stdin(Stdio::null()).stdout(Stdio::null());
        if let Some((uid, gid)) = self.owner {
            command.uid(uid).gid(gid);
        }
        command
    }
}

/// The folder of its programs, the newest of several.
fn bin() -> Result<PathBuf, Fault> {
    let mut found: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path().join("bin"))
        .filter(|bin| bin.join("initdb").exists())
        .collect();
    found.sort();
    found
        .pop()
        .or_else(|| {
            let path = std::env::var_os("PATH")?;
            std::env::split_paths(&path).find(|bin| bin.join("initdb").exists())
        })
        .ok_or_else(|| "PostgreSQL's server programs are missing (Debian: apt-get install postgresql)".to_owned())
}

/// The user and group to run PostgreSQL as where this process is root; `None` otherwise.
pub(super) fn unprivileged() -> Result<Option<(u32, u32)>, Fault> {
    if id(&["-u"])? != 0 {
        return Ok(None);
    }
    let user = if id(&["-u", "postgres"]).is_ok() { "postgres" } else { "nobody" };
    Ok(Some((id(&["-u", user])?, id(&["-g", user])?)))
}

fn id(args: &[&str]) -> Result<u32, Fault> {
    let output = Command::new("id").args(args).output().map_err(|error| format!("id: {error}"))?;
    String::from_utf8_lossy(&output.stdout)
        .trim()
        .parse()
        .map_err(|_| format!("id {} printed no number", args.join(" ")))
}

//! Starts a throw-away PostgreSQL and Redis on free ports, runs a command with TEST_DATABASE_URL and TEST_REDIS_URL set,
//! stops both, and ends with the command's exit code.

#![expect(clippy::print_stderr, reason = "a command-line tool speaks to a person")]

use std::{
    net::TcpListener,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

/// Stops its process when dropped.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            eprintln!("with-servers: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<u8, String> {
    let mut words = std::env::args_os().skip(1);
    let command = words.next().ok_or("usage: with-servers COMMAND [ARG…]")?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (database_url, _postgres) = start_postgres(folder.path())?;
    let (redis_url, _redis) = start_redis(folder.path())?;
    // The command must not see a family's own settings: a test that reads them would test somebody's data.
    let status = Command::new(&command)
        .args(words)
        .env("TEST_DATABASE_URL", database_url)
        .env("TEST_REDIS_URL", redis_url)
        .env_remove("DATABASE_URL")
        .env_remove("REDIS_URL")
        .status()
        .map_err(|error| format!("cannot run {}: {error}", command.to_string_lossy()))?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

fn start_postgres(folder: &Path) -> Result<(String, Server), String> {
    let bin = postgres_bin()?;
    let data = folder.join("postgres");
    std::fs::create_dir(&data).map_err(|error| error.to_string())?;
    let owner = unprivileged()?;
    if let Some((uid, gid)) = owner {
        // PostgreSQL refuses to run as root; its files belong to its own user.
        std::os::unix::fs::chown(folder, Some(uid), Some(gid)).map_err(|error| error.to_string())?;
        std::os::unix::fs::chown(&data, Some(uid), Some(gid)).map_err(|error| error.to_string())?;
    }
    let as_owner = |program: &str| {
        let mut command = Command::new(bin.join(program));
        command.current_dir(folder).stdout(Stdio::null());
        if let Some((uid, gid)) = owner {
            command.uid(uid).gid(gid);
        }
        command
    };
    let made = as_owner("initdb")
        .args(["--username=spaza", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "-D"])
        .arg(&data)
        .output()
        .map_err(|error| format!("initdb: {error}"))?;
    if !made.status.success() {
        return Err(format!("initdb: {}", String::from_utf8_lossy(&made.stderr).trim()));
    }
    let port = free_port()?;
    let log = std::fs::File::create(folder.join("postgres.log")).map_err(|error| error.to_string())?;
    let server = as_owner("postgres")
        .arg("-D")
        .arg(&data)
        .arg("-k")
        .arg(folder)
        .args(["-h", "127.0.0.1", "-p", &port.to_string()])
        .args(["-c", "max_connections=500", "-c", "fsync=off", "-c", "shared_buffers=128MB"])
        .stderr(log)
        .spawn()
        .map(Server)
        .map_err(|error| format!("postgres: {error}"))?;
    wait_for("PostgreSQL", || {
        Command::new(bin.join("pg_isready"))
            .args(["-q", "-h", "127.0.0.1", "-p", &port.to_string()])
            .status()
            .is_ok_and(|status| status.success())
    })?;
    Ok((format!("postgres://spaza@127.0.0.1:{port}/postgres"), server))
}

fn start_redis(folder: &Path) -> Result<(String, Server), String> {
    let port = free_port()?;
    let server = Command::new("redis-server")
        .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir"])
        .arg(folder)
        .stdout(Stdio::null())
        .spawn()
        .map(Server)
        .map_err(|error| format!("redis-server: {error} (Debian: apt-get install redis-server)"))?;
    wait_for("Redis", || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok())?;
    Ok((format!("redis://127.0.0.1:{port}"), server))
}

fn postgres_bin() -> Result<PathBuf, String> {
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

/// The user that PostgreSQL runs as where we are root; nobody special otherwise.
fn unprivileged() -> Result<Option<(u32, u32)>, String> {
    if id(&["-u"])? != 0 {
        return Ok(None);
    }
    let user = if id(&["-u", "postgres"]).is_ok() { "postgres" } else { "nobody" };
    Ok(Some((id(&["-u", user])?, id(&["-g", user])?)))
}

fn id(args: &[&str]) -> Result<u32, String> {
    let output = Command::new("id").args(args).output().map_err(|error| format!("id: {error}"))?;
    String::from_utf8_lossy(&output.stdout).trim().parse().map_err(|_| format!("id {} told no number", args.join(" ")))
}

fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|error| error.to_string())?;
    listener.local_addr().map(|addr| addr.port()).map_err(|error| error.to_string())
}

fn wait_for(what: &str, ready: impl Fn() -> bool) -> Result<(), String> {
    let started = Instant::now();
    while !ready() {
        if started.elapsed() > Duration::from_secs(60) {
            return Err(format!("{what} did not start within a minute"));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

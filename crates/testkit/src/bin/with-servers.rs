//! Starts a throw-away PostgreSQL and Redis on free ports, runs a command with TEST_DATABASE_URL and TEST_REDIS_URL set,
//! stops both, and ends with the command's exit code.
//!
//! With `--durable` first, PostgreSQL writes as it would for real (for measurements); without, it skips the waits for the disk.

#![expect(clippy::print_stderr, reason = "a command-line tool speaks to a person")]

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

/// How often a server is started anew where somebody took its port in between.
const ATTEMPTS: usize = 5;

/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(180);

/// PostgreSQL's settings for tests: nothing of it need survive.
const QUICK: &[&str] = &["-c", "fsync=off", "-c", "shared_buffers=128MB", "-c", "autovacuum=off"];

/// Its settings for measurements: what a small server of one's own would have.
const DURABLE: &[&str] = &["-c", "shared_buffers=512MB", "-c", "max_wal_size=4GB"];

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
    let mut words = std::env::args_os().skip(1).peekable();
    let durable = words.next_if(|word| word == "--durable").is_some();
    let command = words.next().ok_or("usage: with-servers [--durable] COMMAND [ARG…]")?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (database_url, _postgres) = start_postgres(folder.path(), durable)?;
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

fn start_postgres(folder: &Path, durable: bool) -> Result<(String, Server), String> {
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
    started("PostgreSQL", |port| {
        let log = std::fs::File::create(folder.join("postgres.log")).map_err(|error| error.to_string())?;
        let server = as_owner("postgres")
            .arg("-D")
            .arg(&data)
            .arg("-k")
            .arg(folder)
            .args(["-h", "127.0.0.1", "-p", &port.to_string()])
            .args(["-c", "max_connections=500"])
            .args(if durable { DURABLE } else { QUICK })
            .stderr(log)
            .spawn()
            .map_err(|error| format!("postgres: {error}"))?;
        // Asked by its own socket: whoever else has taken the port in between is not asked, and ours then ends.
        let mut ready = Command::new(bin.join("pg_isready"));
        ready.arg("-q").arg("-h").arg(folder).args(["-p", &port.to_string()]);
        let ready = move |_: u32| ready.status().is_ok_and(|status| status.success());
        Ok((server, Box::new(ready)))
    })
    .map(|(port, server)| (format!("postgres://spaza@127.0.0.1:{port}/postgres"), server))
    .map_err(|error| format!("{error}\n{}", std::fs::read_to_string(folder.join("postgres.log")).unwrap_or_default()))
}

fn start_redis(folder: &Path) -> Result<(String, Server), String> {
    started("Redis", |port| {
        let server = Command::new("redis-server")
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir"])
            .arg(folder)
            .stdout(Stdio::null())
            .spawn()
            .map_err(|error| format!("redis-server: {error} (Debian: apt-get install redis-server)"))?;
        let ready = move |process: u32| redis_process(port) == Some(process);
        Ok((server, Box::new(ready)))
    })
    .map(|(port, server)| (format!("redis://127.0.0.1:{port}"), server))
}

/// The process that answers as Redis on this port.
fn redis_process(port: u16) -> Option<u32> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
    stream.write_all(b"INFO server\r\nQUIT\r\n").ok()?;
    let mut told = String::new();
    stream.read_to_string(&mut told).ok()?;
    told.lines().find_map(|line| line.strip_prefix("process_id:"))?.trim().parse().ok()
}

/// Whether the server of this process answers.
type Ready = Box<dyn FnMut(u32) -> bool>;

/// Starts a server on a port that was free a moment ago, and again on another where it was not any more.
fn started(what: &str, start: impl Fn(u16) -> Result<(Child, Ready), String>) -> Result<(u16, Server), String> {
    for _ in 0..ATTEMPTS {
        let port = free_port()?;
        let (child, mut ready) = start(port)?;
        let mut server = Server(child);
        let began = Instant::now();
        loop {
            if server.0.try_wait().map_err(|error| format!("{what}: {error}"))?.is_some() {
                break;
            }
            if ready(server.0.id()) {
                return Ok((port, server));
            }
            if began.elapsed() > PATIENCE {
                return Err(format!("{what} did not start within {} seconds", PATIENCE.as_secs()));
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    Err(format!("{what} ended {ATTEMPTS} times before it was ready"))
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

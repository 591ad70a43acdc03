//! Starts a throw-away PostgreSQL and Redis on free ports, runs a command with TEST_DATABASE_URL and TEST_REDIS_URL set,
//! stops both, and ends with the command's exit code.
//!
//! With `--durable` first, PostgreSQL writes as it would for real (for measurements); without, it skips the waits for the disk.

#![expect(clippy::print_stderr, reason = "a command-line tool speaks to a person")]

use std::{
    path::Path,
    process::{Command, ExitCode},
    time::{Duration, Instant},
};

use testkit::servers::{Fault, Postgres, Redis, free_port};

/// How often a server is restarted where another process took its port in between.
const ATTEMPTS: usize = 5;

/// How long a server may take to start.
const TIMEOUT: Duration = Duration::from_secs(180);

/// PostgreSQL's settings for tests: nothing of it need survive.
const QUICK: &[&str] = &["fsync=off", "shared_buffers=128MB", "autovacuum=off"];

/// Its settings for measurements: what a small server of one's own would have.
const DURABLE: &[&str] = &["shared_buffers=512MB", "max_wal_size=4GB"];

fn main() -> ExitCode {
    match run() {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            eprintln!("with-servers: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<u8, Fault> {
    let mut words = std::env::args_os().skip(1).peekable();
    let durable = words.next_if(|word| word == "--durable").is_some();
    let command = words.next().ok_or("usage: with-servers [--durable] COMMAND [ARG…]")?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (database_url, _postgres) = start_postgres(folder.path(), durable)?;
    let (redis_url, _redis) = start_redis(folder.path())?;
    // The command must not see a family's own settings: a test that reads them would use real data.
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

fn start_postgres(folder: &Path, durable: bool) -> Result<(String, Postgres), Fault> {
    let mut postgres = Postgres::make(folder)?;
    let settings = if durable { DURABLE } else { QUICK };
    let port = started(
        "PostgreSQL",
        &mut postgres,
        |it, port| it.launch(port, settings),
        Postgres::answers,
        |it| it.has_ended(),
    );
    let port = port.map_err(|error| format!("{error}\n{}", postgres.log()))?;
    Ok((format!("postgres://spaza@127.0.0.1:{port}/postgres"), postgres))
}

fn start_redis(folder: &Path) -> Result<(String, Redis), Fault> {
    let mut redis = Redis::new(folder);
    let port = started("Redis", &mut redis, Redis::launch, Redis::answers, Redis::has_ended)?;
    Ok((format!("redis://127.0.0.1:{port}"), redis))
}

/// Starts a server on a port that was free a moment ago, and again on another where it was not any more.
fn started<S>(
    what: &str,
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
                return Err(format!("{what} did not start within {} seconds", TIMEOUT.as_secs()));
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    Err(format!("{what} ended {ATTEMPTS} times before it was ready"))
}

//! Starts a throw-away PostgreSQL and Redis on free ports, runs a command with TEST_DATABASE_URL and TEST_REDIS_URL set,
//! stops both, and ends with the command's exit code.
//!
//! With `--durable` first, PostgreSQL writes as it would for real (for measurements); without, it skips the waits for the disk. With
//! `--managed` first, both are as a provider offers them: TLS, PgBouncer in transaction mode, a role for each service. The services under
//! test go by TEST_POOLER_URL, TEST_CA_FILE and TEST_UNNAMED_STATEMENTS then, and what the tests do beside them by TEST_DATABASE_URL.

#![expect(clippy::print_stderr, reason = "a command-line tool speaks to a person")]

use std::{
    ffi::{OsStr, OsString},
    path::Path,
    process::{Command, ExitCode},
};

use tempfile::TempDir;
use testkit::servers::{Fault, Managed, Postgres, Redis, start};

/// PostgreSQL's settings for tests: nothing of it need survive.
const QUICK: &[&str] = &[
    "fsync=off",
    "full_page_writes=off",
    "synchronous_commit=off",
    "shared_buffers=128MB",
    "autovacuum=off",
    "max_wal_size=256MB",
];

/// Where files are kept in memory, and how much must be free there, in KiB.
const MEMORY: (&str, u64) = ("/dev/shm", 4 << 20);

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
    let managed = words.next_if(|word| word == "--managed").is_some();
    let command = words.next().ok_or("usage: with-servers [--durable | --managed] COMMAND [ARG…]")?;
    let folder = folder(durable).map_err(|error| error.to_string())?;
    if managed {
        let servers = Managed::start(folder.path(), QUICK)?;
        // Where PgBouncer keeps named statements, both ways have to work: TEST_UNNAMED_STATEMENTS=1 chooses the other.
        let chosen = std::env::var_os("TEST_UNNAMED_STATEMENTS").is_some_and(|value| value == "1");
        let unnamed = chosen || !servers.keeps_named_statements;
        let variables = [
            ("TEST_DATABASE_URL", servers.database_url.as_str().into()),
            ("TEST_REDIS_URL", servers.redis_url.as_str().into()),
            ("TEST_POOLER_URL", servers.pooler_url.as_str().into()),
            ("TEST_CA_FILE", servers.authority.file.as_os_str().to_owned()),
            ("TEST_UNNAMED_STATEMENTS", if unnamed { "1" } else { "0" }.into()),
        ];
        return run_with(&command, words, &variables);
    }
    let (database_url, _postgres) = start_postgres(folder.path(), durable)?;
    let (redis_url, _redis) = start_redis(folder.path())?;
    let mut variables = vec![("TEST_DATABASE_URL", database_url.into()), ("TEST_REDIS_URL", redis_url.into())];
    // What tests write is for them alone, as the servers' files are; some of it are programs.
    if !durable && runs_programs(folder.path()) {
        let temporary = folder.path().join("tmp");
        std::fs::create_dir(&temporary).map_err(|error| error.to_string())?;
        variables.push(("TMPDIR", temporary.into()));
    }
    run_with(&command, words, &variables)
}

/// A folder for the servers, in memory where there is enough of it: each test has a database, which is hundreds of files, and making and
/// deleting them took a quarter of all processor time on a disk.
fn folder(durable: bool) -> std::io::Result<TempDir> {
    let (place, needed) = MEMORY;
    match !durable && free_kib(place).is_some_and(|free| free >= needed) {
        true => tempfile::tempdir_in(place),
        false => tempfile::tempdir(),
    }
}

/// Whether programs in a folder may be run: its file system may be mounted without.
fn runs_programs(folder: &Path) -> bool {
    let mounts = std::fs::read_to_string("/proc/mounts").unwrap_or_default();
    let options = mounts.lines().filter_map(|line| {
        let mut fields = line.split(' ').skip(1);
        let place = fields.next()?;
        folder.starts_with(place).then_some((place.len(), fields.nth(1)?))
    });
    options
        .max_by_key(|(length, _)| *length)
        .is_none_or(|(_, options)| options.split(',').all(|option| option != "noexec"))
}

/// How much is free in a file system, in KiB.
fn free_kib(place: &str) -> Option<u64> {
    let output = Command::new("df").args(["-Pk", place]).output().ok()?;
    String::from_utf8(output.stdout).ok()?.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()
}

/// The exit code of the command, which sees these variables.
fn run_with(
    command: &OsStr,
    words: impl Iterator<Item = OsString>,
    variables: &[(&str, OsString)],
) -> Result<u8, Fault> {
    // The command must not see a family's own settings: a test that reads them would use real data.
    let status = Command::new(command)
        .args(words)
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .env_remove("DATABASE_URL")
        .env_remove("REDIS_URL")
        .status()
        .map_err(|error| format!("cannot run {}: {error}", command.to_string_lossy()))?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

fn start_postgres(folder: &Path, durable: bool) -> Result<(String, Postgres), Fault> {
    let mut postgres = Postgres::make(folder)?;
    let settings = if durable { DURABLE } else { QUICK };
    let launch = |postgres: &mut Postgres, port| postgres.launch(port, settings);
    let port = start("PostgreSQL", &mut postgres, launch, Postgres::answers, Postgres::has_ended);
    let port = port.map_err(|error| format!("{error}\n{}", postgres.log()))?;
    Ok((format!("postgres://spaza@127.0.0.1:{port}/postgres"), postgres))
}

fn start_redis(folder: &Path) -> Result<(String, Redis), Fault> {
    let mut redis = Redis::new(folder);
    let port = start("Redis", &mut redis, Redis::launch, Redis::answers, Redis::has_ended)?;
    Ok((format!("redis://127.0.0.1:{port}"), redis))
}

//! PostgreSQL and Redis, ours to stop and start: at fixed ports, on a disk that can be filled where we may mount one.

use std::{cell::RefCell, path::Path, time::Duration};

use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, sql_types::BigInt};
use testkit::{
    Reserved,
    servers::{Ending, Postgres, Redis},
};
use tokio::time::Instant;

use crate::disk::Disk;

/// Synchronous writes stay on, so that what was committed is in the log when it is answered; only the wait for the disk itself is off,
/// as it is a process that dies here and not a machine. The log is kept short, as the disk is small.
const SETTINGS: &[&str] = &["fsync=off", "shared_buffers=64MB", "min_wal_size=32MB", "max_wal_size=64MB"];

/// Room for the database and its log, in megabytes.
const DISK_MB: u32 = 512;

/// How long a server may take to come or go.
const PATIENCE: Duration = Duration::from_secs(120);

/// How often it is looked whether it has.
const LOOK: Duration = Duration::from_millis(20);

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

/// The two servers.
pub(crate) struct Servers {
    postgres: RefCell<Postgres>,
    postgres_place: Reserved,
    redis: RefCell<Redis>,
    redis_place: Reserved,
    /// The database's disk.
    pub disk: Option<Disk>,
    /// Why there is no disk that can be filled.
    pub no_disk: Option<String>,
}

impl Servers {
    /// Makes both below `folder` and starts them.
    pub async fn start(folder: &Path) -> anyhow::Result<Self> {
        let (data, cache) = (folder.join("postgres"), folder.join("redis"));
        for path in [&data, &cache] {
            std::fs::create_dir_all(path)?;
        }
        let (disk, no_disk) = match Disk::mount(&data, DISK_MB) {
            Ok(disk) => (Some(disk), None),
            Err(cause) => (None, Some(cause.to_string())),
        };
        let servers = Self {
            postgres: RefCell::new(Postgres::make(&data).map_err(anyhow::Error::msg)?),
            postgres_place: Reserved::any(),
            redis: RefCell::new(Redis::new(&cache)),
            redis_place: Reserved::any(),
            disk,
            no_disk,
        };
        servers.start_postgres().await?;
        servers.start_redis().await?;
        Ok(servers)
    }

    /// For `DATABASE_URL`.
    pub fn database_url(&self) -> String {
        format!("postgres://spaza@{}/postgres", self.postgres_place.addr)
    }

    /// For `REDIS_URL`.
    pub fn redis_url(&self) -> String {
        format!("redis://{}", self.redis_place.addr)
    }

    /// Asks PostgreSQL to end, and waits until it has.
    pub async fn end_postgres(&self, how: Ending) -> anyhow::Result<()> {
        self.postgres.borrow_mut().end(how).map_err(anyhow::Error::msg)?;
        until("PostgreSQL ends", || Ok(self.postgres.borrow_mut().has_ended())).await
    }

    /// Sends all of PostgreSQL a signal, by its name.
    pub fn signal_postgres(&self, name: &str) -> anyhow::Result<()> {
        self.postgres.borrow_mut().signal_all(name).map_err(anyhow::Error::msg)
    }

    /// Waits until PostgreSQL takes connections; where it has ended it is started.
    pub async fn start_postgres(&self) -> anyhow::Result<()> {
        let port = self.postgres_place.addr.port();
        let up = || {
            let mut postgres = self.postgres.borrow_mut();
            if postgres.has_ended() {
                postgres.launch(port, SETTINGS).map_err(anyhow::Error::msg)?;
            }
            Ok(postgres.answers(port))
        };
        until("PostgreSQL answers", up).await
    }

    /// Has PostgreSQL begin a new piece of its log, which takes room where it has no old ones left.
    pub async fn turn_log(&self) -> anyhow::Result<()> {
        // Only a piece in which something stands is ended.
        self.number("SELECT COUNT(pg_logical_emit_message(false, 'chaos', '')) AS n").await?;
        self.number("SELECT COUNT(pg_switch_wal()) AS n").await.map(drop)
    }

    /// What PostgreSQL has said.
    pub fn postgres_log(&self) -> String {
        self.postgres.borrow().log()
    }

    /// Ends every session of the database that there is, as an administrator may.
    pub async fn end_sessions(&self) -> anyhow::Result<i64> {
        let others = "SELECT COUNT(pg_terminate_backend(pid)) AS n FROM pg_stat_activity \
                      WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'";
        self.number(others).await
    }

    /// The number `n` that a query answers.
    pub async fn number(&self, query: &'static str) -> anyhow::Result<i64> {
        // What a server says of its own end to whoever is connected is expected here.
        let url = format!("{}?options=-cclient_min_messages%3Derror", self.database_url());
        let asked = tokio::task::spawn_blocking(move || {
            let mut conn = PgConnection::establish(&url)?;
            Ok::<_, anyhow::Error>(diesel::sql_query(query).get_result::<Number>(&mut conn)?.n)
        });
        asked.await?
    }

    /// Ends Redis at once; what it knew is gone.
    pub fn kill_redis(&self) {
        self.redis.borrow_mut().kill();
    }

    /// Sends Redis a signal, by its name.
    pub fn signal_redis(&self, name: &str) -> anyhow::Result<()> {
        self.redis.borrow_mut().signal(name).map_err(anyhow::Error::msg)
    }

    /// Waits until Redis answers; where it has ended it is started.
    pub async fn start_redis(&self) -> anyhow::Result<()> {
        let port = self.redis_place.addr.port();
        let up = || {
            let mut redis = self.redis.borrow_mut();
            if redis.has_ended() {
                redis.launch(port).map_err(anyhow::Error::msg)?;
            }
            Ok(redis.answers(port))
        };
        until("Redis answers", up).await
    }
}

async fn until(what: &str, mut so: impl FnMut() -> anyhow::Result<bool>) -> anyhow::Result<()> {
    let began = Instant::now();
    while !so()? {
        if began.elapsed() > PATIENCE {
            anyhow::bail!("{what}: not within {} s", PATIENCE.as_secs());
        }
        tokio::time::sleep(LOOK).await;
    }
    Ok(())
}

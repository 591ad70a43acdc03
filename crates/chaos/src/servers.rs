//! The run's own PostgreSQL and Redis, at fixed ports, with PostgreSQL on a tmpfs where one can be mounted.

use std::{cell::RefCell, path::Path, time::Duration};

use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, sql_types::BigInt};
use testkit::{
    Reserved,
    servers::{Postgres, Redis, ShutdownMode},
};
use tokio::time::Instant;

use crate::disk::Disk;

/// Commits still reach the WAL before they are acknowledged; only the wait for the disk is off, as processes die here and not the machine.
/// The WAL is kept short, as the disk is small.
const SETTINGS: &[&str] = &["fsync=off", "shared_buffers=64MB", "min_wal_size=32MB", "max_wal_size=64MB"];

/// Size of the disk for the database and its WAL, in megabytes.
const DISK_MB: u32 = 512;

/// How long a server may take to start or stop.
const TIMEOUT: Duration = Duration::from_secs(120);

/// Time between two polls.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

/// The two servers.
pub(crate) struct Servers {
    postgres: RefCell<Postgres>,
    postgres_address: Reserved,
    redis: RefCell<Redis>,
    redis_address: Reserved,
    /// The database's tmpfs.
    pub disk: Option<Disk>,
    /// Why no tmpfs could be mounted.
    pub no_disk: Option<String>,
}

impl Servers {
    /// Creates both below `folder` and starts them.
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
            postgres_address: Reserved::any(),
            redis: RefCell::new(Redis::new(&cache)),
            redis_address: Reserved::any(),
            disk,
            no_disk,
        };
        servers.start_postgres().await?;
        servers.start_redis().await?;
        Ok(servers)
    }

    /// For `DATABASE_URL`.
    pub fn database_url(&self) -> String {
        format!("postgres://spaza@{}/postgres", self.postgres_address.addr)
    }

    /// For `REDIS_URL`.
    pub fn redis_url(&self) -> String {
        format!("redis://{}", self.redis_address.addr)
    }

    /// Shuts PostgreSQL down, and waits until it has ended.
    pub async fn shut_down_postgres(&self, mode: ShutdownMode) -> anyhow::Result<()> {
        self.postgres.borrow_mut().shut_down(mode).map_err(anyhow::Error::msg)?;
        wait_until("PostgreSQL ends", || Ok(self.postgres.borrow_mut().has_ended())).await
    }

    /// Sends all processes of PostgreSQL a signal, by its name.
    pub fn signal_postgres(&self, name: &str) -> anyhow::Result<()> {
        self.postgres.borrow_mut().signal_all(name).map_err(anyhow::Error::msg)
    }

    /// Waits until PostgreSQL accepts connections; starts it where it has ended.
    pub async fn start_postgres(&self) -> anyhow::Result<()> {
        let port = self.postgres_address.addr.port();
        let is_up = || {
            let mut postgres = self.postgres.borrow_mut();
            if postgres.has_ended() {
                postgres.launch(port, SETTINGS).map_err(anyhow::Error::msg)?;
            }
            Ok(postgres.answers(port))
        };
        wait_until("PostgreSQL answers", is_up).await
    }

    /// Has PostgreSQL begin a new WAL segment, which takes space where there is no old segment to recycle.
    pub async fn switch_wal(&self) -> anyhow::Result<()> {
        // PostgreSQL does not switch a segment in which nothing is written.
        self.number("SELECT COUNT(pg_logical_emit_message(false, 'chaos', '')) AS n").await?;
        self.number("SELECT COUNT(pg_switch_wal()) AS n").await.map(drop)
    }

    /// PostgreSQL's log.
    pub fn postgres_log(&self) -> String {
        self.postgres.borrow().log()
    }

    /// Terminates every client session of the database.
    pub async fn terminate_sessions(&self) -> anyhow::Result<i64> {
        let others = "SELECT COUNT(pg_terminate_backend(pid)) AS n FROM pg_stat_activity \
                      WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'";
        self.number(others).await
    }

    /// The result column `n` of a query.
    pub async fn number(&self, query: &str) -> anyhow::Result<i64> {
        // The messages that a server sends to connected clients as it ends are expected here.
        let url = format!("{}?options=-cclient_min_messages%3Derror", self.database_url());
        let query = diesel::sql_query(query);
        let query = tokio::task::spawn_blocking(move || {
            let mut conn = PgConnection::establish(&url)?;
            Ok::<_, anyhow::Error>(query.get_result::<Number>(&mut conn)?.n)
        });
        query.await?
    }

    /// Kills Redis, with its data.
    pub fn kill_redis(&self) {
        self.redis.borrow_mut().kill();
    }

    /// Sends Redis a signal, by its name.
    pub fn signal_redis(&self, name: &str) -> anyhow::Result<()> {
        self.redis.borrow_mut().signal(name).map_err(anyhow::Error::msg)
    }

    /// Waits until Redis answers; starts it where it has ended.
    pub async fn start_redis(&self) -> anyhow::Result<()> {
        let port = self.redis_address.addr.port();
        let is_up = || {
            let mut redis = self.redis.borrow_mut();
            if redis.has_ended() {
                redis.launch(port).map_err(anyhow::Error::msg)?;
            }
            Ok(redis.answers(port))
        };
        wait_until("Redis answers", is_up).await
    }
}

async fn wait_until(what: &str, mut condition: impl FnMut() -> anyhow::Result<bool>) -> anyhow::Result<()> {
    let began = Instant::now();
    while !condition()? {
        if began.elapsed() > TIMEOUT {
            anyhow::bail!("{what}: not within {} s", TIMEOUT.as_secs());
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    Ok(())
}

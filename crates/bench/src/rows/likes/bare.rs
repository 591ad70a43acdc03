//! The SQL statements of a like in a loop, without sessions and visibility checks.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use diesel::{Connection, PgConnection, SqliteConnection, connection::SimpleConnection, prelude::*};
use store::{DbConnection, StoreConfig, on_each_backend};

use super::{liked, msisdn};
use crate::{
    load::Sample,
    rounds::{Contender, Turn},
};

/// PostgreSQL groups concurrent commits: as many loops as the service has connections.
const LOOPS: usize = 8;

diesel::table! {
    memes (id) { id -> BigInt, likes -> BigInt, }
}
diesel::table! {
    likes (msisdn, meme_id) { msisdn -> Text, meme_id -> BigInt, created -> Timestamp, }
}

/// A database of the meme service, without the service. The connections stay open between turns, as in a service: with each first
/// connection SQLite would start a new log, and growing a file is slower than writing to it.
pub(super) struct Bare {
    connections: Vec<Arc<Mutex<DbConnection>>>,
}

impl Bare {
    pub fn over(config: &StoreConfig) -> anyhow::Result<Self> {
        let mut connections = Vec::new();
        match &config.database_url {
            Some(url) => {
                for _ in 0..LOOPS {
                    let conn = PgConnection::establish(&format!("{url}?options=-csearch_path%3Dmeme"))?;
                    connections.push(Arc::new(Mutex::new(DbConnection::Postgres(conn))));
                }
            }
            None => {
                let mut conn = SqliteConnection::establish(&config.data_dir.join("meme.db").display().to_string())?;
                conn.batch_execute(
                    "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;",
                )?;
                connections.push(Arc::new(Mutex::new(DbConnection::Sqlite(conn))));
            }
        }
        Ok(Self { connections })
    }
}

/// Likes and unlikes for a while; returns the latencies in microseconds.
fn work(conn: &Mutex<DbConnection>, number: usize, duration: Duration) -> anyhow::Result<Vec<u32>> {
    let mut conn = conn.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let msisdn = msisdn(number);
    let started = Instant::now();
    let mut latencies = Vec::new();
    for step in 0_u64.. {
        if started.elapsed() >= duration {
            break;
        }
        let meme = liked(step).cast_signed();
        let begun = Instant::now();
        conn.transaction(
            |conn| if step.is_multiple_of(2) { like(conn, &msisdn, meme) } else { unlike(conn, &msisdn, meme) },
        )?;
        latencies.push(u32::try_from(begun.elapsed().as_micros()).unwrap_or(u32::MAX));
    }
    Ok(latencies)
}

impl Contender for Bare {
    fn turn(&self, duration: Duration) -> Turn<'_> {
        Box::pin(async move {
            let started = Instant::now();
            let works: Vec<_> = self
                .connections
                .iter()
                .cloned()
                .enumerate()
                .map(|(number, conn)| tokio::task::spawn_blocking(move || work(&conn, number, duration)))
                .collect();
            let mut latencies = Vec::new();
            for work in works {
                latencies.append(&mut work.await??);
            }
            Ok(Sample::of(latencies, started.elapsed(), Duration::ZERO))
        })
    }
}

fn like(conn: &mut DbConnection, msisdn: &str, meme: i64) -> QueryResult<i64> {
    memes::table.find(meme).select(memes::likes).first::<i64>(conn)?;
    let row = (likes::msisdn.eq(msisdn), likes::meme_id.eq(meme), likes::created.eq(chrono::Utc::now().naive_utc()));
    on_each_backend!(conn, conn => diesel::insert_into(likes::table).values(row).on_conflict_do_nothing().execute(conn))?;
    diesel::update(memes::table.find(meme))
        .set(memes::likes.eq(memes::likes + 1))
        .returning(memes::likes)
        .get_result(conn)
}

fn unlike(conn: &mut DbConnection, msisdn: &str, meme: i64) -> QueryResult<i64> {
    memes::table.find(meme).select(memes::likes).first::<i64>(conn)?;
    diesel::delete(likes::table.find((msisdn, meme))).execute(conn)?;
    diesel::update(memes::table.find(meme))
        .set(memes::likes.eq(memes::likes - 1))
        .returning(memes::likes)
        .get_result(conn)
}

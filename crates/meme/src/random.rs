//! Uniform random draws in constant time: ids are cached in memory, sampled, and fetched by primary key.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use catalogue::{Error, State, manifest, translated};
use chrono::NaiveDateTime;
use diesel::{dsl::min, prelude::*};
use languages::Language;
use rand::seq::index;
use store::{Db, DbConnection, imports};

use crate::{
    memes::Meme,
    schema::{categories, memes},
};

/// How long cached ids are used before the catalogue's version is checked again.
const VALID_FOR: Duration = Duration::from_secs(1);

/// How many times a draw is repeated when a drawn meme was unlisted since its id was cached.
const ATTEMPTS: usize = 3;

/// A service's meme ids at one version of the catalogue.
#[derive(Clone)]
struct CachedIds {
    ids: Arc<Vec<i64>>,
    version: i64,
    /// When the next meme is published or expires, as far as known.
    valid_until: NaiveDateTime,
    checked: Instant,
}

/// One service's ids. A writer refreshes them while readers wait.
type ServiceIds = Arc<tokio::sync::RwLock<Option<CachedIds>>>;

/// The cached ids of all services' memes: 8 bytes a meme.
#[derive(Clone, Default)]
pub struct RandomMemes {
    services: Arc<Mutex<HashMap<String, ServiceIds>>>,
}

impl RandomMemes {
    /// `count` of a service's listed memes, all equally likely, without repetition, in a language; fewer if there are fewer.
    pub async fn draw(&self, db: &Db, service: &str, count: usize, language: Language) -> Result<Vec<Meme>, Error> {
        let mut memes = Vec::new();
        for _ in 0..ATTEMPTS {
            let ids = self.ids(db, service).await?;
            let sampled = sample(&ids, count);
            let expected = sampled.len();
            memes = db
                .run(move |conn| {
                    let memes = Meme::of_ids(conn, &sampled)?;
                    translated(conn, language, memes)
                })
                .await?;
            if memes.len() == expected {
                break;
            }
            // Some were unlisted since the ids were cached.
            self.invalidate(service).await;
        }
        Ok(memes)
    }

    async fn ids(&self, db: &Db, service: &str) -> Result<Arc<Vec<i64>>, Error> {
        let service_ids = self.service_ids(service);
        if let Some(cached) = service_ids.read().await.as_ref().filter(|cached| cached.checked.elapsed() < VALID_FOR) {
            return Ok(cached.ids.clone());
        }
        let mut guard = service_ids.write().await;
        if let Some(cached) = guard.as_ref().filter(|cached| cached.checked.elapsed() < VALID_FOR) {
            return Ok(cached.ids.clone());
        }
        let checked = Instant::now();
        let (service, known) = (service.to_owned(), guard.clone());
        let cached = db.run(move |conn| load(conn, &service, known, checked)).await?;
        let ids = cached.ids.clone();
        *guard = Some(cached);
        Ok(ids)
    }

    /// Invalidates a service's ids.
    async fn invalidate(&self, service: &str) {
        *self.service_ids(service).write().await = None;
    }

    fn service_ids(&self, service: &str) -> ServiceIds {
        let mut services = self.services.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        services.entry(service.to_owned()).or_default().clone()
    }
}

/// `count` of `ids`, in random order.
fn sample(ids: &[i64], count: usize) -> Vec<i64> {
    let sampled = index::sample(&mut rand::rng(), ids.len(), count.min(ids.len()));
    sampled.into_iter().filter_map(|index| ids.get(index).copied()).collect()
}

/// The ids, read again only if the catalogue has a newer version than `known`, or its time has passed.
fn load(
    conn: &mut DbConnection,
    service: &str,
    known: Option<CachedIds>,
    checked: Instant,
) -> Result<CachedIds, Error> {
    let (version, now) = (imports::version(conn)?, service::timestamp::now());
    if let Some(cached) = known
        && cached.version == version
        && now < cached.valid_until
    {
        return Ok(CachedIds { checked, ..cached });
    }
    let ids = memes::table
        .inner_join(categories::table)
        .filter(memes::service.eq(service).and(catalogue::listed!(memes, now)))
        .filter(categories::service.eq(service).and(catalogue::listed!(categories, now)))
        .select(memes::id)
        .load(conn)?;
    Ok(CachedIds { ids: Arc::new(ids), version, valid_until: next_change(conn, service, now)?, checked })
}

/// When the next meme or category is published or expires.
fn next_change(conn: &mut DbConnection, service: &str, now: NaiveDateTime) -> Result<NaiveDateTime, Error> {
    macro_rules! next {
        ($table:ident, $time:ident) => {{
            let later = $table::table.filter($table::service.eq(service).and($table::state.eq(State::Listed.as_str())));
            later.filter($table::$time.gt(now)).select(min($table::$time)).get_result::<Option<NaiveDateTime>>(conn)?
        }};
    }
    let times = [
        next!(memes, publish_at),
        next!(memes, expires_at),
        next!(categories, publish_at),
        next!(categories, expires_at),
    ];
    Ok(times.into_iter().flatten().min().unwrap_or(manifest::never().0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sample_is_uniform_by_id_and_position() {
        // 20,000 draws of 5 from 20: each id is expected 5,000 times in all, and 1,000 times in each position. The bounds are seven standard
        // deviations, 429 and 216, which a correct sampler exceeds once in a billion runs.
        let ids: Vec<i64> = (101..=120).collect();
        let mut counts = [[0_u32; 5]; 20];
        for _ in 0..20_000 {
            for (position, id) in sample(&ids, 5).into_iter().enumerate() {
                counts[usize::try_from(id - 101).unwrap()][position] += 1;
            }
        }
        for positions in counts {
            let sum: u32 = positions.iter().sum();
            assert!((4571..=5429).contains(&sum), "{counts:?}");
            assert!(positions.iter().all(|count| (784..=1216).contains(count)), "{counts:?}");
        }
    }

    #[test]
    fn sample_has_distinct_given_ids() {
        let ids: Vec<i64> = (1..=30).collect();
        for count in [0, 1, 29, 30, 31, 100] {
            let mut drawn = sample(&ids, count);
            drawn.sort_unstable();
            drawn.dedup();
            assert_eq!(drawn.len(), count.min(30));
            assert!(drawn.iter().all(|id| ids.contains(id)));
        }
    }
}

//! Uniform random draws at a cost that does not grow with the table: the ids are kept in memory, drawn from, and then
//! fetched by primary key.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use catalogue::{Error, State, manifest};
use chrono::NaiveDateTime;
use diesel::{dsl::min, prelude::*};
use rand::seq::index;
use store::{Db, DbConnection, imports};

use crate::{
    memes::Meme,
    schema::{categories, memes},
};

/// How long the kept ids are trusted before the catalogue's version is asked for again.
const TRUSTED: Duration = Duration::from_secs(1);

/// How often a draw is begun anew where memes left the list between the drawing and the fetching.
const ATTEMPTS: usize = 3;

/// A service's meme ids, as of one version of the catalogue.
#[derive(Clone)]
struct Kept {
    ids: Arc<Vec<i64>>,
    version: i64,
    /// When the next one is published or expires, as far as is known.
    until: NaiveDateTime,
    checked: Instant,
}

/// One service's ids; whoever holds it alone brings them up to date, the others wait for that.
type Place = Arc<tokio::sync::RwLock<Option<Kept>>>;

/// The ids of each service's memes: 8 bytes a meme.
#[derive(Clone, Default)]
pub struct Draws {
    places: Arc<Mutex<HashMap<String, Place>>>,
}

impl Draws {
    /// `wanted` of a service's listed memes, each equally likely, none twice; fewer where there are fewer.
    pub async fn draw(&self, db: &Db, service: &str, wanted: usize) -> Result<Vec<Meme>, Error> {
        let mut memes = Vec::new();
        for _ in 0..ATTEMPTS {
            let ids = self.ids(db, service).await?;
            let chosen = choose(&ids, wanted);
            let expected = chosen.len();
            memes = db.run(move |conn| Meme::of_ids(conn, &chosen)).await?;
            if memes.len() == expected {
                break;
            }
            // Some were taken off the list since the ids were read.
            self.distrust(service).await;
        }
        Ok(memes)
    }

    async fn ids(&self, db: &Db, service: &str) -> Result<Arc<Vec<i64>>, Error> {
        let place = self.place(service);
        if let Some(kept) = place.read().await.as_ref().filter(|kept| kept.checked.elapsed() < TRUSTED) {
            return Ok(kept.ids.clone());
        }
        let mut held = place.write().await;
        if let Some(kept) = held.as_ref().filter(|kept| kept.checked.elapsed() < TRUSTED) {
            return Ok(kept.ids.clone());
        }
        let checked = Instant::now();
        let (service, known) = (service.to_owned(), held.clone());
        let kept = db.run(move |conn| load(conn, &service, known, checked)).await?;
        let ids = kept.ids.clone();
        *held = Some(kept);
        Ok(ids)
    }

    /// Makes the next draw read the ids again, whatever the catalogue's version.
    async fn distrust(&self, service: &str) {
        *self.place(service).write().await = None;
    }

    fn place(&self, service: &str) -> Place {
        let mut places = self.places.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        places.entry(service.to_owned()).or_default().clone()
    }
}

/// `wanted` of `ids`, in random order.
fn choose(ids: &[i64], wanted: usize) -> Vec<i64> {
    let chosen = index::sample(&mut rand::rng(), ids.len(), wanted.min(ids.len()));
    chosen.into_iter().filter_map(|index| ids.get(index).copied()).collect()
}

/// The ids, read again only where the catalogue has a newer version than the `known` ones.
fn load(conn: &mut DbConnection, service: &str, known: Option<Kept>, checked: Instant) -> Result<Kept, Error> {
    let (version, now) = (imports::version(conn)?, service::timestamp::now());
    if let Some(kept) = known
        && kept.version == version
        && now < kept.until
    {
        return Ok(Kept { checked, ..kept });
    }
    let ids = memes::table
        .inner_join(categories::table)
        .filter(memes::service.eq(service).and(catalogue::listed!(memes, now)))
        .filter(categories::service.eq(service).and(catalogue::listed!(categories, now)))
        .select(memes::id)
        .load(conn)?;
    Ok(Kept { ids: Arc::new(ids), version, until: next_change(conn, service, now)?, checked })
}

/// When time alone will change what may be drawn.
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
    fn every_id_is_drawn_equally_often_and_in_every_place() {
        // 20,000 draws of 5 from 20: each id is expected 5,000 times, and 1,000 times in each place of the draw. Seven
        // standard deviations are 429 and 216: chance alone fails this once in a billion runs.
        let ids: Vec<i64> = (101..=120).collect();
        let mut counts = [[0_u32; 5]; 20];
        for _ in 0..20_000 {
            for (place, id) in choose(&ids, 5).into_iter().enumerate() {
                counts[usize::try_from(id - 101).unwrap()][place] += 1;
            }
        }
        for places in counts {
            let sum: u32 = places.iter().sum();
            assert!((4571..=5429).contains(&sum), "{counts:?}");
            assert!(places.iter().all(|count| (784..=1216).contains(count)), "{counts:?}");
        }
    }

    #[test]
    fn a_draw_never_repeats_and_never_invents() {
        let ids: Vec<i64> = (1..=30).collect();
        for wanted in [0, 1, 29, 30, 31, 100] {
            let mut drawn = choose(&ids, wanted);
            drawn.sort_unstable();
            drawn.dedup();
            assert_eq!(drawn.len(), wanted.min(30));
            assert!(drawn.iter().all(|id| ids.contains(id)));
        }
    }
}

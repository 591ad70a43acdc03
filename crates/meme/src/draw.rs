//! Uniform random draws at a cost that does not grow with the table: the ids are kept in memory, drawn from, and then
//! fetched by primary key.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use diesel::prelude::*;
use store::{Db, DbConnection, imports};

use crate::{error::Error, schema::memes};

/// How long the kept ids are trusted before the catalogue's version is asked for again.
const TRUSTED: Duration = Duration::from_secs(1);

/// A service's meme ids, as of one version of the catalogue.
struct Kept {
    ids: Arc<Vec<i64>>,
    version: i64,
    checked: Instant,
}

/// The ids of each service's memes.
#[derive(Clone, Default)]
pub struct Draws {
    kept: Arc<Mutex<HashMap<String, Kept>>>,
}

impl Draws {
    /// `wanted` ids of a service's memes, each equally likely, none twice; fewer where there are fewer.
    pub async fn draw(&self, db: &Db, service: &str, wanted: usize) -> Result<Vec<i64>, Error> {
        let ids = self.ids(db, service).await?;
        let mut rng = rand::rng();
        let chosen = rand::seq::index::sample(&mut rng, ids.len(), wanted.min(ids.len()));
        Ok(chosen.into_iter().filter_map(|index| ids.get(index).copied()).collect())
    }

    async fn ids(&self, db: &Db, service: &str) -> Result<Arc<Vec<i64>>, Error> {
        let known = self.with(|kept| kept.get(service).map(|kept| (kept.ids.clone(), kept.version, kept.checked)));
        if let Some((ids, _, checked)) = &known
            && checked.elapsed() < TRUSTED
        {
            return Ok(ids.clone());
        }
        let loaded = db
            .run({
                let service = service.to_owned();
                let known = known.map(|(ids, version, _)| (ids, version));
                move |conn| load(conn, &service, known)
            })
            .await?;
        let (ids, version) = loaded;
        self.with(|kept| kept.insert(service.to_owned(), Kept { ids: ids.clone(), version, checked: Instant::now() }));
        Ok(ids)
    }

    fn with<T>(&self, act: impl FnOnce(&mut HashMap<String, Kept>) -> T) -> T {
        act(&mut self.kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }
}

/// The ids, read again only where the catalogue has a newer version than the `known` ones.
fn load(
    conn: &mut DbConnection,
    service: &str,
    known: Option<(Arc<Vec<i64>>, i64)>,
) -> Result<(Arc<Vec<i64>>, i64), Error> {
    let version = imports::version(conn)?;
    if let Some((ids, known_version)) = known
        && known_version == version
    {
        return Ok((ids, version));
    }
    let ids = memes::table.filter(memes::service.eq(service)).select(memes::id).load(conn)?;
    Ok((Arc::new(ids), version))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_index_is_drawn_equally_often() {
        // 2,000 draws of 5 from 20: each index is expected 500 times; six standard deviations are about 116.
        let mut counts = [0_u32; 20];
        let mut rng = rand::rng();
        for _ in 0..2000 {
            let drawn = rand::seq::index::sample(&mut rng, 20, 5).into_vec();
            for index in &drawn {
                counts[*index] += 1;
            }
        }
        assert!(counts.iter().all(|count| (384..=616).contains(count)), "{counts:?}");
    }
}

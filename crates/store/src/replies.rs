//! Catalogue replies kept as ready bytes: identity, br, gzip and ETag are made once per change, not once per request.

mod reply;
mod shared;

use std::{
    cell::RefCell,
    sync::Arc,
    time::{Duration, Instant},
};

use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use moka::{Expiry, future::Cache};
use serde::Serialize;
use service::{Page, Problem, StartError};

use self::{
    reply::Reply,
    shared::{Generation, Shelf},
};
use crate::{Db, DbConnection, Error, Redis, StoreConfig};

/// How long a reply is served before the database is asked again. The gateway keeps it for half of `Cache-Control: max-age=1`, and a
/// browser for the whole: so no visitor sees anything older than two seconds, on any replica, whether or not the replicas know
/// of each other.
const KEPT: Duration = Duration::from_millis(500);

/// Bytes of ready replies one process keeps at most.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

thread_local! {
    /// Where bodies are written, to be copied once into memory of just their size.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// What a thread keeps to write the next body in.
const MAX_SCRATCH: usize = 256 * 1024;

/// What, beside the path, tells one reply from another. Only parameters that matter, in one spelling: so nobody can fill the
/// cache with variants, or put words of his own into the `Link` that others get.
#[derive(Clone, Copy, Debug, Default)]
pub struct Of<'a> {
    /// The query string without paging, as it stands in the address of the next page.
    pub query: &'a str,
    /// The service, where the request's host picks it.
    pub service: &'a str,
}

impl Of<'_> {
    fn address(self, req: &HttpRequest) -> String {
        if self.query.is_empty() { req.path().to_owned() } else { format!("{}?{}", req.path(), self.query) }
    }
}

/// The ready replies of one service.
#[derive(Clone)]
pub struct Replies {
    db: Db,
    kept: Cache<String, Arc<Reply>>,
    shelf: Option<Shelf>,
    life: Duration,
}

impl Replies {
    /// The replies of `owner` from its database: shared between its replicas where there is a Redis and a database they share.
    pub async fn open(db: &Db, config: &StoreConfig, owner: &'static str) -> Result<Self, StartError> {
        Self::living(KEPT, db, config, owner).await
    }

    async fn living(life: Duration, db: &Db, config: &StoreConfig, owner: &'static str) -> Result<Self, StartError> {
        let shelf = match (config.redis_url.as_deref().filter(|url| !url.is_empty()), config.shared_place(owner)) {
            (Some(url), Some(place)) => Some(Shelf::new(Redis::open(url).await?, place)),
            _ => None,
        };
        let kept = Cache::builder()
            .max_capacity(MAX_BYTES)
            .weigher(|key: &String, reply: &Arc<Reply>| u32::try_from(key.len() + reply.weight()).unwrap_or(u32::MAX))
            .expire_after(UntilItsEnd)
            .build();
        Ok(Self { db: db.clone(), kept, shelf, life })
    }
}

/// A reply taken from another replica has already lived a part of its time.
struct UntilItsEnd;

impl Expiry<String, Arc<Reply>> for UntilItsEnd {
    fn expire_after_create(&self, _: &String, reply: &Arc<Reply>, _: Instant) -> Option<Duration> {
        Some(reply.life)
    }

    /// Over one that was forgotten and is not over yet: the new one's time counts.
    fn expire_after_update(&self, _: &String, reply: &Arc<Reply>, _: Instant, _: Option<Duration>) -> Option<Duration> {
        Some(reply.life)
    }
}

/// A body, and the `Link` that goes with it.
type Body = (Bytes, Option<String>);

impl Replies {
    /// Answers `req` with a whole value; see `page` for the rest.
    pub async fn whole<T, E, Q>(&self, req: &HttpRequest, of: Of<'_>, query: Q) -> Result<HttpResponse, E>
    where
        T: Serialize,
        E: Clone + Send + Sync + From<Error> + From<Problem> + 'static,
        Q: FnOnce(&mut DbConnection) -> Result<T, E> + Send + 'static,
    {
        let key = format!("{} {}", of.address(req), of.service);
        self.kept_or(req, key, |conn| Ok((json(&query(conn)?)?, None))).await
    }

    /// Answers `req` with one page of a list, for which `query` reads `page.fetch()` rows; `Link` names the next page by `id`.
    ///
    /// One loader per key runs at a time. Errors are not kept. The body is written where the rows were read: they are many small
    /// pieces of memory, which another thread could only free at a price.
    pub async fn page<T, E, Q>(
        &self,
        req: &HttpRequest,
        of: Of<'_>,
        page: Page,
        id: fn(&T) -> i64,
        query: Q,
    ) -> Result<HttpResponse, E>
    where
        T: Serialize + 'static,
        E: Clone + Send + Sync + From<Error> + From<Problem> + 'static,
        Q: FnOnce(&mut DbConnection) -> Result<Vec<T>, E> + Send + 'static,
    {
        self.page_within(req, of, page, id, |conn| Ok((query(conn)?, ())), |items, ()| items).await
    }

    /// As `page`, for a list that lies within a larger body: `wrap` makes that body of the page and what else was read.
    pub async fn page_within<T, R, B, E, Q>(
        &self,
        req: &HttpRequest,
        of: Of<'_>,
        page: Page,
        id: fn(&T) -> i64,
        query: Q,
        wrap: fn(Vec<T>, R) -> B,
    ) -> Result<HttpResponse, E>
    where
        T: 'static,
        R: 'static,
        B: Serialize + 'static,
        E: Clone + Send + Sync + From<Error> + From<Problem> + 'static,
        Q: FnOnce(&mut DbConnection) -> Result<(Vec<T>, R), E> + Send + 'static,
    {
        let address = of.address(req);
        let key = format!("{address} {} {} {}", of.service, page.limit, page.after);
        self.kept_or(req, key, move |conn| {
            let (mut items, rest) = query(conn)?;
            let link = page.cut(&mut items, id).map(|last| page.next_link(&address, last));
            Ok((json(&wrap(items, rest))?, link))
        })
        .await
    }

    /// As `page`, for rows of which `query` brings the ids, and the JSON as it is to be sent.
    pub async fn page_of_json<E, Q>(
        &self,
        req: &HttpRequest,
        of: Of<'_>,
        page: Page,
        query: Q,
    ) -> Result<HttpResponse, E>
    where
        E: Clone + Send + Sync + From<Error> + From<Problem> + 'static,
        Q: FnOnce(&mut DbConnection) -> Result<Vec<(i64, String)>, E> + Send + 'static,
    {
        let address = of.address(req);
        let key = format!("{address} {} {} {}", of.service, page.limit, page.after);
        self.kept_or(req, key, move |conn| {
            let mut rows = query(conn)?;
            let link = page.cut(&mut rows, |(id, _)| *id).map(|last| page.next_link(&address, last));
            Ok((array(&rows), link))
        })
        .await
    }

    async fn kept_or<E, M>(&self, req: &HttpRequest, key: String, make: M) -> Result<HttpResponse, E>
    where
        E: Clone + Send + Sync + From<Error> + 'static,
        M: FnOnce(&mut DbConnection) -> Result<Body, E> + Send + 'static,
    {
        let load = self.load(key.clone(), make);
        let reply = self.kept.try_get_with(key, load).await.map_err(|error| E::clone(&error))?;
        Ok(reply.respond(req).await)
    }

    async fn load<E, M>(&self, key: String, make: M) -> Result<Arc<Reply>, E>
    where
        E: Send + From<Error> + 'static,
        M: FnOnce(&mut DbConnection) -> Result<Body, E> + Send + 'static,
    {
        let made_in: Option<Generation> = match &self.shelf {
            None => None,
            Some(shelf) => match shelf.take(&key).await {
                Ok(taken) => return Ok(Arc::new(Reply::new(taken.identity, taken.link, taken.life))),
                Err(generation) => generation,
            },
        };
        // Its age counts from before the database was asked: what is committed meanwhile may be missing in it.
        let asked = Instant::now();
        let (identity, link) = self.db.run(make).await?;
        let life = self.life.saturating_sub(asked.elapsed()).max(Duration::from_millis(1));
        let reply = Arc::new(Reply::new(identity, link, life));
        if let (Some(shelf), Some(made_in)) = (self.shelf.clone(), made_in) {
            let reply = reply.clone();
            // Beside the visitor's request, which need not wait for it.
            tokio::spawn(async move { shelf.put(&key, made_in, reply.link(), reply.identity(), life).await });
        }
        Ok(reply)
    }

    /// Forgets everything, here and on the other replicas: the catalogue has changed.
    pub async fn forget(&self) {
        self.kept.invalidate_all();
        if let Some(shelf) = &self.shelf {
            shelf.clear().await;
        }
    }
}

fn json<T: Serialize>(body: &T) -> Result<Bytes, Problem> {
    SCRATCH.with_borrow_mut(|scratch| {
        scratch.clear();
        serde_json::to_writer(&mut *scratch, body).map_err(Problem::internal)?;
        let bytes = Bytes::copy_from_slice(scratch);
        scratch.shrink_to(MAX_SCRATCH);
        Ok(bytes)
    })
}

/// A JSON array of what is JSON already.
fn array(rows: &[(i64, String)]) -> Bytes {
    let mut body = Vec::with_capacity(rows.iter().map(|(_, row)| row.len() + 1).sum::<usize>() + 2);
    body.push(b'[');
    for (_, row) in rows {
        if body.len() > 1 {
            body.push(b',');
        }
        body.extend_from_slice(row.as_bytes());
    }
    body.push(b']');
    body.into()
}

#[cfg(test)]
mod tests;

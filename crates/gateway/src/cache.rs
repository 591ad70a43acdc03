//! Replies that a service calls public, kept as ready bytes: one fetch per address however many ask, and the last good reply for a
//! few seconds while the service is away.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        Method, StatusCode,
        header::{self, EntityTag, Header, HeaderName, HeaderValue, IfNoneMatch},
        uri::PathAndQuery,
    },
};
use bytes::Bytes;
use metrics::{Counter, counter};
use moka::{Expiry, future::Cache};
use telemetry::names::KEPT_REPLIES;
use web::pack::Packing;

use crate::{
    app::App,
    asked::Asked,
    assets::is_fresh,
    error::Error,
    peer::Client,
    proxy::{self, Found},
    upstreams::{Call, Reply, Service, as_headers},
};

/// Bytes of replies one process keeps at most.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The largest reply that is kept.
const MAX_REPLY: usize = 1024 * 1024;

/// No reply is kept for longer than this, whatever a service allows.
const MAX_LIFE: Duration = Duration::from_secs(60);

/// How much longer a reply may be shown while its service is away.
const STALE: Duration = Duration::from_secs(5);

/// How long we remember that the replies of a path are nobody's but the asker's.
const PRIVATE_FOR: Duration = Duration::from_secs(60);

/// Paths that are remembered so.
const MAX_PRIVATE: u64 = 10_000;

/// A reply that everybody may have.
pub(crate) struct Kept {
    /// What a client is told beside the body.
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    etag: Option<EntityTag>,
    /// The body, packed as its headers say.
    pub(crate) body: Bytes,
    life: Duration,
}

/// What everybody is shown at an address.
pub(crate) struct Shown {
    pub(crate) body: Bytes,
    /// Which of its versions it is; without one it is another each time.
    pub(crate) tag: Option<EntityTag>,
}

/// Why a reply is not shared.
enum Miss {
    /// It is the asker's alone, or nothing that is kept.
    Private,
    /// There is none.
    Failed(Error),
}

/// The kept replies.
pub(crate) struct Replies {
    fresh: Cache<String, Arc<Kept>>,
    /// The same for a while longer.
    stale: Cache<String, Arc<Kept>>,
    /// Paths whose replies are not shared: nobody waits there for another one's reply.
    private: Cache<String, ()>,
    counts: Counts,
}

/// How replies came about.
struct Counts {
    hit: Counter,
    miss: Counter,
    stale: Counter,
    private: Counter,
}

impl Counts {
    fn new() -> Self {
        telemetry::collect_metrics();
        let of = |outcome: &'static str| counter!(KEPT_REPLIES, "outcome" => outcome);
        Self { hit: of("hit"), miss: of("miss"), stale: of("stale"), private: of("private") }
    }
}

/// Each reply has a life of its own; here with what it is given beyond.
struct Life(Duration);

impl Expiry<String, Arc<Kept>> for Life {
    fn expire_after_create(&self, _: &String, kept: &Arc<Kept>, _: Instant) -> Option<Duration> {
        Some(kept.life + self.0)
    }

    /// A reply in another one's place has its own life too; by itself it would only have what is left of the other's.
    fn expire_after_update(
        &self,
        key: &String,
        kept: &Arc<Kept>,
        at: Instant,
        _: Option<Duration>,
    ) -> Option<Duration> {
        self.expire_after_create(key, kept, at)
    }
}

/// Replies that live so much longer than each may.
fn living(beyond: Duration) -> Cache<String, Arc<Kept>> {
    Cache::builder()
        .max_capacity(MAX_BYTES)
        .weigher(|key: &String, kept: &Arc<Kept>| u32::try_from(key.len() + kept.body.len() + 512).unwrap_or(u32::MAX))
        .expire_after(Life(beyond))
        .build()
}

impl Replies {
    pub(crate) fn new() -> Self {
        Self {
            fresh: living(Duration::ZERO),
            stale: living(STALE),
            private: Cache::builder().max_capacity(MAX_PRIVATE).time_to_live(PRIVATE_FOR).build(),
            counts: Counts::new(),
        }
    }

    /// Finds what `service` shows to everybody; `None` where it must be asked for this one request.
    pub(crate) async fn find(
        &self,
        req: &impl Asked,
        app: &App,
        service: Service,
        client: Client,
        label: &str,
    ) -> Result<Option<Found>, Error> {
        let alone = *req.verb() != Method::GET
            || service == Service::Subscription
            || req.has(&header::RANGE)
            || req.has(&header::AUTHORIZATION)
            || self.private.contains_key(req.place());
        if alone {
            return Ok(None);
        }
        // One spelling of what a client takes; an unusual one is answered plainly.
        let packing = Packing::wanted(req.values(&header::ACCEPT_ENCODING)).map_or("identity", Packing::name);
        let address = req.address();
        let key = key(label, packing, address.as_str());
        let mut own = None;
        let call = || {
            // For everybody, whatever this one has already.
            let without = [header::IF_NONE_MATCH, header::IF_MODIFIED_SINCE, header::ACCEPT_ENCODING];
            let mut headers = proxy::request_headers(req, app, service, client, label, &without);
            headers.add_text(&header::ACCEPT_ENCODING, packing);
            Call::get(address, &headers)
        };
        match self.kept(app, service, key, call, &mut own).await {
            Ok(kept) => Ok(Some(Found::Kept(kept))),
            Err(Miss::Failed(error)) => Err(error),
            Err(Miss::Private) => Ok(own.map(Found::Own)),
        }
    }

    /// What `service` shows to everybody at `address` on the host of `label`: for a page that carries it.
    pub(crate) async fn shown(&self, app: &App, service: Service, label: &str, address: &str) -> Option<Shown> {
        let key = key(label, "identity", address);
        let address = PathAndQuery::try_from(address).ok()?;
        let call = || Call::get(address, &proxy::own_headers(label));
        let mut own = None;
        match self.kept(app, service, key, call, &mut own).await {
            Ok(kept) => Some(Shown { body: kept.body.clone(), tag: kept.etag.clone() }),
            Err(_) => {
                let own = own.filter(|reply| reply.status() == StatusCode::OK)?;
                Some(Shown { body: own.read(MAX_REPLY).await.ok()?, tag: None })
            }
        }
    }

    /// The kept reply, fetched where there is none. What was fetched and may not be kept is left in `own`.
    async fn kept(
        &self,
        app: &App,
        service: Service,
        key: String,
        call: impl FnOnce() -> Call,
        own: &mut Option<Reply>,
    ) -> Result<Arc<Kept>, Miss> {
        if let Some(kept) = self.fresh.get(&key).await {
            self.counts.hit.increment(1);
            return Ok(kept);
        }
        // Who asks meanwhile waits for it, and is answered from memory.
        let mut fetched_here = false;
        // Beside the future of a call that is answered otherwise, which is copied for every request: this one is large.
        let fetched = Box::pin(self.fresh.try_get_with_by_ref(&key, async {
            fetched_here = true;
            let call = call();
            // Its age counts from before the service was asked.
            let asked = Instant::now();
            let reply = app.upstreams.of(service).send(&call).await.map_err(Miss::Failed)?;
            if reply.status().is_server_error() && self.stale.contains_key(&key) {
                return Err(Miss::Failed(Error::Away { service: service.name(), cause: reply.status().to_string() }));
            }
            let Some(life) = life(&reply) else {
                if reply.status().is_success() {
                    self.private.insert(call.path().to_owned(), ()).await;
                }
                *own = Some(reply);
                return Err(Miss::Private);
            };
            let life = life.saturating_sub(asked.elapsed()).max(Duration::from_millis(1));
            let kept = Kept::read(reply, life)
                .await
                .map_err(|cause| Miss::Failed(Error::Away { service: service.name(), cause: cause.to_string() }))?;
            let kept = Arc::new(kept);
            self.stale.insert(key.clone(), kept.clone()).await;
            Ok(kept)
        }));
        match fetched.await {
            Ok(kept) => {
                let count = if fetched_here { &self.counts.miss } else { &self.counts.hit };
                count.increment(1);
                Ok(kept)
            }
            Err(miss) => match &*miss {
                Miss::Private => {
                    self.counts.private.increment(1);
                    Err(Miss::Private)
                }
                Miss::Failed(error) => {
                    let kept = self.stale.get(&key).await.ok_or_else(|| Miss::Failed(error.clone()))?;
                    self.counts.stale.increment(1);
                    Ok(kept)
                }
            },
        }
    }
}

/// The label and the packing stand before the address: neither holds a blank.
fn key(label: &str, packing: &str, address: &str) -> String {
    format!("{label} {packing} {address}")
}

/// How long a reply may be kept; nothing for what may not be.
///
/// Half of what the service allows: the reply may have lived as long already where it comes from, and its reader keeps it again.
fn life(reply: &Reply) -> Option<Duration> {
    let headers = reply.lines();
    let small = reply.length()? <= MAX_REPLY as u64;
    if reply.status() != StatusCode::OK || !small || headers.get("set-cookie").is_some() {
        return None;
    }
    let allowed = str::from_utf8(headers.get("cache-control")?).ok()?;
    let mut seconds = None;
    let mut public = false;
    for directive in allowed.split(',').map(str::trim) {
        match directive.split_once('=') {
            Some(("max-age", value)) => seconds = value.parse::<u64>().ok(),
            None if directive == "public" => public = true,
            None if matches!(directive, "private" | "no-store" | "no-cache") => return None,
            _ => {}
        }
    }
    let life = Duration::from_secs(seconds.filter(|_| public)?) / 2;
    (!life.is_zero()).then(|| life.min(MAX_LIFE))
}

impl Kept {
    async fn read(reply: Reply, life: Duration) -> std::io::Result<Self> {
        let headers = as_headers(reply.lines()).collect();
        let etag = reply.lines().get("etag").and_then(|etag| str::from_utf8(etag).ok()?.parse().ok());
        // As it comes it may lie in a buffer many times its size, which would be kept with it.
        let body = Bytes::copy_from_slice(&reply.read(MAX_REPLY).await?);
        Ok(Self { headers, etag, body, life })
    }

    pub(crate) fn respond(&self, req: &HttpRequest) -> HttpResponse {
        let fresh = req.headers().contains_key(header::IF_NONE_MATCH)
            && self.etag.as_ref().is_some_and(|etag| is_fresh(IfNoneMatch::parse(req).ok(), req, etag));
        let mut reply = if fresh { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        for (name, value) in &self.headers {
            let of_body = matches!(*name, header::CONTENT_TYPE | header::CONTENT_ENCODING);
            if !(fresh && of_body) {
                reply.append_header((name.clone(), value.clone()));
            }
        }
        reply.insert_header(proxy::NO_SNIFF);
        if fresh { reply.finish() } else { reply.body(self.body.clone()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[actix_web::test]
    async fn a_reply_in_anothers_place_has_its_whole_life() {
        let kept = |life| Arc::new(Kept { headers: Vec::new(), etag: None, body: Bytes::new(), life });
        let replies = living(Duration::ZERO);
        for life in [Duration::from_millis(500), Duration::from_secs(60)] {
            replies.insert("address".to_owned(), kept(life)).await;
        }
        tokio::time::sleep(Duration::from_millis(800)).await;
        assert!(replies.contains_key("address"));
    }
}

//! Replies that a service calls public, kept as ready bytes: one fetch per address however many ask, and the last good reply for a
//! few seconds while the service is away.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use http::{
    HeaderMap, StatusCode,
    header::{self, HeaderName},
    uri::PathAndQuery,
};
use metrics::{Counter, counter};
use moka::{Expiry, future::Cache};
use service::compression::Compression;
use telemetry::names::CACHED_REPLIES;

use crate::{
    conditions::is_fresh,
    error::Error,
    forward, proxy,
    request::Head,
    response::{self, NO_SNIFF, Response, value},
    services::Service,
    upstream::{Call, ServiceResponse, Upstreams},
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

/// A reply that every visitor may have.
struct Kept {
    /// What a client is told beside the body.
    headers: HeaderMap,
    etag: Option<String>,
    /// The body, packed as its headers say.
    body: Bytes,
    life: Duration,
}

/// What every visitor is shown at an address.
pub(crate) enum Shown {
    /// The service's reply.
    Reply {
        /// Its body, unpacked.
        body: Bytes,
        /// Its entity tag; a reply without one may be another each time.
        tag: Option<String>,
    },
    /// The service says that there is no such thing.
    Missing,
    /// The service is away, or answered with something else.
    Unknown,
}

/// Why a reply is not shared.
enum Miss {
    /// It is the client's alone, or of a kind that is not kept.
    Private,
    /// There is none.
    Failed(Error),
}

/// The kept replies.
pub(crate) struct ReplyCache {
    upstreams: Arc<Upstreams>,
    fresh: Cache<String, Arc<Kept>>,
    /// The same for a while longer.
    stale: Cache<String, Arc<Kept>>,
    /// Paths whose replies are not shared: requests there do not wait for each other's.
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
        let of = |outcome: &'static str| counter!(CACHED_REPLIES, "outcome" => outcome);
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

impl ReplyCache {
    pub(crate) fn new(upstreams: Arc<Upstreams>) -> Self {
        Self {
            upstreams,
            fresh: living(Duration::ZERO),
            stale: living(STALE),
            private: Cache::builder().max_capacity(MAX_PRIVATE).time_to_live(PRIVATE_FOR).build(),
            counts: Counts::new(),
        }
    }

    /// Answers with what `service` shows to every visitor; `None` where it must be asked for this one request. The headers sent to it are
    /// made by `headers`, without the request's headers of the given names.
    pub(crate) async fn find(
        &self,
        head: &Head,
        service: Service,
        label: &str,
        headers: impl Fn(&[HeaderName]) -> HeaderMap + Send + Sync,
    ) -> Result<Option<Response>, Error> {
        let alone = !head.is_read()
            || service == Service::Subscription
            || head.headers.contains_key(header::RANGE)
            || head.headers.contains_key(header::AUTHORIZATION)
            || self.private.contains_key(head.path());
        if alone {
            return Ok(None);
        }
        // One spelling of what a client takes; an unusual one is answered plainly.
        let compression = response::compression(head).map_or("identity", Compression::name);
        let key = key(label, compression, head.address.as_str());
        let mut own = None;
        let call = || {
            // For every visitor, whatever this one has already.
            let mut headers = headers(&[header::IF_NONE_MATCH, header::IF_MODIFIED_SINCE, header::ACCEPT_ENCODING]);
            headers.insert(header::ACCEPT_ENCODING, value(compression));
            Call::get(head.address.clone(), headers)
        };
        match self.kept(service, key, call, &mut own).await {
            Ok(kept) => Ok(Some(kept.respond(head))),
            Err(Miss::Failed(error)) => Err(error),
            Err(Miss::Private) => Ok(own.map(proxy::pass)),
        }
    }

    /// What `service` shows to every visitor at `address` on the host of `label`: for a page that carries it.
    pub(crate) async fn shown(&self, service: Service, label: &str, address: &str) -> Shown {
        let key = key(label, "identity", address);
        let Ok(address) = PathAndQuery::try_from(address) else { return Shown::Unknown };
        let call = || Call::get(address.clone(), forward::own_headers(label));
        let mut own = None;
        if !self.private.contains_key(address.path()) {
            match self.kept(service, key, call, &mut own).await {
                Ok(kept) => return Shown::Reply { body: kept.body.clone(), tag: kept.etag.clone() },
                Err(Miss::Failed(_)) => return Shown::Unknown,
                Err(Miss::Private) => {}
            }
        }
        // A reply that is not shared may have gone to another page that asked at the same time.
        let own = match own {
            Some(reply) => Ok(reply),
            None => self.upstreams.of(service).send(&call()).await,
        };
        match own {
            Ok(reply) if reply.status == StatusCode::OK => {
                let body = reply.read(MAX_REPLY).await;
                body.map_or(Shown::Unknown, |body| Shown::Reply { body, tag: None })
            }
            // What is no id, or no name, names nothing either.
            Ok(reply) if matches!(reply.status, StatusCode::NOT_FOUND | StatusCode::BAD_REQUEST) => Shown::Missing,
            _ => Shown::Unknown,
        }
    }

    /// The kept reply, fetched where there is none. What was fetched and may not be kept is left in `own`.
    async fn kept(
        &self,
        service: Service,
        key: String,
        call: impl FnOnce() -> Call + Send,
        own: &mut Option<ServiceResponse>,
    ) -> Result<Arc<Kept>, Miss> {
        if let Some(kept) = self.fresh.get(&key).await {
            self.counts.hit.increment(1);
            return Ok(kept);
        }
        // Requests that come meanwhile wait for it, and are answered from memory.
        let mut fetched_here = false;
        // Beside the future of a call that is answered otherwise, which is copied for every request: this one is large.
        let fetched = Box::pin(self.fresh.try_get_with_by_ref(&key, async {
            fetched_here = true;
            let call = call();
            // Its age counts from before the service was asked.
            let asked = Instant::now();
            let reply = self.upstreams.of(service).send(&call).await.map_err(Miss::Failed)?;
            if reply.status.is_server_error() && self.stale.contains_key(&key) {
                return Err(Miss::Failed(Error::Away { service: service.name(), cause: reply.status.to_string() }));
            }
            let Some(life) = life(&reply) else {
                if reply.status.is_success() {
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
fn key(label: &str, compression: &str, address: &str) -> String {
    format!("{label} {compression} {address}")
}

/// How long a reply may be kept; nothing for what may not be.
///
/// Half of what the service allows: the reply may have lived as long already where it comes from, and its reader keeps it again.
fn life(reply: &ServiceResponse) -> Option<Duration> {
    let headers = &reply.headers;
    let small = reply.length()? <= MAX_REPLY as u64;
    if reply.status != StatusCode::OK || !small || headers.contains_key(header::SET_COOKIE) {
        return None;
    }
    let allowed = headers.get(header::CACHE_CONTROL)?.to_str().ok()?;
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
    async fn read(mut reply: ServiceResponse, life: Duration) -> std::io::Result<Self> {
        let mut headers = std::mem::take(&mut reply.headers);
        headers.insert(NO_SNIFF.0, NO_SNIFF.1);
        let etag = headers.get(header::ETAG).and_then(|etag| etag.to_str().ok()).map(str::to_owned);
        // A body that has just been read may be a part of a buffer many times its size, which would be kept with it.
        let body = Bytes::copy_from_slice(&reply.read(MAX_REPLY).await?);
        Ok(Self { headers, etag, body, life })
    }

    fn respond(&self, head: &Head) -> Response {
        let mut headers = self.headers.clone();
        let fresh = self.etag.as_ref().is_some_and(|etag| is_fresh(head, etag));
        let mut response = if fresh {
            headers.remove(header::CONTENT_TYPE);
            headers.remove(header::CONTENT_ENCODING);
            response::response(StatusCode::NOT_MODIFIED, [], response::Body::Empty)
        } else {
            response::response(StatusCode::OK, [], self.body.clone())
        };
        *response.headers_mut() = headers;
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_reply_in_anothers_place_has_its_whole_life() {
        let kept = |life| Arc::new(Kept { headers: HeaderMap::new(), etag: None, body: Bytes::new(), life });
        let replies = living(Duration::ZERO);
        for life in [Duration::from_millis(500), Duration::from_secs(60)] {
            replies.insert("address".to_owned(), kept(life)).await;
        }
        tokio::time::sleep(Duration::from_millis(800)).await;
        assert!(replies.contains_key("address"));
    }
}

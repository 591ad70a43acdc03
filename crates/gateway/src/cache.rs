//! A cache of public replies of services: concurrent requests for one URL cause one fetch, and a stale reply is served for a few seconds
//! while the service is unavailable.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use http::{
    HeaderMap, StatusCode,
    header::{self, HeaderName, HeaderValue},
    uri::PathAndQuery,
};
use languages::Language;
use metrics::{Counter, counter};
use moka::{Expiry, future::Cache};
use service::compression::Compression;
use telemetry::names::CACHED_REPLIES;

use crate::{
    conditions::is_fresh,
    error::Error,
    forward,
    previews::{self, Shown},
    proxy,
    request::Head,
    response::{self, NO_SNIFF, Response, value},
    services::Service,
    upstream::{Call, ServiceResponse, Upstreams},
};

/// The most bytes of cached replies in one process.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The largest reply that is cached.
const MAX_REPLY: usize = 1024 * 1024;

/// The longest time a reply is cached, whatever a service allows.
const MAX_TTL: Duration = Duration::from_secs(60);

/// How long an expired reply may be served while its service is unavailable.
const STALE: Duration = Duration::from_secs(5);

/// How long a path is remembered as having private replies.
const PRIVATE_FOR: Duration = Duration::from_secs(60);

/// The most such paths.
const MAX_PRIVATE: u64 = 10_000;

/// A reply for every visitor.
struct CachedReply {
    /// The headers that are sent with the body.
    headers: HeaderMap,
    etag: Option<String>,
    /// The body, compressed as its headers say.
    body: Bytes,
    ttl: Duration,
}

/// The public reply at a URL.
pub(crate) enum PublicReply {
    /// The service's reply.
    Reply {
        /// Its uncompressed body.
        body: Bytes,
        /// Its ETag; without one, the reply may differ each time.
        tag: Option<String>,
    },
    /// The service responded with 404.
    Missing,
    /// The service is unavailable, or responded with another status.
    Unknown,
}

/// Why a reply is not shared.
enum Miss {
    /// The reply is for one client, or cannot be cached.
    Private,
    /// The fetch failed.
    Failed(Error),
}

/// The cached replies.
pub(crate) struct ReplyCache {
    upstreams: Arc<Upstreams>,
    fresh: Cache<String, Arc<CachedReply>>,
    /// Expired replies, kept for a while longer.
    stale: Cache<String, Arc<CachedReply>>,
    /// Paths with private replies: requests there do not wait for each other's fetch.
    private: Cache<String, ()>,
    counts: Counts,
}

/// Counters by cache result.
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

/// Expires each reply at its own TTL plus this duration.
struct ReplyTtl(Duration);

impl Expiry<String, Arc<CachedReply>> for ReplyTtl {
    fn expire_after_create(&self, _: &String, cached: &Arc<CachedReply>, _: Instant) -> Option<Duration> {
        Some(cached.ttl + self.0)
    }

    /// A replaced reply gets the TTL of the new one; moka's default would keep the remaining TTL of the old one.
    fn expire_after_update(
        &self,
        key: &String,
        cached: &Arc<CachedReply>,
        at: Instant,
        _: Option<Duration>,
    ) -> Option<Duration> {
        self.expire_after_create(key, cached, at)
    }
}

/// A cache whose replies live longer than their TTL by this duration.
fn cache_with_extra_ttl(extra: Duration) -> Cache<String, Arc<CachedReply>> {
    Cache::builder()
        .max_capacity(MAX_BYTES)
        .weigher(|key: &String, cached: &Arc<CachedReply>| {
            u32::try_from(key.len() + cached.body.len() + 512).unwrap_or(u32::MAX)
        })
        .expire_after(ReplyTtl(extra))
        .build()
}

impl ReplyCache {
    pub(crate) fn new(upstreams: Arc<Upstreams>) -> Self {
        Self {
            upstreams,
            fresh: cache_with_extra_ttl(Duration::ZERO),
            stale: cache_with_extra_ttl(STALE),
            private: Cache::builder().max_capacity(MAX_PRIVATE).time_to_live(PRIVATE_FOR).build(),
            counts: Counts::new(),
        }
    }

    /// Responds with `service`'s public reply; `None` if the request must be forwarded. The headers of the fetch are made by `headers`, without
    /// the request's headers with the given names.
    pub(crate) async fn find(
        &self,
        head: &Head,
        service: Service,
        (label, language): (&str, Language),
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
        // Normalised: one of the known encodings, or uncompressed.
        let compression = response::compression(head).map_or("identity", Compression::name);
        let key = key(label, language, compression, head.address.as_str());
        let mut own = None;
        let call = || {
            // Fetched without the request's conditions, since the reply is for all visitors.
            let mut headers = headers(&[header::IF_NONE_MATCH, header::IF_MODIFIED_SINCE, header::ACCEPT_ENCODING]);
            headers.insert(header::ACCEPT_ENCODING, value(compression));
            Call::get(head.address.clone(), headers)
        };
        match self.cached(service, key, call, &mut own).await {
            Ok(cached) => Ok(Some(cached.respond(head))),
            Err(Miss::Failed(error)) => Err(error),
            Err(Miss::Private) => Ok(own.map(proxy::pass)),
        }
    }

    /// The public reply of `service` at `address` on the host of `label` in a language, for embedding in a page; with a preview, its own.
    pub(crate) async fn shown(
        &self,
        service: Service,
        (label, language): (&str, Language),
        address: &str,
        preview: Option<&Shown>,
    ) -> PublicReply {
        let key = key(label, language, "identity", address);
        let Ok(address) = PathAndQuery::try_from(address) else { return PublicReply::Unknown };
        let call = || {
            let mut headers = forward::own_headers(label);
            headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static(language.code()));
            if let Some(preview) = preview {
                headers.insert(previews::HEADER, preview.token.clone());
            }
            Call::get(address.clone(), headers)
        };
        let mut own = None;
        if preview.is_none() && !self.private.contains_key(address.path()) {
            match self.cached(service, key, call, &mut own).await {
                Ok(cached) => return PublicReply::Reply { body: cached.body.clone(), tag: cached.etag.clone() },
                Err(Miss::Failed(_)) => return PublicReply::Unknown,
                Err(Miss::Private) => {}
            }
        }
        // A private reply may have gone to another page that requested it concurrently.
        let own = match own {
            Some(reply) => Ok(reply),
            None => self.upstreams.of(service).send(&call()).await,
        };
        match own {
            Ok(reply) if reply.status == StatusCode::OK => {
                let body = reply.read(MAX_REPLY).await;
                body.map_or(PublicReply::Unknown, |body| PublicReply::Reply { body, tag: None })
            }
            // A 400 or 422 means that the id or name is invalid, so it names nothing.
            Ok(reply) if matches!(reply.status, StatusCode::NOT_FOUND | StatusCode::BAD_REQUEST) => {
                PublicReply::Missing
            }
            _ => PublicReply::Unknown,
        }
    }

    /// The cached reply, fetched if there is none. A fetched reply that may not be cached is returned in `own`.
    async fn cached(
        &self,
        service: Service,
        key: String,
        call: impl FnOnce() -> Call + Send,
        own: &mut Option<ServiceResponse>,
    ) -> Result<Arc<CachedReply>, Miss> {
        if let Some(cached) = self.fresh.get(&key).await {
            self.counts.hit.increment(1);
            return Ok(cached);
        }
        // Concurrent requests wait for this fetch, and are counted as hits.
        let mut fetched_here = false;
        // Boxed, because the future is large and would be copied with every request's future.
        let fetched = Box::pin(self.fresh.try_get_with_by_ref(&key, async {
            fetched_here = true;
            let call = call();
            // The age counts from before the fetch.
            let started = Instant::now();
            let reply = self.upstreams.of(service).send(&call).await.map_err(Miss::Failed)?;
            if reply.status.is_server_error() && self.stale.contains_key(&key) {
                return Err(Miss::Failed(Error::Unavailable {
                    service: service.name(),
                    cause: reply.status.to_string(),
                }));
            }
            let Some(ttl) = ttl(&reply) else {
                if reply.status.is_success() {
                    self.private.insert(call.path().to_owned(), ()).await;
                }
                *own = Some(reply);
                return Err(Miss::Private);
            };
            let ttl = ttl.saturating_sub(started.elapsed()).max(Duration::from_millis(1));
            let cached = CachedReply::read(reply, ttl).await.map_err(|cause| {
                Miss::Failed(Error::Unavailable { service: service.name(), cause: cause.to_string() })
            })?;
            let cached = Arc::new(cached);
            self.stale.insert(key.clone(), cached.clone()).await;
            Ok(cached)
        }));
        match fetched.await {
            Ok(cached) => {
                let count = if fetched_here { &self.counts.miss } else { &self.counts.hit };
                count.increment(1);
                Ok(cached)
            }
            Err(miss) => match &*miss {
                Miss::Private => {
                    self.counts.private.increment(1);
                    Err(Miss::Private)
                }
                Miss::Failed(error) => {
                    let cached = self.stale.get(&key).await.ok_or_else(|| Miss::Failed(error.clone()))?;
                    self.counts.stale.increment(1);
                    Ok(cached)
                }
            },
        }
    }
}

/// The cache key; label and encoding contain no space.
fn key(label: &str, language: Language, compression: &str, address: &str) -> String {
    format!("{label} {} {compression} {address}", language.code())
}

/// How long a reply may be cached; `None` if it may not.
///
/// Half of what the service allows: the service's own cache may have used the other half, and the browser caches the reply again.
fn ttl(reply: &ServiceResponse) -> Option<Duration> {
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
    let ttl = Duration::from_secs(seconds.filter(|_| public)?) / 2;
    (!ttl.is_zero()).then(|| ttl.min(MAX_TTL))
}

/// The language of a service's reply depends on the visitor's choice, which is in a cookie.
pub(crate) fn vary_by_language(headers: &mut HeaderMap) {
    let vary = headers.get(header::VARY).and_then(|vary| vary.to_str().ok());
    if vary.is_some_and(|vary| vary.contains("accept-language") && !vary.contains("cookie")) {
        headers.append(header::VARY, HeaderValue::from_static("cookie"));
    }
}

impl CachedReply {
    async fn read(mut reply: ServiceResponse, ttl: Duration) -> std::io::Result<Self> {
        let mut headers = std::mem::take(&mut reply.headers);
        headers.insert(NO_SNIFF.0, NO_SNIFF.1);
        vary_by_language(&mut headers);
        let etag = headers.get(header::ETAG).and_then(|etag| etag.to_str().ok()).map(str::to_owned);
        // A body that was just read may be a slice of a much larger buffer, which caching it would keep alive.
        let body = Bytes::copy_from_slice(&reply.read(MAX_REPLY).await?);
        Ok(Self { headers, etag, body, ttl })
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
    async fn replaced_reply_gets_its_own_ttl() {
        let cached = |ttl| Arc::new(CachedReply { headers: HeaderMap::new(), etag: None, body: Bytes::new(), ttl });
        let replies = cache_with_extra_ttl(Duration::ZERO);
        for ttl in [Duration::from_millis(500), Duration::from_secs(60)] {
            replies.insert("address".to_owned(), cached(ttl)).await;
        }
        tokio::time::sleep(Duration::from_millis(800)).await;
        assert!(replies.contains_key("address"));
    }
}

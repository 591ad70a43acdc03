//! Catalogue replies kept as ready bytes: identity, br, gzip and ETag are made once per change, not once per request.

use std::{future::Future, io::Write, sync::Arc, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, AcceptEncoding, ContentEncoding, Encoding, EntityTag, Header, IfNoneMatch},
};
use bytes::Bytes;
use moka::future::Cache;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::{Page, Problem};

/// How long a reply is served before the database is asked again. With `Cache-Control: max-age=1` behind it no visitor
/// sees anything older than two seconds, on any replica, whether or not the replicas know of each other.
const KEPT: Duration = Duration::from_secs(1);

/// Bytes of ready replies one process keeps at most.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Replies shorter than this travel as they are: compressing them saves no packet.
const COMPRESS_FROM: usize = 1024;

struct Reply {
    identity: Bytes,
    br: Option<Bytes>,
    gzip: Option<Bytes>,
    etag: EntityTag,
    link: Option<String>,
}

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
    kept: Cache<String, Arc<Reply>>,
}

impl Default for Replies {
    fn default() -> Self {
        let kept = Cache::builder()
            .max_capacity(MAX_BYTES)
            .weigher(|key: &String, reply: &Arc<Reply>| {
                let len = |bytes: &Option<Bytes>| bytes.as_ref().map_or(0, Bytes::len);
                let total = key.len() + reply.identity.len() + len(&reply.br) + len(&reply.gzip);
                u32::try_from(total).unwrap_or(u32::MAX)
            })
            .time_to_live(KEPT)
            .build();
        Self { kept }
    }
}

impl Replies {
    /// Answers `req` with a whole value; see `page` for the rest.
    pub async fn whole<T, E, F>(&self, req: &HttpRequest, of: Of<'_>, load: F) -> Result<HttpResponse, E>
    where
        T: Serialize,
        E: Clone + Send + Sync + From<Problem> + 'static,
        F: Future<Output = Result<T, E>>,
    {
        let key = format!("{} {}", of.address(req), of.service);
        self.kept_or(req, key, async { Reply::of(&load.await?, None).map_err(E::from) }).await
    }

    /// Answers `req` with one page of a list, loaded with `page.fetch()` rows; `Link` names the next page by `id`.
    ///
    /// One loader per key runs at a time. Errors are not kept.
    pub async fn page<T, E, F>(
        &self,
        req: &HttpRequest,
        of: Of<'_>,
        page: Page,
        id: impl Fn(&T) -> i64,
        load: F,
    ) -> Result<HttpResponse, E>
    where
        T: Serialize,
        E: Clone + Send + Sync + From<Problem> + 'static,
        F: Future<Output = Result<Vec<T>, E>>,
    {
        let load = async { Ok((load.await?, ())) };
        self.page_within(req, of, page, id, load, |items, ()| items).await
    }

    /// As `page`, for a list that lies within a larger body: `wrap` makes that body of the page and what else was loaded.
    pub async fn page_within<T, R, B, E, F>(
        &self,
        req: &HttpRequest,
        of: Of<'_>,
        page: Page,
        id: impl Fn(&T) -> i64,
        load: F,
        wrap: impl FnOnce(Vec<T>, R) -> B,
    ) -> Result<HttpResponse, E>
    where
        B: Serialize,
        E: Clone + Send + Sync + From<Problem> + 'static,
        F: Future<Output = Result<(Vec<T>, R), E>>,
    {
        let address = of.address(req);
        let key = format!("{address} {} {} {}", of.service, page.limit, page.after);
        self.kept_or(req, key, async {
            let (mut items, rest) = load.await?;
            let link = page.cut(&mut items, id).map(|last| page.next_link(&address, last));
            Reply::of(&wrap(items, rest), link).map_err(E::from)
        })
        .await
    }

    async fn kept_or<E, F>(&self, req: &HttpRequest, key: String, make: F) -> Result<HttpResponse, E>
    where
        E: Clone + Send + Sync + 'static,
        F: Future<Output = Result<Reply, E>>,
    {
        let reply =
            self.kept.try_get_with(key, async { make.await.map(Arc::new) }).await.map_err(|error| E::clone(&error))?;
        Ok(reply.respond(req))
    }

    /// Forgets everything: the catalogue has changed.
    pub fn forget(&self) {
        self.kept.invalidate_all();
    }
}

impl Reply {
    fn of<T: Serialize>(body: &T, link: Option<String>) -> Result<Self, Problem> {
        let identity = serde_json::to_vec(body).map_err(Problem::internal)?;
        let etag = EntityTag::new_weak(hex(&Sha256::digest(&identity)));
        let (br, gzip) = if identity.len() < COMPRESS_FROM {
            (None, None)
        } else {
            (Some(brotli(&identity)?), Some(gzip(&identity)?))
        };
        Ok(Self { identity: identity.into(), br, gzip, etag, link })
    }

    fn respond(&self, req: &HttpRequest) -> HttpResponse {
        let fresh = match IfNoneMatch::parse(req) {
            Ok(IfNoneMatch::Any) => req.headers().contains_key(header::IF_NONE_MATCH),
            Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|tag| tag.weak_eq(&self.etag)),
            Err(_) => false,
        };
        let mut reply = if fresh { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        reply
            .insert_header(header::ETag(self.etag.clone()))
            .insert_header((header::CACHE_CONTROL, "public, max-age=1"))
            .insert_header((header::VARY, "accept-encoding"));
        if let Some(link) = &self.link {
            reply.insert_header((header::LINK, link.as_str()));
        }
        if fresh {
            return reply.finish();
        }
        reply.content_type("application/json");
        match accepted(req) {
            Some(ContentEncoding::Brotli) if self.br.is_some() => {
                reply.insert_header((header::CONTENT_ENCODING, "br"));
                reply.body(self.br.clone().unwrap_or_default())
            }
            Some(ContentEncoding::Gzip) if self.gzip.is_some() => {
                reply.insert_header((header::CONTENT_ENCODING, "gzip"));
                reply.body(self.gzip.clone().unwrap_or_default())
            }
            _ => reply.body(self.identity.clone()),
        }
    }
}

fn accepted(req: &HttpRequest) -> Option<ContentEncoding> {
    let offered = [Encoding::brotli(), Encoding::gzip(), Encoding::identity()];
    match AcceptEncoding::parse(req).ok()?.negotiate(offered.iter())? {
        Encoding::Known(encoding) => Some(encoding),
        Encoding::Unknown(_) => None,
    }
}

fn brotli(bytes: &[u8]) -> Result<Bytes, Problem> {
    // Quality 5: a catalogue list in two milliseconds, within a few percent of the slow settings.
    let params = brotli::enc::BrotliEncoderParams { quality: 5, lgwin: 22, ..Default::default() };
    let mut packed = Vec::with_capacity(bytes.len() / 4);
    brotli::BrotliCompress(&mut &*bytes, &mut packed, &params).map_err(Problem::internal)?;
    Ok(packed.into())
}

fn gzip(bytes: &[u8]) -> Result<Bytes, Problem> {
    let mut encoder =
        flate2::write::GzEncoder::new(Vec::with_capacity(bytes.len() / 4), flate2::Compression::default());
    encoder.write_all(bytes).map_err(Problem::internal)?;
    Ok(encoder.finish().map_err(Problem::internal)?.into())
}

fn hex(digest: &[u8]) -> String {
    // 128 bits are plenty to tell two versions of one reply apart.
    digest.iter().take(16).fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

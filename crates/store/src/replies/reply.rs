//! One ready reply: its bytes, packed the first time somebody asks for them packed.

use std::time::Duration;

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, AcceptEncoding, ContentEncoding, Encoding, EntityTag, Header, HeaderValue, IfNoneMatch},
};
use bytes::Bytes;
use tokio::sync::OnceCell;
use web::pack::Packing;

/// Replies shorter than this travel as they are: compressing them saves no packet.
const COMPRESS_FROM: usize = 1024;

const CACHE_CONTROL: HeaderValue = HeaderValue::from_static("public, max-age=1");
const VARY: HeaderValue = HeaderValue::from_static("accept-encoding");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

pub(super) struct Reply {
    identity: Bytes,
    br: OnceCell<Bytes>,
    gzip: OnceCell<Bytes>,
    etag: EntityTag,
    link: Option<String>,
    /// How long it may be kept, from when it came into this process.
    pub life: Duration,
}

impl Reply {
    pub fn new(identity: Bytes, link: Option<String>, life: Duration) -> Self {
        // Editors write what is hashed here, not visitors: a fast hash tells two versions of one reply apart.
        let digest = xxhash_rust::xxh3::xxh3_128(&identity);
        Self {
            etag: EntityTag::new_weak(format!("{digest:032x}")),
            identity,
            br: OnceCell::new(),
            gzip: OnceCell::new(),
            link,
            life,
        }
    }

    pub fn identity(&self) -> &[u8] {
        &self.identity
    }

    pub fn link(&self) -> Option<&str> {
        self.link.as_deref()
    }

    /// Bytes it holds at most; packed bodies are a fraction of the whole one.
    pub fn weight(&self) -> usize {
        self.identity.len().saturating_mul(2)
    }

    pub async fn respond(&self, req: &HttpRequest) -> HttpResponse {
        let fresh = self.is_known_to(req);
        let mut reply = if fresh { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        reply
            .insert_header((header::CACHE_CONTROL, CACHE_CONTROL))
            .insert_header((header::VARY, VARY))
            .insert_header(header::ETag(self.etag.clone()));
        if let Some(link) = &self.link {
            reply.insert_header((header::LINK, link.as_str()));
        }
        if fresh {
            return reply.finish();
        }
        reply.insert_header((header::CONTENT_TYPE, JSON));
        match self.packed_for(req).await {
            Some((encoding, body)) => reply.insert_header((header::CONTENT_ENCODING, encoding)).body(body),
            None => reply.body(self.identity.clone()),
        }
    }

    fn is_known_to(&self, req: &HttpRequest) -> bool {
        if !req.headers().contains_key(header::IF_NONE_MATCH) {
            return false;
        }
        match IfNoneMatch::parse(req) {
            Ok(IfNoneMatch::Any) => true,
            Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|tag| tag.weak_eq(&self.etag)),
            Err(_) => false,
        }
    }

    /// The body as the client would rather have it. Nothing where the whole one is as good.
    async fn packed_for(&self, req: &HttpRequest) -> Option<(HeaderValue, Bytes)> {
        if self.identity.len() < COMPRESS_FROM || !req.headers().contains_key(header::ACCEPT_ENCODING) {
            return None;
        }
        let offered = [Encoding::brotli(), Encoding::gzip(), Encoding::identity()];
        let (packing, cell) = match AcceptEncoding::parse(req).ok()?.negotiate(offered.iter())? {
            Encoding::Known(ContentEncoding::Brotli) => (Packing::Br, &self.br),
            Encoding::Known(ContentEncoding::Gzip) => (Packing::Gzip, &self.gzip),
            _ => return None,
        };
        let packed = cell.get_or_try_init(|| packing.pack(self.identity.clone()));
        match packed.await {
            Ok(packed) => Some((HeaderValue::from_static(packing.name()), packed.clone())),
            Err(error) => {
                tracing::error!(error = %error, "a reply could not be packed; it goes out whole");
                None
            }
        }
    }
}

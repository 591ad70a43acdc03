//! One cached reply, compressed at the first request for each encoding.

use std::time::Duration;

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, EntityTag, Header, HeaderValue, IfNoneMatch},
};
use bytes::Bytes;
use service::compression::Body;

const CACHE_CONTROL: HeaderValue = HeaderValue::from_static("public, max-age=1");
const VARY: HeaderValue = HeaderValue::from_static("accept-encoding, accept-language");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

pub(super) struct Reply {
    body: Body,
    etag: EntityTag,
    link: Option<String>,
    /// How long this process may serve it.
    pub ttl: Duration,
}

impl Reply {
    pub fn new(identity: Bytes, link: Option<String>, ttl: Duration) -> Self {
        // Editors write the hashed content, not visitors, so a fast hash is enough to tell versions apart.
        let digest = xxhash_rust::xxh3::xxh3_128(&identity);
        Self { etag: EntityTag::new_weak(format!("{digest:032x}")), body: Body::new(identity), link, ttl }
    }

    pub fn identity(&self) -> &[u8] {
        self.body.whole()
    }

    pub fn link(&self) -> Option<&str> {
        self.link.as_deref()
    }

    /// The most bytes it uses.
    pub fn weight(&self) -> usize {
        self.body.weight()
    }

    pub async fn respond(&self, req: &HttpRequest) -> HttpResponse {
        let not_modified = self.matches_if_none_match(req);
        let mut reply = if not_modified { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        reply
            .insert_header((header::CACHE_CONTROL, CACHE_CONTROL))
            .insert_header((header::VARY, VARY))
            .insert_header(header::ETag(self.etag.clone()));
        if let Some(link) = &self.link {
            reply.insert_header((header::LINK, link.as_str()));
        }
        if not_modified {
            return reply.finish();
        }
        reply.insert_header((header::CONTENT_TYPE, JSON));
        self.body.send(&mut reply, req).await
    }

    /// As `respond`, for a reply that no cache may keep.
    pub async fn respond_to_one(&self, req: &HttpRequest) -> HttpResponse {
        let mut reply = HttpResponse::Ok();
        reply.insert_header((header::CACHE_CONTROL, "no-store")).insert_header((header::VARY, VARY));
        if let Some(link) = &self.link {
            reply.insert_header((header::LINK, link.as_str()));
        }
        reply.insert_header((header::CONTENT_TYPE, JSON));
        self.body.send(&mut reply, req).await
    }

    fn matches_if_none_match(&self, req: &HttpRequest) -> bool {
        if !req.headers().contains_key(header::IF_NONE_MATCH) {
            return false;
        }
        match IfNoneMatch::parse(req) {
            Ok(IfNoneMatch::Any) => true,
            Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|tag| tag.weak_eq(&self.etag)),
            Err(_) => false,
        }
    }
}

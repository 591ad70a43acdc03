//! `GET /shell`: the page of every address without its screen, its replies and the data of one request. The service worker keeps it, and shows it
//! where the network does not answer.

use http::{
    StatusCode,
    header::{self, HeaderValue},
    response::Builder,
};
use service::compression;
use sha2::{Digest, Sha256};

use super::invalid;
use crate::{
    conditions::is_fresh,
    error::Error,
    request::Head,
    response::{self, Body, Response},
};

/// Its path.
pub(super) const PATH: &str = "/shell";

/// A brand's shell in one language.
pub(super) struct Shell {
    body: compression::Body,
    etag: String,
}

impl Shell {
    /// With this text.
    pub fn new(text: String) -> Self {
        // Weak, because it stands for every encoding.
        let etag = format!("W/\"{}\"", hex::encode(Sha256::digest(&text)));
        Self { body: compression::Body::new(text.into()), etag }
    }

    /// Responds with it, or with 304 to a client that has it. `begin` makes the head of a page's response.
    pub async fn respond(&self, head: &Head, begin: impl Fn(StatusCode) -> Builder) -> Result<Response, Error> {
        let Self { body, etag } = self;
        let status = if is_fresh(head, etag) { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
        let builder = begin(status).header(header::ETAG, etag);
        let mut response = match status {
            StatusCode::OK => response::compressed(builder, body, head).await.map_err(invalid)?,
            _ => builder.body(Body::Empty).map_err(invalid)?,
        };
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        Ok(response)
    }
}

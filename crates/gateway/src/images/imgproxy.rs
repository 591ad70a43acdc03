//! Converts images with an imgproxy, which gets only allowed sources and widths, and fetches clips by it as they are.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::{Client, StatusCode, header::CONTENT_TYPE};
use service::StartError;
use tokio::sync::Semaphore;
use url::Url;

use crate::error::Error;

/// The name in logs.
const NAME: &str = "imgproxy";

/// The timeout, and the largest image accepted.
const TIMEOUT: Duration = Duration::from_secs(20);
const MAX_BYTES: usize = 10 * 1024 * 1024;

/// Concurrent calls.
const MAX_CONCURRENT: usize = 16;

/// Characters of a path segment that have a meaning in URLs are encoded.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A client of the imgproxy.
pub(super) struct Imgproxy {
    base: String,
    http: Client,
    permits: Semaphore,
}

impl Imgproxy {
    pub fn new(url: &Url) -> Result<Self, StartError> {
        let fault = |cause: &dyn std::fmt::Display| StartError::Setting(format!("IMGPROXY_URL: {cause}"));
        if !matches!(url.scheme(), "http" | "https") || url.query().is_some() || url.fragment().is_some() {
            return Err(fault(&format!("{url} is no http address")));
        }
        let http = service::client_for(url.as_str()).connect_timeout(Duration::from_secs(3)).timeout(TIMEOUT);
        let http = http.build().map_err(|error| fault(&error))?;
        let base = url.as_str().trim_end_matches('/').to_owned();
        Ok(Self { base, http, permits: Semaphore::new(MAX_CONCURRENT) })
    }

    /// Fetches the image of an allowed origin in an allowed width, or a clip.
    pub async fn picture(&self, origin: &str, below: &[String], width: Option<u32>) -> Result<Bytes, Error> {
        let away = |cause: String| Error::Unavailable { service: NAME, cause };
        // Without a key, imgproxy accepts any first segment as the signature.
        let (form, ending) = width.map_or(("raw:1".to_owned(), ""), |width| (format!("rs:fit:{width}:0"), "@webp"));
        let address = below.iter().fold(format!("{}/img/{form}/plain/{origin}", self.base), |text, segment| {
            format!("{text}/{}", utf8_percent_encode(segment, SEGMENT))
        });
        let _permit = self.permits.acquire().await.map_err(|error| Error::Internal(error.to_string()))?;
        let mut response = self
            .http
            .get(format!("{address}{ending}"))
            .send()
            .await
            .map_err(|error| away(error.without_url().to_string()))?;
        match response.status() {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND => return Err(Error::NotFound),
            StatusCode::UNPROCESSABLE_ENTITY => return Err(Error::NotAnImage("imgproxy says so".to_owned())),
            other => return Err(away(format!("it answered {other}"))),
        }
        let is_webp = response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes() == b"image/webp");
        if width.is_some() && !is_webp {
            return Err(away("what it sent is no WebP".to_owned()));
        }
        let mut image = BytesMut::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| away(error.without_url().to_string()))? {
            if image.len() + chunk.len() > MAX_BYTES {
                return Err(away(format!("it sent more than {MAX_BYTES} bytes")));
            }
            image.extend_from_slice(&chunk);
        }
        Ok(image.freeze())
    }
}

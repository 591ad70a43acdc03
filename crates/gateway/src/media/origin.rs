//! Media at an HTTP origin: a bucket, a CDN or another server. The file's bytes are passed on, but no other part of the origin's responses;
//! or the client is redirected there with a URL that is signed for seconds.

use std::{io, time::Duration};

use futures_util::{TryStreamExt, stream};
use http::{
    HeaderMap, Method, StatusCode,
    header::{self, HeaderName, HeaderValue},
};
use reqwest::Client;
use service::StartError;
use url::Url;

use super::{
    byte_range::{ByteRange, ContentRange, complete_length},
    encoded,
    signer::Signer,
};
use crate::{
    error::Error,
    request::Head,
    response::{Body, Response, response, value},
};

/// The name in logs.
const NAME: &str = "the media origin";

/// The timeouts for connecting and for reading.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
const READ_TIMEOUT: Duration = Duration::from_secs(10);

/// The lifetime of signatures that only this process uses.
const OWN_SIGNATURE_LIFETIME: Duration = Duration::from_secs(60);

/// Headers that make a request or its range conditional; only these are forwarded.
const CONDITIONS: [HeaderName; 5] =
    [header::IF_MATCH, header::IF_NONE_MATCH, header::IF_MODIFIED_SINCE, header::IF_UNMODIFIED_SINCE, header::IF_RANGE];

/// Where media lie other than in a folder that this process reads.
#[derive(clap::Args, Clone, Debug)]
pub struct MediaOrigin {
    /// An http(s) address instead of MEDIA_DIR: `https://s3.example/bucket/folder`, `https://bucket.s3.example`, or
    /// any server with range requests.
    #[arg(long, env = "MEDIA_ORIGIN")]
    pub media_origin: Option<Url>,
    /// The access key id for a private bucket (S3 signature version 4).
    #[arg(long, env = "MEDIA_KEY_ID")]
    pub media_key_id: Option<String>,
    /// The secret access key for a private bucket.
    #[arg(long, env = "MEDIA_SECRET_KEY", hide_env_values = true)]
    pub media_secret_key: Option<String>,
    /// The bucket's region, for signatures.
    #[arg(long, env = "MEDIA_REGION", default_value_t = Self::default().media_region)]
    pub media_region: String,
    /// Redirects clients to presigned addresses of the origin, valid for this many seconds; 0: the gateway forwards
    /// the bytes. At most 45: with the 15 for which active access is cached, access ends within a minute of the
    /// subscription.
    #[arg(long, env = "MEDIA_REDIRECT_SECONDS", default_value_t = Self::default().media_redirect_seconds, value_parser = clap::value_parser!(u64).range(0..=45))]
    pub media_redirect_seconds: u64,
    /// A prefix such as `/protected-media/`: the nginx before the gateway then sends the files of MEDIA_DIR from its
    /// internal location of that prefix (`X-Accel-Redirect`), and the gateway only checks access. Not together with
    /// MEDIA_ORIGIN.
    #[arg(long, env = "MEDIA_ACCEL_REDIRECT")]
    pub media_accel_redirect: Option<String>,
}

impl Default for MediaOrigin {
    fn default() -> Self {
        Self {
            media_origin: None,
            media_key_id: None,
            media_secret_key: None,
            media_region: "us-east-1".to_owned(),
            media_redirect_seconds: 0,
            media_accel_redirect: None,
        }
    }
}

/// The origin.
pub(super) struct Origin {
    /// Its URL without a trailing slash.
    base: String,
    http: Client,
    signer: Option<Signer>,
    /// How long a client may fetch a file there itself.
    redirect_for: Option<Duration>,
}

impl Origin {
    /// Validates the settings; `None` if they name no origin.
    pub fn new(config: &MediaOrigin) -> Result<Option<Self>, StartError> {
        let fault = |name: &str, cause: &dyn std::fmt::Display| StartError::Setting(format!("{name}: {cause}"));
        let Some(url) = &config.media_origin else { return Ok(None) };
        let plain = matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none();
        if !plain || !url.has_host() || url.query().is_some() || url.fragment().is_some() {
            return Err(fault("MEDIA_ORIGIN", &"it is no plain http or https address"));
        }
        let signer = match (set(&config.media_key_id), set(&config.media_secret_key)) {
            (Some(id), Some(secret)) => Some(
                Signer::new(url, &config.media_region, id, secret).map_err(|cause| fault("MEDIA_ORIGIN", &cause))?,
            ),
            (None, None) => None,
            _ => return Err(fault("MEDIA_KEY_ID", &"is set together with MEDIA_SECRET_KEY, or neither")),
        };
        let redirect_for =
            (config.media_redirect_seconds > 0).then(|| Duration::from_secs(config.media_redirect_seconds));
        if redirect_for.is_some() && signer.is_none() {
            return Err(fault("MEDIA_REDIRECT_SECONDS", &"needs MEDIA_KEY_ID and MEDIA_SECRET_KEY"));
        }
        let http = service::client_for(url.as_str())
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(READ_TIMEOUT)
            .build()
            .map_err(|error| fault("MEDIA_ORIGIN", &error))?;
        Ok(Some(Self { base: url.as_str().trim_end_matches('/').to_owned(), http, signer, redirect_for }))
    }

    /// The origin that clients are redirected to, for the Content-Security-Policy; `None` without redirects.
    pub fn redirect_origin(config: &MediaOrigin) -> Option<String> {
        let url = config.media_origin.as_ref().filter(|_| config.media_redirect_seconds > 0)?;
        Some(url.origin().ascii_serialization())
    }

    /// Responds to a request with access to the file of these segments.
    pub async fn reply(&self, head: &Head, below: &[String]) -> Result<Response, Error> {
        let is_head = head.method == Method::HEAD;
        let path = encoded(below);
        if let (Some(lifetime), Some(signer)) = (self.redirect_for, &self.signer)
            && !is_sent_by_gateway(&path)
        {
            let headers = [
                (header::LOCATION, value(&signer.sign(&path, is_head, lifetime))),
                (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
                (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
            ];
            return Ok(response(StatusCode::FOUND, headers, Body::Empty));
        }
        let address = match &self.signer {
            Some(signer) => signer.sign(&path, is_head, OWN_SIGNATURE_LIFETIME),
            None => format!("{}/{path}", self.base),
        };
        let mut call = if is_head { self.http.head(address) } else { self.http.get(address) };
        call = call.header(header::ACCEPT_ENCODING, "identity");
        for name in CONDITIONS {
            for condition in head.headers.get_all(&name) {
                call = call.header(&name, condition);
            }
        }
        let range = if is_head { None } else { ByteRange::of(head) };
        if let Some(range) = &range {
            call = call.header(header::RANGE, range.text.as_str());
        }
        let response = call.send().await.map_err(|error| away(error.without_url()))?;
        pass(response, range, is_head)
    }
}

/// Builds the client's response from the origin's.
fn pass(origin: reqwest::Response, range: Option<ByteRange>, is_head: bool) -> Result<Response, Error> {
    let text = |name: HeaderName| origin.headers().get(name).and_then(|value| value.to_str().ok());
    let length = || text(header::CONTENT_LENGTH).and_then(|length| length.parse::<u64>().ok());
    if text(header::CONTENT_ENCODING).is_some_and(|encoding| encoding != "identity") {
        return Err(away("it sent packed bytes"));
    }
    let mut headers = HeaderMap::with_capacity(8);
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    for name in [header::ETAG, header::LAST_MODIFIED] {
        if let Some(value) = origin.headers().get(&name) {
            headers.insert(name, value.clone());
        }
    }
    let (status, body) = match origin.status() {
        StatusCode::OK if is_head => {
            let length = length().ok_or_else(|| away("it did not say how long the file is"))?;
            (StatusCode::OK, Body::stream(Some(length), stream::empty()))
        }
        StatusCode::OK => {
            let length = length();
            (StatusCode::OK, stream_of(origin, length))
        }
        StatusCode::PARTIAL_CONTENT => {
            let sent = text(header::CONTENT_RANGE).and_then(ContentRange::read);
            let (Some(sent), Some(range)) = (sent, range) else { return Err(away("it sent another part")) };
            if !sent.answers(&range) || length().is_some_and(|length| length != sent.length()) {
                return Err(away("it sent another part"));
            }
            headers.insert(header::CONTENT_RANGE, value(&sent.text()));
            (StatusCode::PARTIAL_CONTENT, stream_of(origin, Some(sent.length())))
        }
        status @ (StatusCode::NOT_MODIFIED | StatusCode::PRECONDITION_FAILED) => (status, Body::Empty),
        StatusCode::RANGE_NOT_SATISFIABLE => {
            if let Some(complete) = text(header::CONTENT_RANGE).and_then(complete_length) {
                headers.insert(header::CONTENT_RANGE, value(&format!("bytes */{complete}")));
            }
            (StatusCode::RANGE_NOT_SATISFIABLE, Body::Empty)
        }
        StatusCode::NOT_FOUND | StatusCode::GONE => return Err(Error::NotFound),
        StatusCode::FORBIDDEN => {
            // Buckets respond with 403 for a missing file if the key may not list the bucket, and for an unknown key.
            tracing::warn!("{NAME} refuses a file; if it is there, the bucket does not take our key");
            return Err(Error::NotFound);
        }
        other => return Err(away(format!("it answered {other}"))),
    };
    let mut response = response(status, [], body);
    *response.headers_mut() = headers;
    Ok(response)
}

/// A body that is read from the origin as fast as the client reads it.
fn stream_of(origin: reqwest::Response, length: Option<u64>) -> Body {
    Body::stream(length, origin.bytes_stream().map_err(|error| io::Error::other(error.without_url())))
}

/// Whether a file must be sent by us: entries of a playlist are relative URLs without signatures, and browsers load captions only from the
/// page's origin.
fn is_sent_by_gateway(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    [".m3u8", ".mpd", ".vtt"].iter().any(|ending| path.ends_with(ending))
}

fn away(cause: impl ToString) -> Error {
    Error::Unavailable { service: NAME, cause: cause.to_string() }
}

/// A setting's text, unless it is blank.
pub(super) fn set(value: &Option<String>) -> Option<&str> {
    value.as_deref().map(str::trim).filter(|value| !value.is_empty())
}

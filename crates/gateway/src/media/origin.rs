//! Media that lie at an HTTP origin: a bucket, a CDN, another server. Its bytes pass through as they come, and nothing else of it does;
//! or the visitor is sent to it, with a signature that is good for seconds.

use std::time::Duration;

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    body::SizedStream,
    http::{Method, StatusCode, header},
};
use futures_util::{TryStreamExt, stream};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::{Client, Response, redirect::Policy};
use url::Url;
use web::StartError;

use super::{signer::Signer, span};
use crate::error::Error;

/// The name in logs.
const NAME: &str = "the media origin";

/// How long it may take to take a call, and how long to say anything.
const CONNECT_PATIENCE: Duration = Duration::from_secs(3);
const READ_PATIENCE: Duration = Duration::from_secs(10);

/// Headers that make a request conditional, or one for a part. They pass; nothing else of a visitor's does.
const CONDITIONS: [&str; 5] = ["if-match", "if-none-match", "if-modified-since", "if-unmodified-since", "if-range"];

/// What stands in an address as it is (RFC 3986 section 2.3), which is also what signatures are made over.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// An origin in a folder's place.
#[derive(clap::Args, Clone, Debug)]
pub struct MediaOrigin {
    /// An http(s) address in MEDIA_DIR's place: `https://s3.example/bucket/folder`, `https://bucket.s3.example`, any server with ranges.
    #[arg(long, env = "MEDIA_ORIGIN")]
    pub media_origin: Option<Url>,
    /// The key that requests to a private bucket are signed with (S3, signature version 4).
    #[arg(long, env = "MEDIA_KEY_ID")]
    pub media_key_id: Option<String>,
    /// That key's secret.
    #[arg(long, env = "MEDIA_SECRET_KEY", hide_env_values = true)]
    pub media_secret_key: Option<String>,
    /// The bucket's region, as signatures name it.
    #[arg(long, env = "MEDIA_REGION", default_value_t = Self::default().media_region)]
    pub media_region: String,
    /// For how many seconds a visitor may have a file from the origin itself, by a signed address; 0 means that we pass its bytes on.
    /// At most 45: with the 15 for which a yes is believed, no access outlives a subscription by more than a minute.
    #[arg(long, env = "MEDIA_REDIRECT_SECONDS", default_value_t = Self::default().media_redirect_seconds, value_parser = clap::value_parser!(u64).range(0..=45))]
    pub media_redirect_seconds: u64,
}

impl Default for MediaOrigin {
    fn default() -> Self {
        Self {
            media_origin: None,
            media_key_id: None,
            media_secret_key: None,
            media_region: "us-east-1".to_owned(),
            media_redirect_seconds: 0,
        }
    }
}

pub(crate) struct Origin {
    /// Without a slash at its end.
    base: String,
    http: Client,
    signer: Option<Signer>,
    /// For how long a visitor may go there.
    redirect_for: Option<Duration>,
}

impl Origin {
    /// The origin of the settings; `None` where there is none.
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
        let http = Client::builder()
            .no_proxy()
            .redirect(Policy::none())
            .connect_timeout(CONNECT_PATIENCE)
            .read_timeout(READ_PATIENCE)
            .build()
            .map_err(|error| fault("MEDIA_ORIGIN", &error))?;
        Ok(Some(Self { base: url.as_str().trim_end_matches('/').to_owned(), http, signer, redirect_for }))
    }

    /// Where visitors are sent, as a page's policy names it; `None` where they are not.
    pub fn visited(config: &MediaOrigin) -> Option<String> {
        let url = config.media_origin.as_ref().filter(|_| config.media_redirect_seconds > 0)?;
        Some(url.origin().ascii_serialization())
    }

    /// The reply to a request that may have the file of these segments.
    pub async fn reply(&self, req: &HttpRequest, below: &[String]) -> Result<HttpResponse, Error> {
        let head = req.method() == Method::HEAD;
        let path = below.iter().map(|segment| utf8_percent_encode(segment, SEGMENT).to_string()).collect::<Vec<_>>();
        let path = path.join("/");
        if let (Some(lifetime), Some(signer)) = (self.redirect_for, &self.signer)
            && !stays_here(&path)
        {
            return Ok(HttpResponse::Found()
                .insert_header((header::LOCATION, signer.sign(&path, head, lifetime)))
                .insert_header((header::CACHE_CONTROL, "no-store"))
                .insert_header((header::REFERRER_POLICY, "no-referrer"))
                .finish());
        }
        let address = match &self.signer {
            Some(signer) => signer.sign(&path, head, Duration::from_secs(60)),
            None => format!("{}/{path}", self.base),
        };
        let mut call = if head { self.http.head(address) } else { self.http.get(address) };
        call = call.header("accept-encoding", "identity");
        for name in CONDITIONS {
            if let Some(value) = req.headers().get(name) {
                call = call.header(name, value.as_bytes());
            }
        }
        let asked = if head { None } else { span::asked(req) };
        if let Some(range) = &asked {
            call = call.header("range", range.text.as_str());
        }
        let reply = call.send().await.map_err(|error| away(error.without_url()))?;
        self.pass(reply, asked, head)
    }

    fn pass(&self, origin: Response, asked: Option<span::Asked>, head: bool) -> Result<HttpResponse, Error> {
        let text = |name: &str| origin.headers().get(name).and_then(|value| value.to_str().ok());
        let length = || text("content-length").and_then(|length| length.parse::<u64>().ok());
        if text("content-encoding").is_some_and(|encoding| encoding != "identity") {
            return Err(away("it sent packed bytes"));
        }
        let mut reply = HttpResponse::build(StatusCode::OK);
        reply.insert_header((header::ACCEPT_RANGES, "bytes"));
        for name in ["etag", "last-modified"] {
            if let Some(value) = text(name) {
                reply.insert_header((name, value));
            }
        }
        match origin.status().as_u16() {
            200 if head => {
                let length = length().ok_or_else(|| away("it did not say how long the file is"))?;
                Ok(reply.body(SizedStream::new(length, stream::empty::<Result<_, std::io::Error>>())))
            }
            200 => {
                let length = length();
                Ok(stream_of(reply, origin, length))
            }
            206 => {
                let range = text("content-range").and_then(span::Sent::read);
                let (Some(sent), Some(asked)) = (range, asked) else { return Err(away("it sent another part")) };
                if !sent.answers(&asked) || length().is_some_and(|length| length != sent.length()) {
                    return Err(away("it sent another part"));
                }
                reply.status(StatusCode::PARTIAL_CONTENT).insert_header((header::CONTENT_RANGE, sent.text()));
                Ok(stream_of(reply, origin, Some(sent.length())))
            }
            304 => Ok(reply.status(StatusCode::NOT_MODIFIED).finish()),
            412 => Ok(reply.status(StatusCode::PRECONDITION_FAILED).finish()),
            416 => {
                if let Some(whole) = text("content-range").and_then(span::whole) {
                    reply.insert_header((header::CONTENT_RANGE, format!("bytes */{whole}")));
                }
                Ok(reply.status(StatusCode::RANGE_NOT_SATISFIABLE).finish())
            }
            404 | 410 => Err(Error::NotFound),
            403 => {
                // What a bucket says of a file that is not there, to somebody who may not list it; and of a key that it does not know.
                tracing::warn!("{NAME} refuses a file; if it is there, the bucket does not take our key");
                Err(Error::NotFound)
            }
            other => Err(away(format!("it answered {other}"))),
        }
    }
}

/// A body that is read from the origin no faster than the visitor takes it.
fn stream_of(mut reply: HttpResponseBuilder, origin: Response, length: Option<u64>) -> HttpResponse {
    let bytes = origin.bytes_stream().map_err(|error| std::io::Error::other(error.without_url()));
    match length {
        Some(length) => reply.body(SizedStream::new(length, bytes)),
        None => reply.streaming(bytes),
    }
}

/// Whether a file must come from here: a list of addresses that are read as its own neighbours would name files there, unsigned, and
/// browsers take captions from the page's own origin alone.
fn stays_here(path: &str) -> bool {
    [".m3u8", ".mpd", ".vtt"].iter().any(|ending| path.ends_with(ending))
}

fn away(cause: impl ToString) -> Error {
    Error::Away { service: NAME, cause: cause.to_string() }
}

fn set(value: &Option<String>) -> Option<&str> {
    value.as_deref().map(str::trim).filter(|value| !value.is_empty())
}

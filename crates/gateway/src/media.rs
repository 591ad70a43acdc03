//! Media files, for sessions with an active subscription to the folder's brand. They are in a folder (`file`), which this process or an
//! nginx in front of it reads, or at an HTTP origin (`origin`).

pub mod byte_range;
mod file;
mod file_body;
mod origin;
mod signer;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use brands::Brands;
use http::{
    Method, StatusCode,
    header::{self, HeaderName, HeaderValue},
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use service::{Problem, StartError};

pub use file::file_response;
pub use origin::MediaOrigin;

use crate::{
    Config,
    error::Error,
    folders, paths,
    request::Head,
    response::{Body, NO_SNIFF, Response, problem, response, value},
    session::{Purpose, Sessions},
};
use origin::{Origin, set};

/// Browsers may cache media as long as access may outlive a cancellation; shared caches may not.
const CACHE_CONTROL: (HeaderName, HeaderValue) =
    (header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=60"));

/// Other sites cannot embed media.
const SAME_ORIGIN: (HeaderName, HeaderValue) =
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin"));

/// The file that nginx is to send (its `ngx_http_upstream_module`, `X-Accel-Redirect`).
const ACCEL_REDIRECT: HeaderName = HeaderName::from_static("x-accel-redirect");

/// Characters that are not encoded in a path (RFC 3986 section 2.3); signatures use the same encoding.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The handler of `/media/`.
pub(crate) struct Media {
    brands: Brands,
    sessions: Arc<Sessions>,
    store: Store,
}

/// Where the files are.
enum Store {
    /// In one of these folders, and this process sends them.
    Folders(Vec<PathBuf>),
    /// In a folder, and nginx sends them from its location `prefix`, which ends with a slash.
    Accelerated { root: PathBuf, prefix: String },
    /// At an HTTP origin.
    Origin(Box<Origin>),
}

impl Media {
    /// Validates the settings of media.
    pub(crate) fn new(config: &Config, brands: Brands, sessions: Arc<Sessions>) -> Result<Self, StartError> {
        let prefix = accel_prefix(&config.media_origin)?;
        let store = match (Origin::new(&config.media_origin)?, prefix) {
            (Some(origin), _) => Store::Origin(Box::new(origin)),
            (None, prefix) => {
                let root = folders::existing("MEDIA_DIR", &config.media_dir)?;
                match prefix {
                    Some(prefix) => Store::Accelerated { root, prefix },
                    None => {
                        let uploaded = config.uploaded_media_dir.as_deref();
                        let uploaded = uploaded.map(|folder| folders::existing("UPLOADED_MEDIA_DIR", folder));
                        Store::Folders([root].into_iter().chain(uploaded.transpose()?).collect())
                    }
                }
            }
        };
        Ok(Self { brands, sessions, store })
    }

    /// The origin that browsers are redirected to, for the Content-Security-Policy; `None` without redirects.
    pub(crate) fn redirect_origin(origin: &MediaOrigin) -> Option<String> {
        Origin::redirect_origin(origin)
    }

    /// Responds to `/media/{folder}/{file…}`.
    pub(crate) async fn serve(&self, head: &Head) -> Result<Response, Error> {
        if !head.is_read() {
            return Err(Error::Method("GET, HEAD"));
        }
        let segments = paths::segments(head.path()).ok_or(Error::AmbiguousPath)?;
        let below = segments.get(1..).unwrap_or_default();
        let brand = below.first().and_then(|folder| self.brands.by_media_folder(folder)).ok_or(Error::NotFound)?;
        let proof = self.sessions.proof(head, &brand)?;
        let kind = content_type(Path::new(below.last().map_or("", String::as_str)));
        // A list of segments and captions is no film.
        let is_film = head.method == Method::GET && kind.starts_with("video/");
        let purpose = if is_film { Purpose::Watching } else { Purpose::Other };
        self.sessions.active(&proof, purpose).await?;

        let mut response = self.send(head, below).await?;
        if response.status().is_client_error() {
            response = refusal(&response);
        }
        let is_file = response.status() != StatusCode::FOUND && !response.status().is_client_error();
        let headers = response.headers_mut();
        if is_file {
            headers.extend([(header::CONTENT_TYPE, HeaderValue::from_static(kind)), CACHE_CONTROL]);
        }
        headers.extend([NO_SNIFF, SAME_ORIGIN]);
        Ok(response)
    }

    /// Sends the file of these segments to a request with access.
    async fn send(&self, head: &Head, below: &[String]) -> Result<Response, Error> {
        match &self.store {
            Store::Folders(roots) => {
                let mut opened = Err(Error::NotFound);
                for root in roots {
                    opened = file::open(root, below).await;
                    if opened.is_ok() {
                        break;
                    }
                }
                opened.map(|(file, metadata)| file_response(head, file, &metadata))
            }
            Store::Accelerated { root, prefix } => {
                file::open(root, below).await?;
                let address = format!("{prefix}{}", encoded(below));
                Ok(response(StatusCode::OK, [(ACCEL_REDIRECT, value(&address))], Body::Empty))
            }
            // Files that a folder would hide are not requested from an origin.
            Store::Origin(_) if below.len() < 2 || below.iter().any(|segment| segment.starts_with('.')) => {
                Err(Error::NotFound)
            }
            Store::Origin(origin) => origin.reply(head, below).await,
        }
    }
}

/// A failed precondition or an unsatisfiable range as a problem, with the file's length (RFC 9110 section 15.5.17).
fn refusal(from: &Response) -> Response {
    let mut refusal = problem(&Problem::of_status(from.status()));
    if let Some(range) = from.headers().get(header::CONTENT_RANGE) {
        refusal.headers_mut().insert(header::CONTENT_RANGE, range.clone());
    }
    refusal
}

/// Parses MEDIA_ACCEL_REDIRECT; the result ends with a slash.
fn accel_prefix(config: &MediaOrigin) -> Result<Option<String>, StartError> {
    let fault = |cause: &str| Err(StartError::Setting(format!("MEDIA_ACCEL_REDIRECT: {cause}")));
    let Some(prefix) = set(&config.media_accel_redirect) else { return Ok(None) };
    if config.media_origin.is_some() {
        return fault("must not be set together with MEDIA_ORIGIN");
    }
    if !prefix.starts_with('/') || !prefix.bytes().all(|b| b.is_ascii_graphic()) {
        return fault("must be a path that begins with a slash");
    }
    Ok(Some(format!("{}/", prefix.trim_end_matches('/'))))
}

/// Segments, percent-encoded.
fn encoded(segments: &[String]) -> String {
    let encoded: Vec<_> = segments.iter().map(|segment| utf8_percent_encode(segment, SEGMENT).to_string()).collect();
    encoded.join("/")
}

/// The content type by file extension in any letter case, as cameras write it; libraries' tables disagree about streaming types.
fn content_type(path: &Path) -> &'static str {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    match ending.as_str() {
        "mp4" | "m4v" => "video/mp4",
        "m4s" => "video/iso.segment",
        "m3u8" => "application/vnd.apple.mpegurl",
        "ts" => "video/mp2t",
        "webm" => "video/webm",
        "m4a" => "audio/mp4",
        "vtt" => "text/vtt",
        "webp" => "image/webp",
        "jpg" | "jpeg" => "image/jpeg",
        "png" => "image/png",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accel_prefix_requires_a_path_and_no_origin() {
        let config = |prefix: &str| MediaOrigin { media_accel_redirect: Some(prefix.to_owned()), ..Default::default() };
        for (prefix, expected) in [
            ("", None),
            (" ", None),
            ("/protected-media/", Some("/protected-media/")),
            ("/protected-media", Some("/protected-media/")),
            ("/", Some("/")),
        ] {
            assert_eq!(accel_prefix(&config(prefix)).unwrap().as_deref(), expected, "{prefix}");
        }
        assert_eq!(accel_prefix(&MediaOrigin::default()).unwrap(), None);
        let with_origin =
            MediaOrigin { media_origin: Some("http://s3.example/films".parse().unwrap()), ..config("/media/") };
        for wrong in [config("media/"), config("/a b"), config("/ä"), config("/a\nb"), with_origin] {
            let error = accel_prefix(&wrong).unwrap_err().to_string();
            assert!(error.contains("MEDIA_ACCEL_REDIRECT: "), "{error}");
        }
    }

    #[test]
    fn encoded_keeps_unreserved_characters() {
        let segments = ["mcfunny", "a b?#%.mp4", "é-_~"].map(str::to_owned);
        assert_eq!(encoded(&segments), "mcfunny/a%20b%3F%23%25.mp4/%C3%A9-_~");
    }
}

//! The image resizer, with imgproxy's URLs: `/img/rs:fit:W:0/plain/https://…@webp`. Only configured origins and widths are allowed; an
//! image's size is limited before it is decoded (`make`); concurrent requests cause one conversion; results are cached in memory. If an
//! imgproxy is configured, it converts the images (`imgproxy`), under the same rules. A film's clip, `/img/raw:1/plain/https://….clip.mp4`, is
//! as public as its picture, and sent as it is.

mod address;
mod imgproxy;
mod make;

use std::{path::PathBuf, str::FromStr, sync::Arc, time::Duration};

use bytes::Bytes;
use http::{
    Method, StatusCode,
    header::{self, HeaderName, HeaderValue},
};
use moka::future::Cache;
use service::{Problem, StartError};
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use url::Url;

use crate::{
    conditions::{allows_range, is_fresh},
    error::Error,
    folders,
    media::byte_range::ByteRange,
    paths,
    request::Head,
    response::{Body, NO_SNIFF, Response, problem, response, value},
};
pub use address::{ImageAddress, WIDTHS};
use imgproxy::Imgproxy;

/// The most bytes of images cached in memory, and for how long before the source is read again.
const MAX_CACHE_BYTES: u64 = 64 * 1024 * 1024;
const CACHE_TTL: Duration = Duration::from_secs(3600);

/// The most bytes of a clip, as `content transcode` makes it.
const CLIP_BYTES: u64 = 100_000;

/// Concurrent conversions; each holds its pixels in memory twice.
const MAX_CONCURRENT: usize = 2;

/// For browsers and shared caches.
const CACHE_CONTROL: (HeaderName, HeaderValue) =
    (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400"));

/// Where images are made.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct ImageConfig {
    /// The address of an imgproxy that converts the images instead, `http://imgproxy:8080`; the folders are then not
    /// used.
    #[arg(long, env = "IMGPROXY_URL")]
    pub imgproxy_url: Option<Url>,
}

/// The origins that are resized, with their folders.
#[derive(Clone, Debug)]
pub struct ImageOrigins(pub Vec<(String, PathBuf)>);

impl FromStr for ImageOrigins {
    type Err = String;

    /// `https://host=folder`, separated by commas.
    fn from_str(text: &str) -> Result<Self, String> {
        text.split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(|part| {
                let (origin, folder) =
                    part.split_once('=').ok_or_else(|| format!("{part:?} is not of the form origin=folder"))?;
                let host = origin.strip_prefix("https://").filter(|host| !host.is_empty() && !host.contains('/'));
                let host = host.ok_or_else(|| format!("{origin:?} is no https origin"))?;
                Ok((format!("https://{}", host.to_ascii_lowercase()), PathBuf::from(folder)))
            })
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

/// A resized image.
struct Picture {
    bytes: Bytes,
    etag: String,
}

impl Picture {
    fn of(bytes: Bytes) -> Arc<Self> {
        let etag = format!("\"{}\"", hex::encode(Sha256::digest(&bytes)));
        Arc::new(Self { bytes, etag })
    }
}

/// Who converts images.
enum Maker {
    /// This process, from files in the origins' folders, with limited concurrency.
    Local(Arc<Semaphore>),
    /// An imgproxy.
    Imgproxy(Imgproxy),
}

/// The origins and the cached images.
pub(crate) struct Images {
    /// The origins with their folders.
    origins: Vec<(String, PathBuf)>,
    maker: Maker,
    cache: Cache<(String, Option<u32>), Arc<Picture>>,
}

impl Images {
    /// Validates the settings.
    pub(crate) fn new(origins: &ImageOrigins, config: &ImageConfig) -> Result<Self, StartError> {
        let mut origins = origins.0.clone();
        let maker = match &config.imgproxy_url {
            Some(url) => Maker::Imgproxy(Imgproxy::new(url)?),
            None => {
                for (_, folder) in &mut origins {
                    *folder = folders::existing("IMAGE_ORIGINS", folder)?;
                }
                Maker::Local(Arc::new(Semaphore::new(MAX_CONCURRENT)))
            }
        };
        let cache = Cache::builder()
            .max_capacity(MAX_CACHE_BYTES)
            .weigher(|_: &(String, Option<u32>), picture: &Arc<Picture>| {
                u32::try_from(picture.bytes.len() + 256).unwrap_or(u32::MAX)
            })
            .time_to_live(CACHE_TTL)
            .build();
        Ok(Self { origins, maker, cache })
    }

    /// Responds to `/img/…`.
    pub(crate) async fn serve(&self, head: &Head) -> Result<Response, Error> {
        if !head.is_read() {
            return Err(Error::Method("GET, HEAD"));
        }
        let address = ImageAddress::read(head.path()).map_err(Error::ImageAddress)?;
        let picture = self.picture(&address).await?;
        if address.width.is_none() {
            return Ok(clip_response(head, &picture));
        }
        let (status, body) = match is_fresh(head, &picture.etag) {
            true => (StatusCode::NOT_MODIFIED, Body::Empty),
            false => (StatusCode::OK, Body::Whole(picture.bytes.clone())),
        };
        let headers = [(header::ETAG, value(&picture.etag)), CACHE_CONTROL, NO_SNIFF];
        let mut response = response(status, headers, body);
        if status == StatusCode::OK {
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("image/webp"));
        }
        Ok(response)
    }

    async fn picture(&self, address: &ImageAddress) -> Result<Arc<Picture>, Error> {
        let width = address.width;
        let origin = &address.origin;
        let roots: Vec<PathBuf> =
            self.origins.iter().filter(|(known, _)| known == origin).map(|(_, root)| root.clone()).collect();
        if roots.is_empty() {
            return Err(Error::ImageOrigin);
        }
        let below = paths::segments(&address.path).ok_or(Error::AmbiguousPath)?;
        let key = (format!("{origin}/{}", below.join("/")), width);
        let picture = self.cache.try_get_with(key, async {
            match &self.maker {
                Maker::Imgproxy(imgproxy) => imgproxy.picture(origin, &below, width).await,
                Maker::Local(permits) => make(permits.clone(), roots, below, width).await,
            }
            .and_then(|bytes| match width.is_none() && bytes.len() as u64 > CLIP_BYTES {
                true => Err(Error::NotFound),
                false => Ok(Picture::of(bytes)),
            })
        });
        picture.await.map_err(|error: Arc<Error>| Error::clone(&error))
    }
}

/// A clip, or the range of it that Safari requires.
fn clip_response(head: &Head, clip: &Picture) -> Response {
    let whole = &clip.bytes;
    let range = ByteRange::of(head).filter(|_| head.method == Method::GET && allows_range(head, &clip.etag));
    let range = range.map(|range| range.within(whole.len() as u64));
    let mut reply = match range {
        _ if is_fresh(head, &clip.etag) => response(StatusCode::NOT_MODIFIED, [], Body::Empty),
        None => response(StatusCode::OK, [], Body::Whole(whole.clone())),
        Some(None) => return problem(&Problem::of_status(StatusCode::RANGE_NOT_SATISFIABLE)),
        Some(Some(range)) => {
            let (first, length) = (range.first() as usize, range.length() as usize);
            let headers = [(header::CONTENT_RANGE, value(&range.text()))];
            response(StatusCode::PARTIAL_CONTENT, headers, Body::Whole(whole.slice(first..first + length)))
        }
    };
    reply.headers_mut().extend([
        (header::ETAG, value(&clip.etag)),
        (header::ACCEPT_RANGES, HeaderValue::from_static("bytes")),
        (header::CONTENT_TYPE, HeaderValue::from_static("video/mp4")),
        CACHE_CONTROL,
        NO_SNIFF,
    ]);
    reply
}

async fn make(
    permits: Arc<Semaphore>,
    roots: Vec<PathBuf>,
    below: Vec<String>,
    width: Option<u32>,
) -> Result<Bytes, Error> {
    let permit = permits.acquire_owned().await.map_err(|error| Error::Internal(error.to_string()))?;
    let make = move || {
        // The conversion continues when its request is cancelled, so it holds the permit itself.
        let _permit = permit;
        let mut made = Err(Error::NotFound);
        for root in &roots {
            made = width.map_or_else(|| make::clip(root, &below), |width| make::picture(root, &below, width));
            if !matches!(made, Err(Error::NotFound)) {
                break;
            }
        }
        made
    };
    folders::blocking(make).await?
}

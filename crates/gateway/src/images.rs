//! The image resizer, in imgproxy's address form: `/img/rs:fit:W:0/plain/https://…@webp`. Origins and widths are those in
//! configuration and no others; an image is bounded before it is decoded (`make`), made once however many ask, and kept in memory and
//! on disk (`shelf`). Where there is an imgproxy, that makes them (`imgproxy`), under the same rules.

mod address;
mod imgproxy;
mod make;
mod shelf;

use std::{path::PathBuf, str::FromStr, sync::Arc, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        Method,
        header::{self, EntityTag, Header, IfNoneMatch},
    },
    web::{Data, block},
};
use bytes::Bytes;
use moka::future::Cache;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use url::Url;
use web::StartError;

use crate::{
    app::{self, App},
    assets::is_fresh,
    error::Error,
    paths,
};
pub use address::{ImageAddress, WIDTHS};
use imgproxy::Imgproxy;
use make::Source;
pub use make::thumbnail;
use shelf::Shelf;

/// Bytes of finished images one process keeps in memory at most, and for how long before the source is looked at again.
const MAX_KEPT_BYTES: u64 = 64 * 1024 * 1024;
const KEPT_FOR: Duration = Duration::from_secs(600);

/// Images made at the same time; each holds its pixels in memory twice.
const MAX_AT_ONCE: usize = 2;

/// How images are had.
#[derive(clap::Args, Clone, Debug)]
pub struct ImageConfig {
    /// A folder that keeps finished images over a restart; absent means they are kept in memory alone.
    #[arg(long, env = "IMAGE_CACHE_DIR")]
    pub image_cache_dir: Option<PathBuf>,
    /// Megabytes in that folder at most; the images asked for longest ago go first.
    #[arg(long, env = "IMAGE_CACHE_MB", default_value_t = Self::default().image_cache_mb)]
    pub image_cache_mb: u32,
    /// An imgproxy that makes the images instead, `http://imgproxy:8080`; then the origins' folders and the cache folder are not used.
    #[arg(long, env = "IMGPROXY_URL")]
    pub imgproxy_url: Option<Url>,
}

impl Default for ImageConfig {
    fn default() -> Self {
        Self { image_cache_dir: None, image_cache_mb: 512, imgproxy_url: None }
    }
}

/// Which origins are resized, and the folder each stands for.
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

struct Picture {
    bytes: Bytes,
    etag: EntityTag,
}

impl Picture {
    fn of(bytes: Bytes) -> Arc<Self> {
        let etag = EntityTag::new_strong(hex(&Sha256::digest(&bytes)));
        Arc::new(Self { bytes, etag })
    }
}

/// Who makes images.
enum Maker {
    /// We, of files in the origins' folders.
    Ourselves {
        shelf: Option<Arc<Shelf>>,
        turns: Semaphore,
    },
    Imgproxy(Imgproxy),
}

/// The origins and the images made so far.
pub(crate) struct Images {
    /// Each origin, and the folder it stands for.
    origins: Vec<(String, PathBuf)>,
    maker: Maker,
    made: Cache<(String, u32), Arc<Picture>>,
}

impl Images {
    pub(crate) fn new(origins: &ImageOrigins, config: &ImageConfig) -> Result<Self, StartError> {
        let mut origins = origins.0.clone();
        let maker = match &config.imgproxy_url {
            Some(url) => Maker::Imgproxy(Imgproxy::new(url)?),
            None => {
                for (_, folder) in &mut origins {
                    *folder = app::folder("IMAGE_ORIGINS", folder)?;
                }
                let shelf = config.image_cache_dir.as_deref();
                let shelf = shelf.map(|folder| Shelf::open(folder, u64::from(config.image_cache_mb) * 1024 * 1024));
                let shelf =
                    shelf.transpose().map_err(|error| StartError::Setting(format!("IMAGE_CACHE_DIR: {error}")))?;
                Maker::Ourselves { shelf: shelf.map(Arc::new), turns: Semaphore::new(MAX_AT_ONCE) }
            }
        };
        let made = Cache::builder()
            .max_capacity(MAX_KEPT_BYTES)
            .weigher(|_: &(String, u32), picture: &Arc<Picture>| {
                u32::try_from(picture.bytes.len() + 256).unwrap_or(u32::MAX)
            })
            .time_to_live(KEPT_FOR)
            .build();
        Ok(Self { origins, maker, made })
    }

    async fn picture(&self, address: &ImageAddress) -> Result<Arc<Picture>, Error> {
        let width = address.width;
        let known = self.origins.iter().find(|(known, _)| *known == address.origin);
        let (origin, root) = known.ok_or(Error::ImageOrigin)?;
        let below = paths::segments(&address.path).ok_or(Error::AmbiguousPath)?;
        let key = (format!("{origin}/{}", below.join("/")), width);
        let made = self.made.try_get_with(key, async {
            match &self.maker {
                Maker::Imgproxy(imgproxy) => imgproxy.picture(origin, &below, width).await,
                Maker::Ourselves { shelf, turns } => make(shelf.clone(), turns, root.clone(), below, width).await,
            }
            .map(Picture::of)
        });
        made.await.map_err(|error: Arc<Error>| Error::clone(&error))
    }
}

/// A picture from the shelf, or made and put there. Only making takes a turn.
async fn make(
    shelf: Option<Arc<Shelf>>,
    turns: &Semaphore,
    root: PathBuf,
    below: Vec<String>,
    width: u32,
) -> Result<Bytes, Error> {
    let known = shelf.clone();
    let look = block(move || {
        let source = Source::find(&root, &below)?;
        let kept = known.and_then(|shelf| shelf.get(&source.identity(width)));
        Ok::<_, Error>((source, kept))
    });
    let (source, kept) = look.await.map_err(app::interrupted)??;
    if let Some(kept) = kept {
        return Ok(kept);
    }
    let _turn = turns.acquire().await.map_err(app::interrupted)?;
    let making = block(move || {
        let made = source.make(width)?;
        if let Some(shelf) = shelf {
            shelf.put(&source.identity(width), &made);
        }
        Ok(made)
    });
    making.await.map_err(app::interrupted)?
}

/// `/img/…`, public.
pub(crate) async fn serve(req: HttpRequest, app: Data<App>) -> Result<HttpResponse, Error> {
    if !matches!(*req.method(), Method::GET | Method::HEAD) {
        return Err(Error::Method("GET, HEAD"));
    }
    let address = ImageAddress::read(req.uri().path()).map_err(Error::ImageAddress)?;
    let picture = app.images.picture(&address).await?;
    let fresh = is_fresh(IfNoneMatch::parse(&req).ok(), &req, &picture.etag);
    let mut reply = if fresh { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    reply
        .insert_header(header::ETag(picture.etag.clone()))
        .insert_header((header::CACHE_CONTROL, "public, max-age=86400"))
        .insert_header((header::X_CONTENT_TYPE_OPTIONS, "nosniff"));
    if fresh {
        return Ok(reply.finish());
    }
    Ok(reply.content_type("image/webp").body(picture.bytes.clone()))
}

/// The first 128 bits of a digest: plenty to tell two versions of one file apart.
pub(crate) fn hex(digest: &[u8]) -> String {
    digest.iter().take(16).fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

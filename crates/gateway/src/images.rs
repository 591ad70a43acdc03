//! The image resizer, in imgproxy's address form: `/img/rs:fit:W:0/plain/https://…@webp`. Origins and widths are those in
//! configuration and no others; an image is bounded before it is decoded, and made once however many ask.

use std::{
    io::Cursor,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
};

use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        Method,
        header::{self, EntityTag, Header, IfNoneMatch},
    },
    web::{Data, block},
};
use bytes::Bytes;
use fast_image_resize::Resizer;
use image::{DynamicImage, ImageReader, Limits};
use moka::future::Cache;
use percent_encoding::percent_decode_str;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;
use web::StartError;

use crate::{
    app::{self, App},
    assets::is_fresh,
    error::Error,
    paths,
};

/// The widths that are made, in pixels.
const WIDTHS: [u32; 6] = [160, 320, 480, 640, 960, 1280];

/// Bounds of a source: bytes on disk, pixels along a side, pixels in all.
const MAX_SOURCE_BYTES: u64 = 10 * 1024 * 1024;
const MAX_SIDE: u32 = 8000;
const MAX_PIXELS: u64 = 40_000_000;

/// Bytes a decoder may allocate: the largest image in four channels of sixteen bits.
const MAX_DECODER_BYTES: u64 = MAX_PIXELS * 8;

/// Half the bytes of a JPEG of the same look, on the demo's pictures.
const WEBP_QUALITY: f32 = 78.0;

/// Bytes of finished images one process keeps at most, and for how long before the source is looked at again.
const MAX_KEPT_BYTES: u64 = 64 * 1024 * 1024;
const KEPT_SECONDS: u64 = 600;

/// Images made at the same time; each holds its pixels in memory twice.
const MAX_AT_ONCE: usize = 2;

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

/// The origins' folders and the images made so far.
pub(crate) struct Images {
    origins: Vec<(String, PathBuf)>,
    made: Cache<(PathBuf, u32), Arc<Picture>>,
    turns: Semaphore,
}

impl Images {
    pub(crate) fn new(origins: &ImageOrigins) -> Result<Self, StartError> {
        let origins = origins
            .0
            .iter()
            .map(|(origin, folder)| Ok((origin.clone(), app::folder("IMAGE_ORIGINS", folder)?)))
            .collect::<Result<_, StartError>>()?;
        let made = Cache::builder()
            .max_capacity(MAX_KEPT_BYTES)
            .weigher(|_: &(PathBuf, u32), picture: &Arc<Picture>| {
                u32::try_from(picture.bytes.len() + 256).unwrap_or(u32::MAX)
            })
            .time_to_live(std::time::Duration::from_secs(KEPT_SECONDS))
            .build();
        Ok(Self { origins, made, turns: Semaphore::new(MAX_AT_ONCE) })
    }

    /// The folder of a source's origin, and the source's path below it.
    fn locate(&self, source: &str) -> Result<(&Path, Vec<String>), Error> {
        let rest =
            source.strip_prefix("https://").ok_or(Error::ImageAddress("The image's address must begin with https."))?;
        let (host, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
        let origin = format!("https://{}", host.to_ascii_lowercase());
        let (_, folder) = self.origins.iter().find(|(known, _)| *known == origin).ok_or(Error::ImageOrigin)?;
        let path = paths::segments(path).ok_or(Error::AmbiguousPath)?;
        Ok((folder, path))
    }

    async fn picture(&self, root: &Path, below: Vec<String>, width: u32) -> Result<Arc<Picture>, Error> {
        let key = (below.iter().fold(root.to_owned(), |path, segment| path.join(segment)), width);
        let root = root.to_owned();
        let made = self.made.try_get_with(key, async {
            let _turn = self.turns.acquire().await.map_err(app::interrupted)?;
            block(move || make(&root, &below, width)).await.map_err(app::interrupted)?.map(Arc::new)
        });
        made.await.map_err(|error: Arc<Error>| Error::clone(&error))
    }
}

/// `/img/…`, public.
pub(crate) async fn serve(req: HttpRequest, app: Data<App>) -> Result<HttpResponse, Error> {
    if !matches!(*req.method(), Method::GET | Method::HEAD) {
        return Err(Error::Method("GET, HEAD"));
    }
    let (width, source) = parse(req.uri().path())?;
    let (root, below) = app.images.locate(&source)?;
    let picture = app.images.picture(root, below, width).await?;
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

/// Width and source of a path. Browsers and proxies may have merged the source's two slashes, or encoded it.
fn parse(path: &str) -> Result<(u32, String), Error> {
    let form = || Error::ImageAddress("An image's address has the form /img/rs:fit:WIDTH:0/plain/ADDRESS@webp.");
    let decoded = percent_decode_str(path).decode_utf8().map_err(|_| form())?;
    let rest = decoded.strip_prefix("/img/rs:fit:").ok_or_else(form)?;
    let (width, rest) = rest.split_once(":0/plain/").ok_or_else(form)?;
    let source = rest.strip_suffix("@webp").ok_or_else(form)?;
    let width = WIDTHS
        .into_iter()
        .find(|known| known.to_string() == width)
        .ok_or(Error::ImageAddress("An image's width is 160, 320, 480, 640, 960 or 1280."))?;
    let source = match source.strip_prefix("https:/") {
        Some(rest) if !rest.starts_with('/') => format!("https://{rest}"),
        _ => source.to_owned(),
    };
    Ok((width, source))
}

/// Reads, bounds, decodes, fits and encodes; for a thread that may block.
fn make(root: &Path, below: &[String], width: u32) -> Result<Picture, Error> {
    let not_an_image = |cause: &dyn std::fmt::Display| Error::NotAnImage(cause.to_string());
    let path = paths::file_below(root, below).ok_or(Error::NotFound)?;
    if path.metadata().map_err(|_| Error::NotFound)?.len() > MAX_SOURCE_BYTES {
        return Err(not_an_image(&"too many bytes"));
    }
    let source = std::fs::read(&path).map_err(|_| Error::NotFound)?;
    let reader =
        || ImageReader::new(Cursor::new(source.as_slice())).with_guessed_format().map_err(|error| not_an_image(&error));
    let (w, h) = reader()?.into_dimensions().map_err(|error| not_an_image(&error))?;
    if w == 0 || h == 0 || w > MAX_SIDE || h > MAX_SIDE || u64::from(w) * u64::from(h) > MAX_PIXELS {
        return Err(not_an_image(&"too many pixels"));
    }
    let mut reader = reader()?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_DECODER_BYTES);
    reader.limits(limits);
    let decoded = reader.decode().map_err(|error| not_an_image(&error))?;
    let plain =
        if decoded.color().has_alpha() { decoded.into_rgba8().into() } else { DynamicImage::from(decoded.into_rgb8()) };
    let bytes = encode(&fit(plain, width)?)?;
    let etag = EntityTag::new_strong(hex(&Sha256::digest(&bytes)));
    Ok(Picture { bytes, etag })
}

/// At most `width` wide, never enlarged.
fn fit(source: DynamicImage, width: u32) -> Result<DynamicImage, Error> {
    if source.width() <= width {
        return Ok(source);
    }
    let height =
        (u64::from(source.height()) * u64::from(width) + u64::from(source.width()) / 2) / u64::from(source.width());
    let height = u32::try_from(height).unwrap_or(MAX_SIDE).max(1);
    let mut fitted = DynamicImage::new(width, height, source.color());
    Resizer::new().resize(&source, &mut fitted, None).map_err(|error| Error::Internal(error.to_string()))?;
    Ok(fitted)
}

fn encode(picture: &DynamicImage) -> Result<Bytes, Error> {
    let encoder = match picture {
        DynamicImage::ImageRgb8(pixels) => webp::Encoder::from_rgb(pixels, pixels.width(), pixels.height()),
        DynamicImage::ImageRgba8(pixels) => webp::Encoder::from_rgba(pixels, pixels.width(), pixels.height()),
        other => return Err(Error::Internal(format!("an image of {:?} was to be encoded", other.color()))),
    };
    let encoded =
        encoder.encode_simple(false, WEBP_QUALITY).map_err(|error| Error::NotAnImage(format!("{error:?}")))?;
    Ok(Bytes::copy_from_slice(&encoded))
}

/// The first 128 bits of a digest: plenty to tell two versions of one file apart.
pub(crate) fn hex(digest: &[u8]) -> String {
    digest.iter().take(16).fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_images_address_is_read_as_browsers_send_it() {
        for path in [
            "/img/rs:fit:320:0/plain/https://images.spaza.example/demo/a.webp@webp",
            "/img/rs:fit:320:0/plain/https:/images.spaza.example/demo/a.webp@webp",
            "/img/rs:fit:320:0/plain/https%3A%2F%2Fimages.spaza.example%2Fdemo%2Fa.webp@webp",
            "/img/rs%3Afit%3A320%3A0/plain/https://images.spaza.example/demo/a.webp%40webp",
        ] {
            let (width, source) = parse(path).unwrap();
            assert_eq!((width, source.as_str()), (320, "https://images.spaza.example/demo/a.webp"), "{path}");
        }
        for path in [
            "/img/rs:fit:321:0/plain/https://images.spaza.example/a@webp",
            "/img/rs:fit:0:0/plain/https://images.spaza.example/a@webp",
            "/img/rs:fit:+320:0/plain/https://images.spaza.example/a@webp",
            "/img/rs:fit:320:0/plain/https://images.spaza.example/a",
            "/img/rs:fill:320:0/plain/https://images.spaza.example/a@webp",
            "/img/",
        ] {
            assert!(matches!(parse(path), Err(Error::ImageAddress(_))), "{path}");
        }
    }
}

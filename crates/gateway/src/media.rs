//! Media bytes, for sessions whose subscription to the folder's brand is active; for anybody else not one. They lie in a folder here, or
//! at an HTTP origin (`origin`). What players ask for of the folder is answered beside the server (`film`).

mod file_body;
mod film;
mod origin;
mod sent_file;
mod signer;
pub mod span;

use std::path::{Path, PathBuf};

use actix_files::NamedFile;
use actix_web::{
    HttpRequest, HttpResponse,
    body::{BodySize, MessageBody},
    http::{
        Method, StatusCode,
        header::{self, HeaderName, HeaderValue},
    },
    web::{Data, block},
};
use web::{Direct, StartError};

pub(crate) use film::Film;
pub use origin::MediaOrigin;

use crate::{
    app::{self, App},
    asked::Asked,
    error::Error,
    paths,
    session::Proof,
};
use file_body::FileBody;
use origin::Origin;
use sent_file::{FilePart, SentFile};

/// A browser may keep what its subscriber has watched, as long as access outlives a cancellation at most; nobody between may.
const CACHE_CONTROL: &str = "private, max-age=60";

/// What every reply says beside.
const ALWAYS: [(HeaderName, &str); 2] =
    [(header::X_CONTENT_TYPE_OPTIONS, "nosniff"), (header::CROSS_ORIGIN_RESOURCE_POLICY, "same-origin")];

/// What is behind `/media/`.
pub(crate) enum Media {
    Folder(PathBuf),
    Origin(Box<Origin>),
}

impl Media {
    pub(crate) fn new(folder: &Path, origin: &MediaOrigin) -> Result<Self, StartError> {
        match Origin::new(origin)? {
            Some(origin) => Ok(Self::Origin(Box::new(origin))),
            None => Ok(Self::Folder(app::folder("MEDIA_DIR", folder)?)),
        }
    }

    /// Where visitors are sent for media, as a page's policy names it; `None` where they are not.
    pub(crate) fn elsewhere(origin: &MediaOrigin) -> Option<String> {
        Origin::visited(origin)
    }
}

/// What is asked for below `/media/`, and by whom.
struct Wanted {
    /// The segments below it.
    below: Vec<String>,
    /// What the file is, by its name.
    kind: &'static str,
    proof: Proof,
}

impl Wanted {
    fn by(req: &impl Asked, app: &App) -> Result<Self, Error> {
        let mut segments = paths::segments(req.place()).ok_or(Error::AmbiguousPath)?;
        let below = if segments.is_empty() { segments } else { segments.split_off(1) };
        let brand = below.first().and_then(|folder| app.brands.by_media_folder(folder)).ok_or(Error::NotFound)?;
        let proof = app.sessions.proof(req, &app.brands, &brand)?;
        let kind = content_type(Path::new(below.last().map_or("", String::as_str)));
        Ok(Self { below, kind, proof })
    }
}

/// `/media/{folder}/{file…}`.
pub(crate) async fn serve(req: HttpRequest, app: Data<App>) -> Result<HttpResponse, Error> {
    if !matches!(*req.method(), Method::GET | Method::HEAD) {
        return Err(Error::Method("GET, HEAD"));
    }
    let Wanted { below, kind, proof } = Wanted::by(&req, &app)?;
    app.sessions.active(&app.upstreams, &proof).await?;

    let mut reply = match &app.media {
        Media::Folder(root) => {
            let file = file(root, &below).await?;
            of_file(&req, file).map_err(|error| Error::Internal(error.to_string()))?
        }
        // What is not shown of a folder is not asked for at an origin.
        Media::Origin(_) if below.len() < 2 || below.iter().any(|segment| segment.starts_with('.')) => {
            return Err(Error::NotFound);
        }
        Media::Origin(origin) => origin.reply(&req, &below).await?,
    };
    if reply.status() != StatusCode::FOUND {
        for (name, value) in [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, CACHE_CONTROL)] {
            reply.headers_mut().insert(name, HeaderValue::from_static(value));
        }
    }
    for (name, value) in ALWAYS {
        reply.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Ok(reply)
}

/// Opened at once where the system has at hand where it lies; else by a thread that may wait for the disk.
async fn file(root: &Path, below: &[String]) -> Result<NamedFile, Error> {
    if let Some(opened) = paths::open_at_once(root, below) {
        return NamedFile::from_file(opened.file, opened.path).map_err(|error| Error::Internal(error.to_string()));
    }
    let (root, below) = (root.to_owned(), below.to_vec());
    block(move || paths::file_below(&root, &below).and_then(|path| NamedFile::open(path).ok()))
        .await
        .map_err(app::interrupted)?
        .ok_or(Error::NotFound)
}

/// A file, or the part of it that the request's conditions and its range leave (RFC 9110 sections 13 and 14).
pub fn of_file(req: &HttpRequest, file: NamedFile) -> std::io::Result<HttpResponse> {
    let bytes = file.file().try_clone()?;
    let mut reply = file.prefer_utf8(false).disable_content_disposition().into_response(req);
    if req.method() == Method::GET
        && let Some((at, length)) = part(&reply)
    {
        reply = match req.conn_data::<Direct>() {
            Some(connection) if cfg!(target_os = "linux") => {
                // The server is told the length as it does not see the body.
                reply.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(length));
                reply.head_mut().no_chunking(true);
                reply
                    .set_body(SentFile::new(connection.clone(), FilePart::new(bytes, at, length)))
                    .map_into_boxed_body()
            }
            _ => reply.set_body(FileBody::new(bytes, at, length)).map_into_boxed_body(),
        };
    }
    Ok(reply)
}

/// Where the body of a reply begins in its file, and how long it is.
fn part(reply: &HttpResponse) -> Option<(u64, u64)> {
    let BodySize::Sized(length) = reply.body().size() else { return None };
    match reply.status() {
        StatusCode::OK => Some((0, length)),
        // "bytes 7-99/200" (RFC 9110 section 14.4)
        StatusCode::PARTIAL_CONTENT => {
            let range = reply.headers().get(header::CONTENT_RANGE)?.to_str().ok()?;
            Some((range.strip_prefix("bytes ")?.split_once('-')?.0.parse().ok()?, length))
        }
        _ => None,
    }
}

/// Said by us, since tables disagree about streaming's endings.
fn content_type(path: &Path) -> &'static str {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("mp4" | "m4v") => "video/mp4",
        Some("m4s") => "video/iso.segment",
        Some("m3u8") => "application/vnd.apple.mpegurl",
        Some("ts") => "video/mp2t",
        Some("webm") => "video/webm",
        Some("m4a") => "audio/mp4",
        Some("vtt") => "text/vtt",
        Some("webp") => "image/webp",
        Some("jpg" | "jpeg") => "image/jpeg",
        _ => "application/octet-stream",
    }
}

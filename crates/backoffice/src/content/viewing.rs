//! Pictures and films of records as staff see them, live or not: the files that the sites show and play, wherever they are.

use actix_web::{
    HttpRequest, HttpResponse,
    body::SizedStream,
    http::{
        StatusCode,
        header::{self, ContentRange, ContentRangeSpec, Header, Range},
    },
    web::{Bytes, Data, Query},
};
use content::doctor::{is_below, plain_file};
use futures_util::stream;
use serde::Deserialize;
use service::openapi::NotFound;

use crate::{app::App, error::Error, guard::ContentStaff};

/// The width of a thumbnail in pixels: twice that of the largest place of one.
const THUMBNAIL_WIDTH: u32 = 320;

/// How much of a film is in memory for each request.
const PART_BYTES: u64 = 256 * 1024;

/// The picture of an address may change, but rarely does.
const SOME_TIME: (header::HeaderName, &str) = (header::CACHE_CONTROL, "private, max-age=300");

/// Which picture.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ThumbnailQuery {
    /// Its address, as a record has it.
    address: String,
}

/// Which film.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FilmQuery {
    /// Its path, as a record has it.
    media: String,
}

/// A small copy of a picture that the sites show.
#[utoipa::path(
    get,
    path = "",
    params(ThumbnailQuery),
    responses((status = 200, description = "At most 320 pixels wide.", body = String, content_type = "image/webp"), NotFound)
)]
pub(crate) async fn get_thumbnail(
    _: ContentStaff,
    app: Data<App>,
    query: Query<ThumbnailQuery>,
) -> Result<HttpResponse, Error> {
    let made = app.doctor.pictures.thumbnail(&query.address, THUMBNAIL_WIDTH).await.map_err(|cause| {
        tracing::debug!("no thumbnail of {:?}, which {cause}", query.address);
        Error::NotFound
    })?;
    Ok(HttpResponse::Ok().content_type("image/webp").insert_header(SOME_TIME).body(made))
}

/// A film that the sites play: of a stream the file that every browser plays.
#[utoipa::path(
    get,
    path = "",
    params(FilmQuery),
    responses(
        (status = 200, description = "The whole film.", body = String, content_type = "video/mp4"),
        (status = 206, description = "The bytes that `Range` names.", body = String, content_type = "video/mp4"),
        NotFound
    )
)]
pub(crate) async fn get_film(
    _: ContentStaff,
    app: Data<App>,
    query: Query<FilmQuery>,
    req: HttpRequest,
) -> Result<HttpResponse, Error> {
    let name = plain_file(&query.media);
    let (store, size) = find(&app, &name).await?.ok_or(Error::NotFound)?;
    let range = Range::parse(&req).ok().and_then(|range| match range {
        Range::Bytes(ranges) => ranges.first().and_then(|range| range.to_satisfiable_range(size)),
        Range::Unregistered(..) => None,
    });
    let mut reply = HttpResponse::Ok();
    if let Some(range) = range {
        let spec = ContentRangeSpec::Bytes { range: Some(range), instance_length: Some(size) };
        reply.status(StatusCode::PARTIAL_CONTENT).insert_header(ContentRange(spec));
    }
    let (first, last) = range.unwrap_or((0, size.saturating_sub(1)));
    let end = size.min(last + 1);
    let kind = mime_guess::from_path(&name).first_or_octet_stream();
    let parts = stream::try_unfold(first, move |at| {
        let (app, name) = (app.clone(), name.clone());
        async move {
            let most = PART_BYTES.min(end.saturating_sub(at));
            let Some(media) = app.doctor.media.get(store).filter(|_| most > 0) else { return Ok(None) };
            let part = media.part(&name, at, most).await?;
            let next = at + part.len() as u64;
            if part.is_empty() {
                Err(format!("{name} has ended at byte {at}"))
            } else {
                Ok(Some((Bytes::from(part), next)))
            }
        }
    });
    Ok(reply
        .content_type(kind)
        .insert_header((header::ACCEPT_RANGES, "bytes"))
        .body(SizedStream::new(end - first, Box::pin(parts))))
}

/// Which of the stores has a film, and its size.
pub(crate) async fn find(app: &App, name: &str) -> Result<Option<(usize, u64)>, Error> {
    if !is_below(name) {
        return Ok(None);
    }
    let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
    for (store, media) in app.doctor.media.iter().enumerate() {
        let sizes = media.sizes(folder, &[file.to_owned()]).await.map_err(Error::Internal)?;
        if let Some(size) = sizes.get(file) {
            return Ok(Some((store, *size)));
        }
    }
    Ok(None)
}

//! Captions that editors upload or write: they are read as WebVTT or SubRip, and published as WebVTT under an address of their own, for the field of a
//! record. What is live stays as it is until that record is published.

use actix_web::web::{Data, Json, Payload, Query};
use content::{
    doctor::captions::{Line, lines, lines_of_subrip, write},
    publish::Target,
};
use encoding_rs::{Encoding, WINDOWS_1252};
use languages::Language;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    StaffText,
    openapi::{Conflict, NotFound, Refused},
};
use sha2::{Digest as _, Sha256};
use utoipa::ToSchema;

use crate::{app::App, audit, content::viewing, error::Error, guard::ContentStaff};

/// The largest file, in bytes: those of a film of an evening have a tenth of it.
const MAX_BYTES: usize = 1024 * 1024;

/// Which captions.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct CaptionsQuery {
    /// Their path, as a record has it.
    captions: String,
}

/// What captions belong to.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct NewCaptionsQuery {
    /// The site, by any of its names.
    service: String,
    /// The key of the film's record.
    #[param(min_length = 1, max_length = 100)]
    slug: String,
    /// The code of their language.
    language: String,
}

/// Captions that can be shown.
#[derive(Serialize, ToSchema)]
pub(crate) struct Captions {
    /// Their path, for the field of a record.
    captions: String,
    /// In the order of their times.
    lines: Vec<Line>,
}

/// The lines of captions that the sites show.
#[utoipa::path(get, path = "", params(CaptionsQuery), responses((status = 200, description = "As browsers read them.", body = Captions), NotFound, Refused))]
pub(crate) async fn get_captions(
    _: ContentStaff,
    app: Data<App>,
    query: Query<CaptionsQuery>,
) -> Result<Json<Captions>, Error> {
    let captions = query.into_inner().captions;
    let (store, size) = viewing::find(&app, &captions).await?.ok_or(Error::NotFound)?;
    let media = app.doctor.media.get(store).filter(|_| size <= MAX_BYTES as u64).ok_or(Error::NotFound)?;
    let bytes = media.read(&captions).await.map_err(Error::Internal)?.ok_or(Error::NotFound)?;
    Ok(Json(Captions { lines: read(&bytes)?, captions }))
}

/// Publishes captions of a film, a file of WebVTT or SubRip.
#[utoipa::path(
    post,
    path = "",
    params(NewCaptionsQuery),
    request_body(content = String, content_type = "application/octet-stream"),
    responses((status = 200, description = "Where they are.", body = Captions), NotFound, Conflict, Refused)
)]
pub(crate) async fn publish_captions(
    staff: ContentStaff,
    app: Data<App>,
    query: Query<NewCaptionsQuery>,
    body: Payload,
) -> Result<Json<Captions>, Error> {
    let (ContentStaff(member), now) = (staff, app.clock.now());
    let NewCaptionsQuery { service, slug, language } = query.into_inner();
    let films = app.uploads.films()?;
    let brand = films.brand(&service).ok_or(Error::Field("service", StaffText::new("no-site-with-films")))?;
    catalogue::manifest::FieldType::check(&catalogue::manifest::Slug(slug.clone()), "")
        .map_err(|fault| Error::Field("slug", fault))?;
    let language = Language::parse(&language).ok_or(Error::Field("language", StaffText::new("captions-language")))?;
    let bytes = body.to_bytes_limited(MAX_BYTES).await.map_err(|_| Error::TooLarge)?;
    let bytes = bytes.map_err(|_| Error::Field("file", StaffText::new("file-incomplete")))?;
    let text = write(read(&bytes)?);
    // Caches keep a file for ever: other lines have another name.
    let digest = hex::encode(Sha256::digest(&text));
    let name = format!("{slug}-{}.{}.vtt", digest.get(..12).unwrap_or_default(), language.code());
    let folder = format!("{}/uploads", brand.media_folder());
    let target = Target::open(&format!("{}/{folder}", films.media_target)).map_err(Error::Internal)?;
    let put = target.put_new(&name, text.clone().into_bytes()).await;
    put.map_err(|error| Error::Internal(format!("{name}: {error}")))?;
    let captions = format!("{folder}/{name}");
    let (subject, details) = (format!("{}, {slug}", brand.service), json!({ "captions": captions }));
    app.audited(move |conn| audit::append_of(conn, &member, "captions.published", &subject, &details, now)).await?;
    Ok(Json(Captions { captions, lines: lines(&text).unwrap_or_default() }))
}

/// The lines of a file, in UTF-8, UTF-16 or the encoding of old programs of Windows.
fn read(bytes: &[u8]) -> Result<Vec<Line>, Error> {
    let text = match (Encoding::for_bom(bytes), str::from_utf8(bytes)) {
        (Some((encoding, _)), _) => encoding.decode(bytes).0,
        (None, Ok(text)) => text.into(),
        (None, Err(_)) => WINDOWS_1252.decode(bytes).0,
    };
    let found = match lines(&text) {
        Some(found) => Some(found),
        None => lines_of_subrip(&text),
    };
    found.filter(|found| !found.is_empty()).ok_or_else(|| Error::Field("file", StaffText::new("captions-unreadable")))
}

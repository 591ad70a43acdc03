//! The tus protocol 1.0.0 (https://tus.io/protocols/resumable-upload): its core, and the extensions creation, expiration, termination and checksum.
//!
//! A file is created with its length, name and service, and written in parts, each from the offset where the last one ended. The offset is the
//! file's own length, also after a crash. An offset is acknowledged once the bytes before it are on the disk. A part with a checksum is written to
//! a file of its own first, so that no byte of it counts before all of it has arrived and the checksum is right.

use std::time::Duration;

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    http::{StatusCode, header},
    web::{Data, Path, Payload},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::NaiveDateTime;
use diesel::{dsl::sql, prelude::*, sql_types::BigInt};
use futures_util::StreamExt as _;
use serde_json::json;
use service::{
    Id, StaffText,
    openapi::{Conflict, NotFound, Refused},
};
use sha1::Sha1;
use sha2::{Digest as _, Sha256};
use store::on_each_backend;
use tokio::{
    fs::{File, OpenOptions},
    io::AsyncWriteExt as _,
};

use crate::{
    app::App,
    audit,
    error::Error,
    guard::ContentStaff,
    members::Member,
    schema::uploads,
    uploads::{
        Writer, may_see,
        rows::{CHECKING, FILM, PICTURE, Row, UNFINISHED, UPLOADING, WAITING, WITH_FILE},
    },
};

const VERSION: &str = "1.0.0";
const EXTENSIONS: &str = "creation,expiration,termination,checksum";
const ALGORITHMS: &str = "sha1,sha256";
const PART: &str = "application/offset+octet-stream";

/// How long a part may stand still.
const SILENCE: Duration = Duration::from_secs(60);

/// The longest name of a file, in characters, and the longest part of it that becomes a folder's name.
const MAX_NAME: usize = 255;
const MAX_STEM: usize = 60;
/// The longest time, as milliseconds.
const MAX_MODIFIED: usize = 20;

fn fault(status: StatusCode, kind: &'static str, text: StaffText) -> Error {
    Error::Upload(status.as_u16(), kind, text)
}

/// Each reply names the version, also a refusal.
fn reply(result: Result<HttpResponseBuilder, Error>) -> HttpResponse {
    let mut reply = match result {
        Ok(mut builder) => builder.finish(),
        Err(error) => actix_web::ResponseError::error_response(&error),
    };
    let named = [("tus-resumable", VERSION), ("tus-version", VERSION)];
    for (name, value) in named {
        reply.headers_mut().insert(header::HeaderName::from_static(name), header::HeaderValue::from_static(value));
    }
    reply
}

fn text<'a>(request: &'a HttpRequest, name: &str) -> Option<&'a str> {
    request.headers().get(name)?.to_str().ok()
}

fn check_version(request: &HttpRequest) -> Result<(), Error> {
    match text(request, "tus-resumable") {
        Some(VERSION) => Ok(()),
        _ => Err(fault(StatusCode::PRECONDITION_FAILED, "tus-version", StaffText::new("tus-version"))),
    }
}

fn number(request: &HttpRequest, name: &str) -> Result<u64, Error> {
    let number = text(request, name).and_then(|text| text.parse().ok());
    // Lengths are kept as signed numbers.
    let number = number.filter(|number| i64::try_from(*number).is_ok());
    number.ok_or_else(|| {
        fault(StatusCode::BAD_REQUEST, "bad-request", StaffText::new("header-not-a-number").with("name", name))
    })
}

/// A value of `Upload-Metadata`: pairs of a key and a text in base64, separated by commas.
fn metadata(request: &HttpRequest, key: &str) -> Option<String> {
    let pairs = text(request, "upload-metadata")?.split(',');
    let value = pairs.filter_map(|pair| pair.trim().split_once(' ')).find(|(name, _)| *name == key)?.1;
    String::from_utf8(STANDARD.decode(value.trim()).ok()?).ok()
}

fn with_expiry(mut builder: HttpResponseBuilder, expires_at: NaiveDateTime) -> HttpResponseBuilder {
    builder.insert_header(("upload-expires", expires_at.format("%a, %d %b %Y %H:%M:%S GMT").to_string()));
    builder
}

/// The checksum of a part, and what it has to be: `Upload-Checksum`, which is an algorithm and a digest in base64.
struct Checksum {
    sum: Sum,
    expected: Vec<u8>,
}

enum Sum {
    Sha1(Sha1),
    Sha256(Sha256),
}

impl Checksum {
    fn of(request: &HttpRequest) -> Result<Option<Self>, Error> {
        let Some(header) = request.headers().get("upload-checksum") else { return Ok(None) };
        let wrong = || {
            let text = StaffText::new("header-not-a-checksum").with("algorithms", ALGORITHMS);
            fault(StatusCode::BAD_REQUEST, "bad-request", text)
        };
        let (algorithm, digest) = header.to_str().ok().and_then(|text| text.split_once(' ')).ok_or_else(wrong)?;
        let (sum, length) = match algorithm {
            "sha1" => (Sum::Sha1(Sha1::new()), Sha1::output_size()),
            "sha256" => (Sum::Sha256(Sha256::new()), Sha256::output_size()),
            _ => return Err(wrong()),
        };
        let expected = STANDARD.decode(digest.trim()).map_err(|_| wrong())?;
        if expected.len() == length { Ok(Some(Self { sum, expected })) } else { Err(wrong()) }
    }

    fn update(&mut self, bytes: &[u8]) {
        match &mut self.sum {
            Sum::Sha1(sum) => sum.update(bytes),
            Sum::Sha256(sum) => sum.update(bytes),
        }
    }

    fn is_right(&self) -> bool {
        match &self.sum {
            Sum::Sha1(sum) => sum.clone().finalize().as_slice() == self.expected,
            Sum::Sha256(sum) => sum.clone().finalize().as_slice() == self.expected,
        }
    }
}

/// Sizes in words.
fn gigabytes(bytes: u64) -> String {
    // Tenths are exact enough for people.
    let tenths = bytes / 100_000_000;
    if bytes < 1_000_000_000 {
        format!("{} MB", bytes.div_ceil(1_000_000))
    } else {
        format!("{}.{} GB", tenths / 10, tenths % 10)
    }
}

/// The letters of a folder's name.
fn stem(name: &str) -> String {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let short: String = content::transcode::folder_name(stem).chars().take(MAX_STEM).collect();
    short.trim_end_matches('-').to_owned()
}

/// What the server can do.
#[utoipa::path(options, path = "", responses((status = 204, description = "Tus-Extension and Tus-Max-Size say it.")))]
pub(crate) async fn describe_uploads(_: ContentStaff, app: Data<App>) -> HttpResponse {
    let mut builder = HttpResponse::NoContent();
    builder.insert_header(("tus-extension", EXTENSIONS));
    builder.insert_header(("tus-checksum-algorithm", ALGORITHMS));
    builder.insert_header(("tus-max-size", app.uploads.max_bytes.to_string()));
    reply(Ok(builder))
}

/// Begins an upload: `Upload-Length`, and in `Upload-Metadata` the `filename`, the `service` that it is for, the time of the file's last
/// change as `modified`, and `kind`, `film` or `picture`; without it, a film.
#[utoipa::path(
    post,
    path = "",
    responses(
        (status = 201, description = "Location has its address."),
        (status = 413, description = "The file is too large, or there is no room."),
        Conflict,
        Refused
    )
)]
pub(crate) async fn begin_upload(staff: ContentStaff, app: Data<App>, request: HttpRequest) -> HttpResponse {
    let ContentStaff(member) = staff;
    reply(begin(&app, member, &request).await)
}

async fn begin(app: &App, member: Member, request: &HttpRequest) -> Result<HttpResponseBuilder, Error> {
    let films = app.uploads.films()?;
    check_version(request)?;
    let length = number(request, "Upload-Length")?;
    let size = i64::try_from(length).unwrap_or(i64::MAX);
    if length == 0 {
        return Err(Error::Field("filename", StaffText::new("file-empty")));
    }
    let kind = match metadata(request, "kind").as_deref() {
        None | Some(FILM) => FILM,
        Some(PICTURE) => PICTURE,
        Some(_) => return Err(Error::Field("kind", StaffText::new("kind-of-upload"))),
    };
    let (mut max, quota) = (app.uploads.max_bytes, app.uploads.quota_bytes);
    if kind == PICTURE {
        max = max.min(content::pictures::MAX_BYTES);
    }
    let too_large = |text: StaffText| fault(StatusCode::PAYLOAD_TOO_LARGE, "too-large", text);
    if length > max {
        let (size, max) = (gigabytes(length), gigabytes(max));
        return Err(too_large(match kind {
            PICTURE => StaffText::new("picture-too-large").with("size", size).with("max", max),
            _ => StaffText::new("film-too-large").with("size", size).with("max", max),
        }));
    }
    let is_name = |name: &String| !name.trim().is_empty() && name.chars().count() <= MAX_NAME;
    let name = metadata(request, "filename").filter(is_name);
    let name = name.ok_or(Error::Field("filename", StaffText::new("file-without-name")))?;
    let modified = metadata(request, "modified").filter(|text| text.len() <= MAX_MODIFIED).unwrap_or_default();
    let service = metadata(request, "service").unwrap_or_default();
    let brand = match kind {
        PICTURE => films.any_brand(&service).ok_or(Error::Field("service", StaffText::new("no-site")))?,
        _ => films.brand(&service).ok_or(Error::Field("service", StaffText::new("no-site-with-films")))?,
    };
    let (service, stem, now) = (brand.service.clone(), stem(&name), app.clock.now());
    let expires_at = now + UNFINISHED;
    let (id, folder) = app
        .audited(move |conn| {
            let others = uploads::table.filter(uploads::state.eq_any(WITH_FILE));
            // PostgreSQL sums these as decimals.
            let sum = sql::<BigInt>("CAST(COALESCE(SUM(size), 0) AS BIGINT)");
            let sum: i64 = others.select(sum).first(conn)?;
            let sum = sum.unsigned_abs();
            if sum.saturating_add(length) > quota {
                let text = StaffText::new("no-room")
                    .with("size", gigabytes(length))
                    .with("sum", gigabytes(sum))
                    .with("quota", gigabytes(quota));
                return Err(too_large(text));
            }
            let values = (
                uploads::staff_id.eq(member.id),
                uploads::staff.eq(&member.email),
                uploads::service.eq(&service),
                uploads::name.eq(&name),
                uploads::folder.eq(""),
                uploads::size.eq(size),
                uploads::modified.eq(&modified),
                uploads::state.eq(UPLOADING),
                uploads::percent.eq(0),
                uploads::reason.eq(""),
                uploads::log.eq(""),
                uploads::at.eq(now),
                uploads::expires_at.eq(expires_at),
                uploads::kind.eq(kind),
            );
            let id: i64 = on_each_backend!(conn, conn => diesel::insert_into(uploads::table)
                .values(values)
                .returning(uploads::id)
                .get_result(conn))?;
            let folder = format!("{stem}-{id}");
            diesel::update(uploads::table.find(id)).set(uploads::folder.eq(&folder)).execute(conn)?;
            let details = json!({ "upload": id, "kind": kind, "bytes": size });
            audit::append_of(conn, &member, "upload.begun", &format!("{service}, {name}"), &details, now)?;
            Ok((id, folder))
        })
        .await?;
    let created = OpenOptions::new().create(true).append(true).open(app.uploads.source(&folder)).await;
    created.map_err(|error| Error::Internal(format!("UPLOADS_DIR: {error}")))?;
    let mut builder = HttpResponse::Created();
    builder.insert_header((header::LOCATION, format!("/api/uploads/{id}")));
    Ok(with_expiry(builder, expires_at))
}

/// An upload of this person; publishers see all of them, and write none but their own.
async fn own(app: &App, member: &Member, id: i64, is_write: bool) -> Result<Row, Error> {
    let row = app.db.run(move |conn| Row::find(conn, id)).await?.ok_or(Error::NotFound)?;
    let allowed = if is_write { row.staff_id == member.id } else { may_see(member, &row) };
    if allowed { Ok(row) } else { Err(Error::NotFound) }
}

/// How much of a file has arrived.
#[utoipa::path(
    head,
    path = "",
    params(("id" = Id, Path, description = "The upload's id.")),
    responses((status = 204, description = "Upload-Offset and Upload-Length say it."), NotFound)
)]
pub(crate) async fn get_offset(
    staff: ContentStaff,
    app: Data<App>,
    id: Path<Id>,
    request: HttpRequest,
) -> HttpResponse {
    let ContentStaff(member) = staff;
    reply(offset(&app, &member, id.get(), &request).await)
}

async fn offset(app: &App, member: &Member, id: i64, request: &HttpRequest) -> Result<HttpResponseBuilder, Error> {
    check_version(request)?;
    let row = own(app, member, id, false).await?;
    let offset = match row.state.as_str() {
        UPLOADING => {
            let _turn = app.uploads.take_turn(id).await?;
            let file =
                OpenOptions::new().append(true).open(app.uploads.source(&row.folder)).await.map_err(|_| gone())?;
            // What is named here must outlive a crash, also where its own request was cut off.
            let synced = async { file.sync_data().await.and(file.metadata().await) };
            let length = synced.await.map_err(|error| Error::Internal(error.to_string()))?.len();
            if length >= row.bytes() {
                arrived(app, &row).await?;
            }
            length
        }
        _ => row.bytes(),
    };
    let mut builder = HttpResponse::NoContent();
    builder.insert_header(("upload-offset", offset.to_string()));
    builder.insert_header(("upload-length", row.size.to_string()));
    Ok(with_expiry(builder, row.expires_at))
}

fn gone() -> Error {
    fault(StatusCode::GONE, "gone", StaffText::new("upload-gone"))
}

/// Adds a part to a file. With `Upload-Checksum`, a part counts once all of it has arrived and has this checksum.
#[utoipa::path(
    patch,
    path = "",
    params(("id" = Id, Path, description = "The upload's id.")),
    request_body(content = String, content_type = "application/offset+octet-stream"),
    responses(
        (status = 204, description = "Upload-Offset says how much has arrived."),
        (status = 410, description = "Its file was deleted."),
        (status = 413, description = "It has more bytes than were announced."),
        (status = 460, description = "The part does not have the checksum of Upload-Checksum: nothing of it is kept."),
        NotFound,
        Conflict
    )
)]
pub(crate) async fn add_part(
    staff: ContentStaff,
    app: Data<App>,
    id: Path<Id>,
    request: HttpRequest,
    body: Payload,
) -> HttpResponse {
    let ContentStaff(member) = staff;
    reply(part(&app, &member, id.get(), &request, body).await)
}

async fn part(
    app: &App,
    member: &Member,
    id: i64,
    request: &HttpRequest,
    mut body: Payload,
) -> Result<HttpResponseBuilder, Error> {
    check_version(request)?;
    if text(request, "content-type") != Some(PART) {
        let words = StaffText::new("content-type").with("type", PART);
        return Err(fault(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", words));
    }
    let from = number(request, "Upload-Offset")?;
    let checksum = Checksum::of(request)?;
    let row = own(app, member, id, true).await?;
    let conflict = || fault(StatusCode::CONFLICT, "conflict", StaffText::new("other-offset"));
    let (writer, turn) = app.uploads.take_turn(id).await?;
    if row.state != UPLOADING {
        return if from == row.bytes() { Ok(accepted(&row, from)) } else { Err(conflict()) };
    }
    let internal = |error: std::io::Error| Error::Internal(format!("UPLOADS_DIR: {error}"));
    let file = OpenOptions::new().append(true).open(app.uploads.source(&row.folder)).await;
    let mut file = file.map_err(|_| gone())?;
    let mut length = file.metadata().await.map_err(internal)?.len();
    if length != from {
        return Err(conflict());
    }
    let announced = text(request, "content-length").and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
    if from.saturating_add(announced) > row.bytes() {
        return Err(too_long());
    }
    let most = row.bytes().saturating_sub(from);
    match checksum {
        None => {
            let arrived = receive(&writer, &mut body, &mut file, most, |_| {}).await;
            file.sync_data().await.map_err(internal)?;
            length += arrived?.bytes;
        }
        Some(mut checksum) => {
            let beside = app.uploads.part(&row.folder);
            let mut part = File::create(&beside).await.map_err(internal)?;
            let arrived = receive(&writer, &mut body, &mut part, most, |bytes| checksum.update(bytes)).await;
            drop(part);
            let outcome = match arrived {
                Err(error) => Err(error),
                // A part that breaks off cannot be verified: nothing of it counts.
                Ok(Arrived { is_whole: false, .. }) => Ok(0),
                Ok(_) if checksum.is_right() => append(&beside, &mut file).await.map_err(internal),
                Ok(_) => Err(mismatch()),
            };
            let _ = tokio::fs::remove_file(&beside).await;
            length += outcome?;
        }
    }
    let expires_at = app.clock.now() + UNFINISHED;
    let row = Row { expires_at, ..row };
    app.db
        .write(move |conn| {
            let this = uploads::table.find(id).filter(uploads::state.eq(UPLOADING));
            diesel::update(this).set(uploads::expires_at.eq(expires_at)).execute(conn)?;
            Ok::<_, Error>(())
        })
        .await?;
    if length == row.bytes() {
        arrived(app, &row).await?;
    }
    drop(turn);
    Ok(accepted(&row, length))
}

fn too_long() -> Error {
    fault(StatusCode::PAYLOAD_TOO_LARGE, "too-large", StaffText::new("too-many-bytes"))
}

/// The status is the protocol's own.
fn mismatch() -> Error {
    Error::Upload(460, "checksum-mismatch", StaffText::new("other-checksum"))
}

/// What has arrived of a part.
struct Arrived {
    bytes: u64,
    /// False where it broke off.
    is_whole: bool,
}

/// Writes a part to a file, as far as it arrives; `seen` gets the bytes.
async fn receive(
    writer: &Writer,
    body: &mut Payload,
    into: &mut File,
    most: u64,
    mut seen: impl FnMut(&[u8]),
) -> Result<Arrived, Error> {
    let internal = |error: std::io::Error| Error::Internal(format!("UPLOADS_DIR: {error}"));
    let replaced = writer.replaced.notified();
    tokio::pin!(replaced);
    replaced.as_mut().enable();
    let mut arrived = Arrived { bytes: 0, is_whole: false };
    let mut outcome = Ok(());
    loop {
        let next = tokio::select! {
            () = &mut replaced => break,
            next = tokio::time::timeout(SILENCE, body.next()) => next,
        };
        let chunk = match next {
            Ok(Some(Ok(chunk))) => chunk,
            Ok(None) => {
                arrived.is_whole = true;
                break;
            }
            Ok(Some(Err(_))) | Err(_) => break,
        };
        if arrived.bytes.saturating_add(chunk.len() as u64) > most {
            outcome = Err(too_long());
            break;
        }
        into.write_all(&chunk).await.map_err(internal)?;
        seen(&chunk);
        arrived.bytes += chunk.len() as u64;
    }
    into.flush().await.map_err(internal)?;
    outcome.map(|()| arrived)
}

/// Adds a verified part to its file; a crash in between leaves a beginning of it, which is verified as well.
async fn append(part: &std::path::Path, file: &mut File) -> std::io::Result<u64> {
    let bytes = tokio::io::copy(&mut File::open(part).await?, file).await?;
    file.flush().await?;
    file.sync_data().await?;
    Ok(bytes)
}

fn accepted(row: &Row, offset: u64) -> HttpResponseBuilder {
    let mut builder = HttpResponse::NoContent();
    builder.insert_header(("upload-offset", offset.to_string()));
    with_expiry(builder, row.expires_at)
}

/// All of the file is there: it waits to be transcoded.
pub(super) async fn arrived(app: &App, row: &Row) -> Result<(), Error> {
    let (id, size, subject, now) = (row.id, row.size, row.subject(), app.clock.now());
    let (staff_id, staff) = (row.staff_id, row.staff.clone());
    let mut noted = row.clone();
    noted.note(now, &StaffText::new("upload-arrived").with("size", gigabytes(row.bytes())));
    app.audited(move |conn| {
        let this = uploads::table.find(id).filter(uploads::state.eq(UPLOADING));
        let changed = (uploads::state.eq(WAITING), uploads::log.eq(noted.log));
        if diesel::update(this).set(changed).execute(conn)? > 0 {
            let details = json!({ "upload": id, "bytes": size });
            audit::append(conn, Some((staff_id, &staff)), "upload.arrived", &subject, &details, now)?;
        }
        Ok(())
    })
    .await?;
    app.uploads.forget(id);
    app.uploads.wake(&row.kind);
    Ok(())
}

/// Ends an upload, and the programs that transcode it, and deletes its file. What is ready stays where it is published.
#[utoipa::path(
    delete,
    path = "",
    params(("id" = Id, Path, description = "The upload's id.")),
    responses((status = 204, description = "It is no longer listed."), NotFound, Conflict)
)]
pub(crate) async fn end_upload(
    staff: ContentStaff,
    app: Data<App>,
    id: Path<Id>,
    request: HttpRequest,
) -> HttpResponse {
    let ContentStaff(member) = staff;
    reply(end(&app, member, id.get(), &request).await)
}

async fn end(app: &App, member: Member, id: i64, request: &HttpRequest) -> Result<HttpResponseBuilder, Error> {
    check_version(request)?;
    own(app, &member, id, false).await?;
    let turn = app.uploads.take_turn(id).await?;
    let now = app.clock.now();
    let row = app
        .audited(move |conn| {
            let row = Row::find(conn, id)?.ok_or(Error::NotFound)?;
            if row.state == CHECKING {
                return Err(Error::NotPossible(StaffText::new("file-being-published")));
            }
            diesel::delete(uploads::table.find(id)).execute(conn)?;
            let details = json!({ "upload": id, "state": row.state });
            audit::append_of(conn, &member, "upload.deleted", &row.subject(), &details, now)?;
            Ok(row)
        })
        .await?;
    app.uploads.stop_transcoding(id);
    app.uploads.delete_files(&row.folder).await;
    drop(turn);
    app.uploads.forget(id);
    Ok(HttpResponse::NoContent())
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn metadata_is_read_by_key() {
        let request = TestRequest::default()
            .insert_header(("upload-metadata", "is_draft, filename w5xiZXIubXA0,service TUMgRnVubnk="))
            .to_http_request();
        assert_eq!(metadata(&request, "filename").as_deref(), Some("Über.mp4"));
        assert_eq!(metadata(&request, "service").as_deref(), Some("MC Funny"));
        assert_eq!(metadata(&request, "is_draft"), None);
    }

    #[test]
    fn folder_is_named_by_the_letters_of_the_file() {
        for (name, right) in testkit::corpus("names") {
            assert_eq!(right.split(' ').next(), Some(stem(&name).as_str()), "{name}");
        }
        assert_eq!(stem(&"a-".repeat(100)).len(), MAX_STEM - 1);
    }

    #[test]
    fn sizes_are_in_words() {
        assert_eq!([gigabytes(1), gigabytes(2_500_000), gigabytes(8 << 30)], ["1 MB", "3 MB", "8.5 GB"]);
    }
}

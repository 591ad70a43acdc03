//! Uploads as their people see them: how far each is, its log, and the poster of a film that is ready.

use actix_web::{
    HttpResponse,
    web::{Data, Json, Path},
};
use chrono::{DateTime, Utc};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    Id, StaffText,
    openapi::{Conflict, NotFound, Refused},
};
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    error::Error,
    guard::ContentStaff,
    members::{Member, Role},
    schema::uploads,
    texts::shown,
    uploads::{
        may_see,
        pictures::Picture,
        rows::{FILM, READY, Row, UPLOADING},
        worker::{self, STILLS},
    },
    word::word,
};

const MAX_LISTED: i64 = 200;

/// A film that is ready, as the fields of a record.
#[derive(Clone, Deserialize, Serialize, ToSchema)]
pub(crate) struct Film {
    pub(super) media: String,
    pub(super) image: String,
    pub(super) duration_s: i64,
    pub(super) bytes: i64,
    /// Of the film's own text track.
    #[serde(default)]
    #[schema(required = true)]
    pub(super) captions: Option<String>,
    /// The number of the picture that is its poster.
    pub(super) still: u32,
}

/// What is uploaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum UploadKind {
    /// It is transcoded.
    Film,
    /// It is published as it is.
    Picture,
}

/// How far an upload is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum UploadState {
    /// Its bytes arrive.
    Uploading,
    /// It waits for its turn.
    Waiting,
    /// Its renditions are made.
    Transcoding,
    /// What was made is checked.
    Checking,
    /// It can be used.
    Ready,
    /// `reason` says why.
    Failed,
}

/// A film or a picture that is uploaded.
#[derive(Serialize, ToSchema)]
pub(crate) struct Upload {
    id: i64,
    kind: UploadKind,
    /// The name of the file.
    name: String,
    service: String,
    size: i64,
    /// The time of the file's last change as the browser named it, by which the same file is known again.
    modified: String,
    /// The bytes that have arrived.
    offset: i64,
    state: UploadState,
    /// Of transcoding.
    percent: i64,
    /// Why it failed, or what it waits for; else empty.
    reason: String,
    by: String,
    /// Whether it is the reader's: only they can go on with it.
    mine: bool,
    #[schema(value_type = String, format = "date-time")]
    at: DateTime<Utc>,
    /// When it is deleted, unless it goes on; a finished film stays in the media folder.
    #[schema(value_type = String, format = "date-time")]
    expires_at: DateTime<Utc>,
    #[schema(required = true)]
    film: Option<Film>,
    #[schema(required = true)]
    picture: Option<Picture>,
    /// The number of pictures to choose a poster from.
    stills: u32,
    /// What was done, line by line.
    log: String,
}

/// Uploads.
#[derive(Serialize, ToSchema)]
pub(crate) struct UploadList {
    /// Newest first, at most 200.
    uploads: Vec<Upload>,
    /// Whether films can be uploaded here.
    possible: bool,
    /// The address of the folder of uploaded pictures; null where there is none.
    #[schema(required = true)]
    pictures: Option<String>,
}

/// The picture that becomes the poster.
#[derive(Deserialize, ToSchema)]
pub(crate) struct PosterOrder {
    still: u32,
}

async fn listed(app: &App, member: &Member, row: Row) -> Result<Upload, Error> {
    let arrived = match row.state.as_str() {
        UPLOADING => app.uploads.arrived(&row.folder).await.unwrap_or(0),
        _ => row.bytes(),
    };
    let result = row.result.as_deref();
    let log = row.shown_log();
    let film = result.filter(|_| !row.is_picture()).and_then(|text| serde_json::from_str(text).ok());
    let picture = result.filter(|_| row.is_picture()).and_then(|text| serde_json::from_str(text).ok());
    Ok(Upload {
        id: row.id,
        name: row.name,
        service: row.service,
        size: row.size,
        modified: row.modified,
        offset: i64::try_from(arrived).unwrap_or(row.size),
        stills: if film.is_some() { STILLS } else { 0 },
        state: word(&row.state)?,
        percent: row.percent,
        reason: shown(&row.reason),
        mine: row.staff_id == member.id,
        by: row.staff,
        at: row.at.and_utc(),
        expires_at: row.expires_at.and_utc(),
        kind: word(&row.kind)?,
        film,
        picture,
        log,
    })
}

async fn seen(app: &App, member: &Member, id: i64) -> Result<Row, Error> {
    let row = app.db.run(move |conn| Row::find(conn, id)).await?;
    row.filter(|row| may_see(member, row)).ok_or(Error::NotFound)
}

/// The own films; publishers see all.
#[utoipa::path(get, path = "", responses((status = 200, description = "Nothing is changed.", body = UploadList)))]
pub(crate) async fn list_uploads(staff: ContentStaff, app: Data<App>) -> Result<Json<UploadList>, Error> {
    let ContentStaff(member) = staff;
    let only = (!member.roles.contains(&Role::Publisher)).then_some(member.id);
    let rows: Vec<Row> = app
        .db
        .run(move |conn| {
            // One statement for both, with a condition that is always true for publishers.
            let (from, to) = only.map_or((i64::MIN, i64::MAX), |id| (id, id));
            let list = uploads::table.filter(uploads::staff_id.between(from, to)).filter(uploads::kind.eq(FILM));
            let list = list.order(uploads::id.desc());
            Ok::<_, Error>(list.limit(MAX_LISTED).select(Row::as_select()).load(conn)?)
        })
        .await?;
    let mut uploads = Vec::with_capacity(rows.len());
    for row in rows {
        uploads.push(listed(&app, &member, row).await?);
    }
    let films = app.uploads.films.as_deref();
    let pictures = films.map(|films| films.image_address.clone());
    Ok(Json(UploadList { uploads, possible: films.is_some(), pictures }))
}

/// An upload.
#[utoipa::path(
    get,
    path = "",
    params(("id" = Id, Path, description = "The upload's id.")),
    responses((status = 200, description = "Nothing is changed.", body = Upload), NotFound)
)]
pub(crate) async fn get_upload(staff: ContentStaff, app: Data<App>, id: Path<Id>) -> Result<Json<Upload>, Error> {
    let ContentStaff(member) = staff;
    let row = seen(&app, &member, id.get()).await?;
    listed(&app, &member, row).await.map(Json)
}

/// A picture of a film that is ready, to choose a poster from.
#[utoipa::path(
    get,
    path = "",
    params(
        ("id" = Id, Path, description = "The upload's id."),
        ("still" = u32, Path, description = "The picture's number, from 1."),
    ),
    responses((status = 200, description = "The picture.", body = String, content_type = "image/webp"), NotFound)
)]
pub(crate) async fn get_still(
    staff: ContentStaff,
    app: Data<App>,
    path: Path<(Id, u32)>,
) -> Result<HttpResponse, Error> {
    let ((id, still), ContentStaff(member)) = (path.into_inner(), staff);
    let row = seen(&app, &member, id.get()).await?;
    let file = app.uploads.stills(&row.folder).join(format!("card-{still}.webp"));
    let bytes = tokio::fs::read(file).await.map_err(|_| Error::NotFound)?;
    Ok(HttpResponse::Ok().content_type("image/webp").body(bytes))
}

/// Chooses the poster of a film that is ready.
#[utoipa::path(
    post,
    path = "",
    params(("id" = Id, Path, description = "The upload's id.")),
    request_body = PosterOrder,
    responses((status = 200, description = "The film has it.", body = Upload), NotFound, Conflict, Refused)
)]
pub(crate) async fn choose_poster(
    staff: ContentStaff,
    app: Data<App>,
    id: Path<Id>,
    order: Json<PosterOrder>,
) -> Result<Json<Upload>, Error> {
    let (ContentStaff(member), still) = (staff, order.still);
    let mut row = seen(&app, &member, id.get()).await?;
    let film = row.result.as_deref().and_then(|text| serde_json::from_str::<Film>(text).ok());
    let film = film.filter(|_| row.state == READY).ok_or(Error::NotPossible(StaffText::new("film-not-ready")))?;
    if !(1..=STILLS).contains(&still) {
        return Err(Error::Field("still", StaffText::new("no-such-still")));
    }
    let image = worker::publish_poster(&app, &row, still).await.map_err(|cause| {
        tracing::error!("the poster of {} could not be published: {cause}", row.folder);
        Error::NotPossible(StaffText::new("still-not-published"))
    })?;
    let film = Film { image, still, ..film };
    row.result = Some(json!(film).to_string());
    let (id, result, subject, now) = (row.id, row.result.clone(), row.subject(), app.clock.now());
    let actor = member.clone();
    app.audited(move |conn| {
        diesel::update(uploads::table.find(id)).set(uploads::result.eq(result)).execute(conn)?;
        audit::append_of(conn, &actor, "upload.poster", &subject, &json!({ "upload": id, "still": still }), now)
    })
    .await?;
    listed(&app, &member, row).await.map(Json)
}

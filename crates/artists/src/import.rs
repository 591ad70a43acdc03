//! How editors' work comes in: one service's part of a manifest, all of it or nothing.

use actix_web::web::{Data, Json};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use serde::Deserialize;
use store::{
    DbConnection,
    imports::{self, Imported, Part},
};
use utoipa::ToSchema;
use web::{
    Admin, Problem,
    manifest::State,
    openapi::{NotFound, Refused},
};

use crate::{
    App,
    error::Error,
    schema::{artists, videos},
};

/// One service's artists, as a manifest lists them.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = ArtistImport)]
#[serde(deny_unknown_fields)]
pub struct Import {
    /// The service they belong to.
    pub service: String,
    /// Names this manifest's content; the same one changes nothing twice.
    pub digest: String,
    /// Skip the whole import if a manifest of this digest was ever taken in, so that later edits stay.
    #[serde(default)]
    pub once: bool,
    /// The artists.
    pub artists: Vec<ArtistEntry>,
}

/// An artist in a manifest.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ArtistEntry {
    /// The editors' own key, unique in the service.
    #[schema(value_type = web::schema::Slug)]
    pub slug: String,
    /// The artist's name.
    pub artist: String,
    /// A sentence or two.
    pub description: String,
    /// `https` address of the portrait.
    #[schema(value_type = web::schema::HttpsAddress)]
    pub image: String,
    /// Who finds the artist.
    #[serde(default)]
    pub state: State,
    /// The artist's videos.
    #[serde(default)]
    pub videos: Vec<VideoEntry>,
}

/// A video in a manifest.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VideoEntry {
    /// The editors' own key, unique in the service.
    #[schema(value_type = web::schema::Slug)]
    pub slug: String,
    /// The title.
    pub video_name: String,
    /// Path below the media folder.
    #[schema(value_type = web::schema::MediaPath)]
    pub media: String,
    /// `https` address of the thumbnail.
    #[schema(value_type = web::schema::HttpsAddress)]
    pub image: String,
    /// When it was published, UTC.
    #[serde(with = "web::timestamp")]
    #[schema(value_type = web::schema::Time)]
    pub datetime: NaiveDateTime,
    /// Length in seconds.
    #[schema(value_type = web::schema::Count)]
    pub duration_s: i64,
    /// Size in bytes.
    #[schema(value_type = web::schema::Count)]
    pub bytes: i64,
    /// Who finds it.
    #[serde(default)]
    pub state: State,
}

#[derive(AsChangeset, Insertable, PartialEq, Queryable, Selectable)]
#[diesel(table_name = artists)]
struct ArtistRow {
    service: String,
    slug: String,
    artist: String,
    description: String,
    image: String,
    state: String,
}

#[derive(AsChangeset, Insertable, PartialEq, Queryable, Selectable)]
#[diesel(table_name = videos)]
struct VideoRow {
    artist_id: i64,
    service: String,
    slug: String,
    video_name: String,
    media: String,
    image: String,
    datetime: NaiveDateTime,
    duration_s: i64,
    bytes: i64,
    state: String,
}

/// Takes in one service's part of a manifest.
#[utoipa::path(
    post,
    path = "",
    request_body = Import,
    responses((status = 200, description = "What it changed.", body = Imported), NotFound, Refused)
)]
pub(crate) async fn import(_: Admin, app: Data<App>, import: Json<Import>) -> Result<Json<Imported>, Error> {
    let import = import.into_inner();
    let brand = app.brands.by_service_name(app.publication.kind, &import.service).ok_or(Error::UnknownService)?;
    let (service, folder) = (brand.service.clone(), brand.media_folder());
    check(&import, &folder)?;
    let imported = app.db.write(move |conn| apply(conn, &service, &import)).await?;
    app.replies.forget().await;
    Ok(Json(imported))
}

fn check(import: &Import, folder: &str) -> Result<(), Problem> {
    for artist in &import.artists {
        web::manifest::slug(&artist.slug)?;
        web::manifest::image(&artist.slug, &artist.image)?;
        for video in &artist.videos {
            web::manifest::slug(&video.slug)?;
            web::manifest::image(&video.slug, &video.image)?;
            web::manifest::media(&video.slug, &video.media, folder)?;
        }
    }
    web::manifest::no_twins(import.artists.iter().map(|artist| artist.slug.as_str()))?;
    web::manifest::no_twins(import.artists.iter().flat_map(|artist| &artist.videos).map(|video| video.slug.as_str()))
}

fn apply(conn: &mut DbConnection, service: &str, import: &Import) -> Result<Imported, Error> {
    let part = Part { service, digest: &import.digest, once: import.once };
    imports::take_in(conn, part, web::timestamp::now(), |conn, imported| {
        for entry in &import.artists {
            let artist_id = put_artist(conn, service, entry, imported)?;
            for video in &entry.videos {
                put_video(conn, service, artist_id, video, imported)?;
            }
        }
        Ok(())
    })
}

fn put_artist(
    conn: &mut DbConnection,
    service: &str,
    entry: &ArtistEntry,
    imported: &mut Imported,
) -> Result<i64, Error> {
    Ok(store::put!(
        conn,
        imported,
        artists,
        ArtistRow {
            service: service.to_owned(),
            slug: entry.slug.clone(),
            artist: entry.artist.clone(),
            description: entry.description.clone(),
            image: entry.image.clone(),
            state: entry.state.as_str().to_owned(),
        }
    ))
}

fn put_video(
    conn: &mut DbConnection,
    service: &str,
    artist_id: i64,
    entry: &VideoEntry,
    imported: &mut Imported,
) -> Result<i64, Error> {
    Ok(store::put!(
        conn,
        imported,
        videos,
        VideoRow {
            artist_id,
            service: service.to_owned(),
            slug: entry.slug.clone(),
            video_name: entry.video_name.clone(),
            media: entry.media.clone(),
            image: entry.image.clone(),
            datetime: entry.datetime,
            duration_s: entry.duration_s,
            bytes: entry.bytes,
            state: entry.state.as_str().to_owned(),
        }
    ))
}

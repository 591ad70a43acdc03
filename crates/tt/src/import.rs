//! How editors' work comes in: one service's part of a manifest, all of it or nothing.

use std::collections::HashMap;

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
    app::App,
    error::Error,
    schema::{banners, categories, videos},
};

/// One service's videos and banners, as a manifest lists them.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Import {
    service: String,
    /// Names this manifest's content.
    digest: String,
    /// Skip the whole import if a manifest of this digest was ever taken in, so that later edits stay.
    #[serde(default)]
    once: bool,
    categories: Vec<CategoryEntry>,
    #[serde(default)]
    banners: Vec<BannerEntry>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CategoryEntry {
    #[schema(value_type = web::schema::Slug)]
    slug: String,
    category_name: String,
    #[serde(default)]
    videos: Vec<VideoEntry>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct VideoEntry {
    #[schema(value_type = web::schema::Slug)]
    slug: String,
    name: String,
    video_name: String,
    artist: String,
    status: String,
    #[schema(value_type = web::schema::MediaPath)]
    media: String,
    #[schema(value_type = web::schema::HttpsAddress)]
    image: String,
    #[serde(with = "web::timestamp")]
    #[schema(value_type = web::schema::Time)]
    datetime: NaiveDateTime,
    #[schema(value_type = web::schema::Count)]
    duration_s: i64,
    #[schema(value_type = web::schema::Count)]
    bytes: i64,
    #[serde(default)]
    state: State,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct BannerEntry {
    #[schema(value_type = web::schema::Slug)]
    slug: String,
    title: String,
    #[schema(value_type = web::schema::HttpsAddress)]
    image: String,
    /// The slug of the video it leads to.
    video: Option<String>,
}

#[derive(AsChangeset, Insertable, PartialEq, Queryable, Selectable)]
#[diesel(table_name = categories)]
struct CategoryRow {
    service: String,
    slug: String,
    category_name: String,
}

#[derive(AsChangeset, Insertable, PartialEq, Queryable, Selectable)]
#[diesel(table_name = videos)]
struct VideoRow {
    category_id: i64,
    service: String,
    slug: String,
    name: String,
    video_name: String,
    artist: String,
    status: String,
    media: String,
    image: String,
    datetime: NaiveDateTime,
    duration_s: i64,
    bytes: i64,
    state: String,
}

#[derive(AsChangeset, Insertable, PartialEq, Queryable, Selectable)]
#[diesel(table_name = banners)]
#[diesel(treat_none_as_null = true)]
struct BannerRow {
    service: String,
    slug: String,
    title: String,
    image: String,
    video_id: Option<i64>,
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
    let brand = app.brands.by_service_name(brands::Kind::Tt, &import.service).ok_or(Error::UnknownService)?;
    let (service, folder) = (brand.service.clone(), brand.media_folder());
    check(&import, &folder)?;
    let imported = app.db.write(move |conn| apply(conn, &service, &import)).await?;
    app.replies.forget().await;
    Ok(Json(imported))
}

fn check(import: &Import, folder: &str) -> Result<(), Problem> {
    for category in &import.categories {
        web::manifest::slug(&category.slug)?;
        for video in &category.videos {
            web::manifest::slug(&video.slug)?;
            web::manifest::image(&video.slug, &video.image)?;
            web::manifest::media(&video.slug, &video.media, folder)?;
        }
    }
    for banner in &import.banners {
        web::manifest::slug(&banner.slug)?;
        web::manifest::image(&banner.slug, &banner.image)?;
    }
    web::manifest::no_twins(import.categories.iter().map(|category| category.slug.as_str()))?;
    web::manifest::no_twins(
        import.categories.iter().flat_map(|category| &category.videos).map(|video| video.slug.as_str()),
    )?;
    web::manifest::no_twins(import.banners.iter().map(|banner| banner.slug.as_str()))
}

fn apply(conn: &mut DbConnection, service: &str, import: &Import) -> Result<Imported, Error> {
    let part = Part { service, digest: &import.digest, once: import.once };
    imports::take_in(conn, part, web::timestamp::now(), |conn, imported| {
        let mut video_ids = HashMap::new();
        for entry in &import.categories {
            let category_id = put_category(conn, service, entry, imported)?;
            for video in &entry.videos {
                video_ids.insert(video.slug.as_str(), put_video(conn, service, category_id, video, imported)?);
            }
        }
        for banner in &import.banners {
            let video_id = match banner.video.as_deref() {
                None => None,
                Some(slug) => Some(match video_ids.get(slug) {
                    Some(id) => *id,
                    None => known_video(conn, service, slug)?,
                }),
            };
            put_banner(conn, service, video_id, banner, imported)?;
        }
        Ok(())
    })
}

fn put_category(
    conn: &mut DbConnection,
    service: &str,
    entry: &CategoryEntry,
    imported: &mut Imported,
) -> Result<i64, Error> {
    Ok(store::put!(
        conn,
        imported,
        categories,
        CategoryRow {
            service: service.to_owned(),
            slug: entry.slug.clone(),
            category_name: entry.category_name.clone(),
        }
    ))
}

fn put_video(
    conn: &mut DbConnection,
    service: &str,
    category_id: i64,
    entry: &VideoEntry,
    imported: &mut Imported,
) -> Result<i64, Error> {
    Ok(store::put!(
        conn,
        imported,
        videos,
        VideoRow {
            category_id,
            service: service.to_owned(),
            slug: entry.slug.clone(),
            name: entry.name.clone(),
            video_name: entry.video_name.clone(),
            artist: entry.artist.clone(),
            status: entry.status.clone(),
            media: entry.media.clone(),
            image: entry.image.clone(),
            datetime: entry.datetime,
            duration_s: entry.duration_s,
            bytes: entry.bytes,
            state: entry.state.as_str().to_owned(),
        }
    ))
}

fn known_video(conn: &mut DbConnection, service: &str, slug: &str) -> Result<i64, Error> {
    videos::table
        .filter(videos::service.eq(service).and(videos::slug.eq(slug)))
        .select(videos::id)
        .first(conn)
        .optional()?
        .ok_or_else(|| {
            Problem::unprocessable(format!("A banner leads to the video {slug:?}, which there is not.")).into()
        })
}

fn put_banner(
    conn: &mut DbConnection,
    service: &str,
    video_id: Option<i64>,
    entry: &BannerEntry,
    imported: &mut Imported,
) -> Result<i64, Error> {
    Ok(store::put!(
        conn,
        imported,
        banners,
        BannerRow {
            service: service.to_owned(),
            slug: entry.slug.clone(),
            title: entry.title.clone(),
            image: entry.image.clone(),
            video_id,
        }
    ))
}

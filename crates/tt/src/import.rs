//! How editors' work comes in: what a category, a video and a banner are in a manifest, and where they are staged.

use actix_web::web::{Data, Json, Path};
use chrono::NaiveDateTime;
use diesel::Insertable;
use intake::{
    Accepted, Desk, Error, Link, Table,
    at_once::{Imported, Part},
};
use serde::Deserialize;
use store::DbConnection;
use utoipa::ToSchema;
use web::{
    Admin, Id, Problem,
    manifest::{self, State},
    openapi::{NotFound, Refused},
};

use crate::schema::{staged_banners, staged_categories, staged_videos};

/// What the service takes in.
pub(crate) const TABLES: &[Table] = &[
    Table {
        kind: "category",
        rows: "categories",
        staged: "staged_categories",
        columns: &["category_name"],
        links: &[],
    },
    Table {
        kind: "video",
        rows: "videos",
        staged: "staged_videos",
        columns: &[
            "name",
            "video_name",
            "artist",
            "status",
            "media",
            "image",
            "datetime",
            "duration_s",
            "bytes",
            "captions",
        ],
        links: &[Link {
            column: "category_id",
            slug: "parent",
            kind: "category",
            rows: "categories",
            staged: "staged_categories",
        }],
    },
    Table {
        kind: "banner",
        rows: "banners",
        staged: "staged_banners",
        columns: &["title", "image"],
        links: &[Link { column: "video_id", slug: "video", kind: "video", rows: "videos", staged: "staged_videos" }],
    },
];

/// One service's videos and banners, as a manifest lists them.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = TtImport)]
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
#[schema(as = TtCategoryEntry)]
#[serde(deny_unknown_fields)]
struct CategoryEntry {
    #[schema(value_type = web::schema::Slug)]
    slug: String,
    category_name: String,
    /// Who finds it.
    #[serde(default)]
    state: State,
    /// From when on, UTC.
    #[serde(default = "manifest::always", with = "web::timestamp")]
    #[schema(value_type = Option<web::schema::Time>)]
    publish_at: NaiveDateTime,
    /// Until when, UTC.
    #[serde(default = "manifest::never", with = "web::timestamp")]
    #[schema(value_type = Option<web::schema::Time>)]
    expires_at: NaiveDateTime,
    #[serde(default)]
    videos: Vec<VideoEntry>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = TtVideoEntry)]
#[serde(deny_unknown_fields)]
struct VideoEntry {
    #[schema(value_type = web::schema::Slug)]
    slug: String,
    name: String,
    video_name: String,
    artist: String,
    /// The word that related videos share.
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
    /// Path of its captions below the media folder, if it has any: WebVTT.
    #[schema(value_type = Option<web::schema::CaptionsPath>)]
    captions: Option<String>,
    /// Who finds it.
    #[serde(default)]
    state: State,
    /// From when on, UTC.
    #[serde(default = "manifest::always", with = "web::timestamp")]
    #[schema(value_type = Option<web::schema::Time>)]
    publish_at: NaiveDateTime,
    /// Until when, UTC.
    #[serde(default = "manifest::never", with = "web::timestamp")]
    #[schema(value_type = Option<web::schema::Time>)]
    expires_at: NaiveDateTime,
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
    #[schema(value_type = Option<web::schema::Slug>)]
    video: Option<String>,
    /// Who finds it.
    #[serde(default)]
    state: State,
    /// From when on, UTC.
    #[serde(default = "manifest::always", with = "web::timestamp")]
    #[schema(value_type = Option<web::schema::Time>)]
    publish_at: NaiveDateTime,
    /// Until when, UTC.
    #[serde(default = "manifest::never", with = "web::timestamp")]
    #[schema(value_type = Option<web::schema::Time>)]
    expires_at: NaiveDateTime,
}

/// A batch of records of an import that is open.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = TtRecords)]
#[serde(deny_unknown_fields)]
pub(crate) struct Records {
    #[serde(default)]
    categories: Vec<CategoryRecord>,
    #[serde(default)]
    videos: Vec<VideoRecord>,
    #[serde(default)]
    banners: Vec<BannerRecord>,
}

#[derive(Debug, Deserialize, Insertable, ToSchema)]
#[diesel(table_name = staged_categories, treat_none_as_default_value = false)]
#[schema(as = TtCategoryRecord)]
#[serde(deny_unknown_fields)]
struct CategoryRecord {
    #[serde(skip)]
    import_id: i64,
    /// Where it stands in the manifest: its line.
    place: i64,
    #[schema(value_type = web::schema::Slug)]
    slug: String,
    category_name: String,
    #[serde(default = "manifest::listed", deserialize_with = "manifest::state_word")]
    #[schema(value_type = Option<State>)]
    state: String,
    #[serde(default = "manifest::always", with = "web::timestamp")]
    #[schema(value_type = Option<web::schema::Time>)]
    publish_at: NaiveDateTime,
    #[serde(default = "manifest::never", with = "web::timestamp")]
    #[schema(value_type = Option<web::schema::Time>)]
    expires_at: NaiveDateTime,
}

#[derive(Debug, Deserialize, Insertable, ToSchema)]
#[diesel(table_name = staged_videos, treat_none_as_default_value = false)]
#[schema(as = TtVideoRecord)]
#[serde(deny_unknown_fields)]
struct VideoRecord {
    #[serde(skip)]
    import_id: i64,
    /// Where it stands in the manifest: its line.
    place: i64,
    #[schema(value_type = web::schema::Slug)]
    slug: String,
    /// The slug of its category.
    #[schema(value_type = web::schema::Slug)]
    parent: String,
    name: String,
    video_name: String,
    artist: String,
    /// The word that related videos share.
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
    /// Path of its captions below the media folder, if it has any: WebVTT.
    #[schema(value_type = Option<web::schema::CaptionsPath>)]
    captions: Option<String>,
    #[serde(default = "manifest::listed", deserialize_with = "manifest::state_word")]
    #[schema(value_type = Option<State>)]
    state: String,
    #[serde(default = "manifest::always", with = "web::timestamp")]
    #[schema(value_type = Option<web::schema::Time>)]
    publish_at: NaiveDateTime,
    #[serde(default = "manifest::never", with = "web::timestamp")]
    #[schema(value_type = Option<web::schema::Time>)]
    expires_at: NaiveDateTime,
}

#[derive(Debug, Deserialize, Insertable, ToSchema)]
#[diesel(table_name = staged_banners, treat_none_as_default_value = false)]
#[schema(as = TtBannerRecord)]
#[serde(deny_unknown_fields)]
struct BannerRecord {
    #[serde(skip)]
    import_id: i64,
    /// Where it stands in the manifest: its line.
    place: i64,
    #[schema(value_type = web::schema::Slug)]
    slug: String,
    title: String,
    #[schema(value_type = web::schema::HttpsAddress)]
    image: String,
    /// The slug of the video it leads to.
    #[schema(value_type = Option<web::schema::Slug>)]
    video: Option<String>,
    #[serde(default = "manifest::listed", deserialize_with = "manifest::state_word")]
    #[schema(value_type = Option<State>)]
    state: String,
    #[serde(default = "manifest::always", with = "web::timestamp")]
    #[schema(value_type = Option<web::schema::Time>)]
    publish_at: NaiveDateTime,
    #[serde(default = "manifest::never", with = "web::timestamp")]
    #[schema(value_type = Option<web::schema::Time>)]
    expires_at: NaiveDateTime,
}

/// Takes in one service's part of a manifest.
#[utoipa::path(
    post,
    path = "",
    request_body = Import,
    responses((status = 200, description = "What it changed.", body = Imported), NotFound, Refused)
)]
pub(crate) async fn import(_: Admin, desk: Data<Desk>, import: Json<Import>) -> Result<Json<Imported>, Error> {
    let import = import.into_inner();
    let brand = desk.brand(&import.service)?;
    let (service, folder) = (brand.service.clone(), brand.media_folder());
    let imported = desk.db.write(move |conn| {
        let part = Part { service: &service, digest: &import.digest, once: import.once };
        intake::at_once::take_in(conn, TABLES, part, |conn, id| {
            put(conn, id, &folder, Records::of(import.categories, import.banners))
        })
    });
    let imported = imported.await?;
    desk.replies.forget().await;
    Ok(Json(imported))
}

/// Takes in a batch of an import's records.
#[utoipa::path(
    post,
    path = "",
    params(("id" = Id, Path, description = "The import's id.")),
    request_body = Records,
    responses((status = 200, description = "They wait.", body = Accepted), NotFound, Refused)
)]
pub(crate) async fn add_records(
    _: Admin,
    desk: Data<Desk>,
    id: Path<Id>,
    records: Json<Records>,
) -> Result<Json<Accepted>, Error> {
    let records = records.into_inner();
    intake::accept(&desk, id.get(), move |conn, id, folder| put(conn, id, folder, records)).await.map(Json)
}

fn put(conn: &mut DbConnection, import_id: i64, folder: &str, records: Records) -> Result<usize, Error> {
    let Records { mut categories, mut videos, mut banners } = records;
    for category in &mut categories {
        category.import_id = import_id;
        category.check()?;
    }
    for video in &mut videos {
        video.import_id = import_id;
        video.check(folder)?;
    }
    for banner in &mut banners {
        banner.import_id = import_id;
        banner.check()?;
    }
    let categories: usize = intake::stage!(conn, staged_categories::table, categories);
    let videos: usize = intake::stage!(conn, staged_videos::table, videos);
    let banners: usize = intake::stage!(conn, staged_banners::table, banners);
    Ok(categories + videos + banners)
}

impl CategoryRecord {
    fn check(&self) -> Result<(), Problem> {
        manifest::slug(&self.slug)?;
        manifest::text(&self.slug, "category_name", &self.category_name)?;
        manifest::schedule(&self.slug, self.publish_at, self.expires_at)
    }
}

impl VideoRecord {
    fn check(&self, folder: &str) -> Result<(), Problem> {
        manifest::slug(&self.slug)?;
        manifest::text(&self.slug, "name", &self.name)?;
        manifest::text(&self.slug, "video_name", &self.video_name)?;
        manifest::text(&self.slug, "artist", &self.artist)?;
        manifest::text(&self.slug, "status", &self.status)?;
        manifest::media(&self.slug, &self.media, folder)?;
        manifest::image(&self.slug, &self.image)?;
        manifest::count(&self.slug, "duration_s", self.duration_s)?;
        manifest::count(&self.slug, "bytes", self.bytes)?;
        manifest::captions(&self.slug, self.captions.as_deref(), folder)?;
        manifest::schedule(&self.slug, self.publish_at, self.expires_at)
    }
}

impl BannerRecord {
    fn check(&self) -> Result<(), Problem> {
        manifest::slug(&self.slug)?;
        manifest::text(&self.slug, "title", &self.title)?;
        manifest::image(&self.slug, &self.image)?;
        manifest::schedule(&self.slug, self.publish_at, self.expires_at)
    }
}

impl Records {
    /// The records of a manifest that came whole; each one's place is its turn.
    fn of(entries: Vec<CategoryEntry>, banners: Vec<BannerEntry>) -> Self {
        let mut records = Self::default();
        let mut place = 0;
        let mut next = || {
            place += 1;
            place
        };
        for entry in entries {
            records.videos.extend(entry.videos.into_iter().map(|video| VideoRecord {
                import_id: 0,
                place: next(),
                slug: video.slug,
                parent: entry.slug.clone(),
                name: video.name,
                video_name: video.video_name,
                artist: video.artist,
                status: video.status,
                media: video.media,
                image: video.image,
                datetime: video.datetime,
                duration_s: video.duration_s,
                bytes: video.bytes,
                captions: video.captions,
                state: video.state.as_str().to_owned(),
                publish_at: video.publish_at,
                expires_at: video.expires_at,
            }));
            records.categories.push(CategoryRecord {
                import_id: 0,
                place: next(),
                slug: entry.slug,
                category_name: entry.category_name,
                state: entry.state.as_str().to_owned(),
                publish_at: entry.publish_at,
                expires_at: entry.expires_at,
            });
        }
        records.banners.extend(banners.into_iter().map(|banner| BannerRecord {
            import_id: 0,
            place: next(),
            slug: banner.slug,
            title: banner.title,
            image: banner.image,
            video: banner.video,
            state: banner.state.as_str().to_owned(),
            publish_at: banner.publish_at,
            expires_at: banner.expires_at,
        }));
        records
    }
}

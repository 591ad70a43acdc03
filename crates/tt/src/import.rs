//! How editors' work comes in: what a category, a video and a banner are in a manifest, and where they are staged.

use actix_web::web::{Data, Json, Path};
use chrono::NaiveDateTime;
use intake::{Accepted, Desk, Error, Link, Table};
use serde::Deserialize;
use service::{
    Admin, Id, Problem, manifest,
    openapi::{NotFound, Refused},
};
use store::DbConnection;
use utoipa::ToSchema;

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

intake::record! {
    #[schema(as = TtCategoryRecord)]
    staged_categories: CategoryRecord {
        category_name: String,
    }
}

intake::record! {
    #[schema(as = TtVideoRecord)]
    staged_videos: VideoRecord {
        /// The slug of its category.
        #[schema(value_type = service::schema::Slug)]
        parent: String,
        name: String,
        video_name: String,
        artist: String,
        /// The word that related videos share.
        status: String,
        #[schema(value_type = service::schema::MediaPath)]
        media: String,
        #[schema(value_type = service::schema::HttpsAddress)]
        image: String,
        #[serde(with = "service::timestamp")]
        #[schema(value_type = service::schema::Time)]
        datetime: NaiveDateTime,
        #[schema(value_type = service::schema::Count)]
        duration_s: i64,
        #[schema(value_type = service::schema::Count)]
        bytes: i64,
        /// Path of its captions below the media folder, if it has any: WebVTT.
        #[schema(value_type = Option<service::schema::CaptionsPath>)]
        captions: Option<String>,
    }
}

intake::record! {
    #[schema(as = TtBannerRecord)]
    staged_banners: BannerRecord {
        title: String,
        #[schema(value_type = service::schema::HttpsAddress)]
        image: String,
        /// The slug of the video it leads to.
        #[schema(value_type = Option<service::schema::Slug>)]
        video: Option<String>,
    }
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
    categories.iter_mut().try_for_each(|category| category.enter(import_id, folder))?;
    videos.iter_mut().try_for_each(|video| video.enter(import_id, folder))?;
    banners.iter_mut().try_for_each(|banner| banner.enter(import_id, folder))?;
    let categories: usize = intake::stage!(conn, staged_categories::table, categories);
    let videos: usize = intake::stage!(conn, staged_videos::table, videos);
    let banners: usize = intake::stage!(conn, staged_banners::table, banners);
    Ok(categories + videos + banners)
}

impl CategoryRecord {
    fn check(&self, _: &str) -> Result<(), Problem> {
        manifest::text(&self.slug, "category_name", &self.category_name)?;
        if self.category_name.bytes().all(|byte| byte.is_ascii_digit()) {
            let Self { slug, category_name, .. } = self;
            return Err(Problem::unprocessable(format!(
                "{slug}: category_name {category_name:?} is of digits alone, and addresses would take it for an id."
            )));
        }
        Ok(())
    }
}

impl VideoRecord {
    fn check(&self, folder: &str) -> Result<(), Problem> {
        manifest::text(&self.slug, "name", &self.name)?;
        manifest::text(&self.slug, "video_name", &self.video_name)?;
        manifest::text(&self.slug, "artist", &self.artist)?;
        manifest::text(&self.slug, "status", &self.status)?;
        manifest::media(&self.slug, &self.media, folder)?;
        manifest::image(&self.slug, &self.image)?;
        manifest::count(&self.slug, "duration_s", self.duration_s)?;
        manifest::count(&self.slug, "bytes", self.bytes)?;
        manifest::captions(&self.slug, self.captions.as_deref(), folder)
    }
}

impl BannerRecord {
    fn check(&self, _: &str) -> Result<(), Problem> {
        manifest::text(&self.slug, "title", &self.title)?;
        manifest::image(&self.slug, &self.image)
    }
}

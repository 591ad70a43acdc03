//! How editors' work comes in: what an artist and a video are in a manifest, and where they are staged.

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

use crate::schema::{staged_artists, staged_videos};

/// What a catalogue of artists takes in.
pub(crate) const TABLES: &[Table] = &[
    Table {
        kind: "artist",
        rows: "artists",
        staged: "staged_artists",
        columns: &["artist", "description", "image"],
        links: &[],
    },
    Table {
        kind: "video",
        rows: "videos",
        staged: "staged_videos",
        columns: &["video_name", "media", "image", "datetime", "duration_s", "bytes", "captions"],
        links: &[Link {
            column: "artist_id",
            slug: "parent",
            kind: "artist",
            rows: "artists",
            staged: "staged_artists",
        }],
    },
];

/// A batch of records of an import that is open.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = ArtistRecords)]
#[serde(deny_unknown_fields)]
pub(crate) struct Records {
    #[serde(default)]
    artists: Vec<ArtistRecord>,
    #[serde(default)]
    videos: Vec<VideoRecord>,
}

intake::record! {
    staged_artists: ArtistRecord {
        artist: String,
        description: String,
        #[schema(value_type = service::schema::HttpsAddress)]
        image: String,
    }
}

intake::record! {
    #[schema(as = ArtistVideoRecord)]
    staged_videos: VideoRecord {
        /// The slug of its artist.
        #[schema(value_type = service::schema::Slug)]
        parent: String,
        video_name: String,
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
        #[schema(value_type = Option<service::schema::CaptionsPath>)]
        captions: Option<String>,
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
    let Records { mut artists, mut videos } = records;
    artists.iter_mut().try_for_each(|artist| artist.enter(import_id, folder))?;
    videos.iter_mut().try_for_each(|video| video.enter(import_id, folder))?;
    let staged: usize = intake::stage!(conn, staged_artists::table, artists);
    let videos: usize = intake::stage!(conn, staged_videos::table, videos);
    Ok(staged + videos)
}

impl ArtistRecord {
    fn check(&self, _: &str) -> Result<(), Problem> {
        manifest::text(&self.slug, "artist", &self.artist)?;
        if !self.description.is_empty() {
            manifest::text(&self.slug, "description", &self.description)?;
        }
        manifest::image(&self.slug, &self.image)
    }
}

impl VideoRecord {
    fn check(&self, folder: &str) -> Result<(), Problem> {
        manifest::text(&self.slug, "video_name", &self.video_name)?;
        manifest::media(&self.slug, &self.media, folder)?;
        manifest::count(&self.slug, "duration_s", self.duration_s)?;
        manifest::count(&self.slug, "bytes", self.bytes)?;
        manifest::captions(&self.slug, self.captions.as_deref(), folder)?;
        manifest::image(&self.slug, &self.image)
    }
}

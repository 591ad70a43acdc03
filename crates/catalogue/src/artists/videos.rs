//! Videos: each belongs to one artist.

use std::borrow::Cow;

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path, Query},
};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use serde::Serialize;
use service::{
    Id, Message, Page, PageQuery,
    openapi::{Cached, NotFound},
};
use store::{CacheKey, DbConnection};
use utoipa::ToSchema;

use super::{
    artist::Artist,
    schema::{artists, videos},
};
use crate::{App, Error, Text, Translated, translated};

/// A video.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ArtistVideo)]
pub struct Video {
    /// The video's id.
    #[schema(value_type = Id)]
    pub id: i64,
    /// The same id: the specification has both fields.
    #[schema(value_type = Id)]
    pub videoid: i64,
    /// The video's title.
    pub video_name: String,
    /// The language of `video_name` where it is a translation; absent: English.
    #[schema(value_type = Option<service::schema::LanguageCode>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub video_name_lang: Option<Cow<'static, str>>,
    /// The artist's name.
    pub name: String,
    /// The artist's name again: the specification has both fields.
    pub artist: String,
    /// The artist's id, for `common/{mid}`.
    #[schema(value_type = Id)]
    pub artist_id: i64,
    /// Same-origin address of the stream, below `/media/`.
    #[schema(value_type = service::schema::MediaAddress)]
    pub vurl: String,
    /// `https` address of the thumbnail.
    #[schema(value_type = service::schema::HttpsAddress)]
    pub imgurl: String,
    /// The time of publication, UTC.
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    pub datetime: NaiveDateTime,
    /// Length in seconds.
    #[schema(value_type = service::schema::Count)]
    pub duration_s: i64,
    /// Size of the stream in bytes.
    #[schema(value_type = service::schema::Count)]
    pub bytes: i64,
    /// Same-origin address of the captions (WebVTT) below `/media/`; absent without captions. The language code
    /// precedes the extension (`taxi.zu.vtt`); English without one.
    #[schema(value_type = Option<service::schema::MediaAddress>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captions: Option<String>,
}

/// A video as it is stored.
#[derive(Queryable, Selectable)]
#[diesel(table_name = videos)]
struct Row {
    id: i64,
    video_name: String,
    #[diesel(select_expression = artists::artist)]
    artist: String,
    artist_id: i64,
    media: String,
    image: String,
    datetime: NaiveDateTime,
    duration_s: i64,
    bytes: i64,
    captions: Option<String>,
}

/// One video, as an array of one.
#[utoipa::path(
    get,
    path = "",
    params(("id" = Id, Path, description = "The video's id.")),
    responses((status = 200, description = "The video.", body = [Video; 1]), Cached, NotFound)
)]
pub(crate) async fn get_video(app: Data<App>, id: Path<Id>, req: HttpRequest) -> Result<HttpResponse, Error> {
    let (id, language) = (id.get(), service::language(&req));
    let query = move |conn: &mut DbConnection| {
        let video = Video::find(conn, id)?;
        translated(conn, language, video).map(|video| [video])
    };
    app.replies.whole(&req, CacheKey::default(), query).await
}

/// An artist's videos.
#[utoipa::path(
    get,
    path = "",
    params(("artist" = Id, Path, description = "The artist's id."), PageQuery),
    responses((status = 200, description = "One page, in the order of ids.", body = [Video]), Cached, NotFound)
)]
pub(crate) async fn list_videos(
    app: Data<App>,
    artist_id: Path<Id>,
    page: Query<PageQuery>,
    req: HttpRequest,
) -> Result<HttpResponse, Error> {
    let (artist_id, page) = (artist_id.get(), Page::try_from(page.into_inner())?);
    let language = service::language(&req);
    app.replies
        .page(
            &req,
            CacheKey::default(),
            page,
            |video: &Video| video.id,
            move |conn| {
                let videos = Video::of_artist(conn, artist_id, page)?;
                translated(conn, language, videos)
            },
        )
        .await
}

impl Translated for Video {
    fn add_texts<'a>(&'a mut self, texts: &mut Vec<Text<'a>>) {
        let (text, lang) = (&mut self.video_name, &mut self.video_name_lang);
        texts.push(Text { table: "videos", id: self.id, field: "video_name", text, lang });
    }
}

impl Video {
    /// The video with this id.
    pub fn find(conn: &mut DbConnection, id: i64) -> Result<Self, Error> {
        let now = service::timestamp::now();
        videos::table
            .inner_join(artists::table)
            .filter(videos::id.eq(id).and(crate::found!(videos, now)).and(crate::found!(artists, now)))
            .select(Row::as_select())
            .first(conn)
            .optional()?
            .map(Self::from)
            .ok_or(Error::Unknown(Message::new("no-such-video")))
    }

    /// The listed videos with these ids, in no order.
    pub fn of_ids(conn: &mut DbConnection, ids: &[i64]) -> Result<Vec<Self>, Error> {
        // For an empty list SQLite would scan the whole table.
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let now = service::timestamp::now();
        let rows = videos::table
            .inner_join(artists::table)
            .filter(videos::id.eq_any(ids).and(crate::listed!(videos, now)).and(crate::listed!(artists, now)))
            .select(Row::as_select())
            .load(conn)?;
        Ok(rows.into_iter().map(Self::from).collect())
    }

    /// One page of an artist's videos, ordered by id. An unknown artist is an error, one without videos is not.
    pub fn of_artist(conn: &mut DbConnection, artist_id: i64, page: Page) -> Result<Vec<Self>, Error> {
        let now = service::timestamp::now();
        let rows = videos::table
            .inner_join(artists::table)
            .filter(videos::artist_id.eq(artist_id).and(crate::found!(artists, now)))
            .filter(videos::id.gt(page.after).and(crate::listed!(videos, now)))
            .order(videos::id)
            .limit(page.fetch())
            .select(Row::as_select())
            .load(conn)?;
        if rows.is_empty() && !Artist::exists(conn, artist_id)? {
            return Err(Error::Unknown(Message::new("no-such-artist")));
        }
        Ok(rows.into_iter().map(Self::from).collect())
    }
}

impl From<Row> for Video {
    fn from(row: Row) -> Self {
        let Row { id, video_name, artist, artist_id, media, image: imgurl, datetime, duration_s, bytes, captions } =
            row;
        Self {
            id,
            videoid: id,
            video_name,
            video_name_lang: None,
            name: artist.clone(),
            artist,
            artist_id,
            vurl: crate::media_address(&media),
            imgurl,
            datetime,
            duration_s,
            bytes,
            captions: captions.map(|path| crate::media_address(&path)),
        }
    }
}

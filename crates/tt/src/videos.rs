//! Videos on demand: each belongs to one category of one service.

use std::borrow::Cow;

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path, Query},
};
use catalogue::{App, Error, Text, Translated, translated};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use identity::Site;
use serde::{Deserialize, Serialize};
use service::{
    Id, Message, Page, PageQuery,
    openapi::{Cached, NotFound},
};
use store::{CacheKey, DbConnection};
use utoipa::ToSchema;

use crate::schema::{categories, videos};

/// A video.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TtVideo)]
pub struct Video {
    /// The video's id.
    #[schema(value_type = Id)]
    pub id: i64,
    /// The same id: the specification has both fields.
    #[schema(value_type = Id)]
    pub videoid: i64,
    /// The video's short name, for cards.
    pub name: String,
    /// The language of `name` where it is a translation; absent: English.
    #[schema(value_type = Option<service::schema::LanguageCode>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_lang: Option<Cow<'static, str>>,
    /// The video's full title.
    pub video_name: String,
    /// The language of `video_name` where it is a translation; absent: English.
    #[schema(value_type = Option<service::schema::LanguageCode>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub video_name_lang: Option<Cow<'static, str>>,
    /// Same-origin address of the stream, below `/media/`.
    #[schema(value_type = service::schema::MediaAddress)]
    pub vurl: String,
    /// The category's name.
    pub category: String,
    /// The language of `category` where it is a translation; absent: English.
    #[schema(value_type = Option<service::schema::LanguageCode>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category_lang: Option<Cow<'static, str>>,
    /// The category's id.
    #[schema(value_type = Id)]
    pub category_id: i64,
    /// The artist: who made the video or appears in it.
    pub artist: String,
    /// The status that related videos share.
    pub status: String,
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

/// A video on a card of a row.
//
// Built by the database, in the column `card` (`migrations/tt`), and read only to be translated.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = TtCard)]
pub struct VideoCard {
    /// The video's id.
    #[schema(value_type = Id)]
    pub id: i64,
    /// `https` address of the thumbnail.
    #[schema(value_type = service::schema::HttpsAddress)]
    pub imgurl: String,
    /// The video's short name.
    pub name: String,
    /// The language of `name` where it is a translation; absent: English.
    #[schema(value_type = Option<service::schema::LanguageCode>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_lang: Option<Cow<'static, str>>,
    /// The video's full title.
    pub video_name: String,
    /// The language of `video_name` where it is a translation; absent: English.
    #[schema(value_type = Option<service::schema::LanguageCode>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub video_name_lang: Option<Cow<'static, str>>,
    /// Length in seconds.
    #[schema(value_type = service::schema::Count)]
    pub duration_s: i64,
    /// Size of the stream in bytes.
    #[schema(value_type = service::schema::Count)]
    pub bytes: i64,
}

/// One video of the host's brand.
#[utoipa::path(
    get,
    path = "",
    params(("id" = Id, Path, description = "The video's id.")),
    responses((status = 200, description = "The video.", body = Video), Cached, NotFound)
)]
pub(crate) async fn get_video(
    app: Data<App>,
    site: Option<Site>,
    id: Path<Id>,
    req: HttpRequest,
) -> Result<HttpResponse, Error> {
    let (id, language) = (id.get(), service::language(&req));
    let service = app.service_of(site.as_ref())?;
    let query = {
        let service = service.clone();
        move |conn: &mut DbConnection| {
            let video = Video::in_service(conn, id, &service)?;
            translated(conn, language, video)
        }
    };
    app.replies.whole(&req, CacheKey { service: &service, ..CacheKey::default() }, query).await
}

/// The videos of the host's brand that share a status.
#[utoipa::path(
    get,
    path = "",
    params(("status" = service::schema::Name, Path, description = "The status of the videos.", example = "drama"), PageQuery),
    responses((status = 200, description = "One page, in the order of ids.", body = [Video]), Cached, NotFound)
)]
pub(crate) async fn list_related(
    app: Data<App>,
    site: Option<Site>,
    status: Path<String>,
    page: Query<PageQuery>,
    req: HttpRequest,
) -> Result<HttpResponse, Error> {
    let page = Page::try_from(page.into_inner())?;
    let (service, language) = (app.service_of(site.as_ref())?, service::language(&req));
    let query = {
        let service = service.clone();
        move |conn: &mut DbConnection| {
            let videos = Video::related(conn, &service, &status, page)?;
            translated(conn, language, videos)
        }
    };
    app.replies
        .page(&req, CacheKey { service: &service, ..CacheKey::default() }, page, |video: &Video| video.id, query)
        .await
}

/// A video as it is stored.
#[derive(Queryable, Selectable)]
#[diesel(table_name = videos)]
struct Row {
    id: i64,
    name: String,
    video_name: String,
    media: String,
    #[diesel(select_expression = categories::category_name)]
    category: String,
    category_id: i64,
    artist: String,
    status: String,
    image: String,
    datetime: NaiveDateTime,
    duration_s: i64,
    bytes: i64,
    captions: Option<String>,
}

impl Translated for Video {
    fn add_texts<'a>(&'a mut self, texts: &mut Vec<Text<'a>>) {
        let Self { id, category_id, .. } = *self;
        let of_video = |field, text, lang| Text { table: "videos", id, field, text, lang };
        texts.push(of_video("name", &mut self.name, &mut self.name_lang));
        texts.push(of_video("video_name", &mut self.video_name, &mut self.video_name_lang));
        let (text, lang) = (&mut self.category, &mut self.category_lang);
        texts.push(Text { table: "categories", id: category_id, field: "category_name", text, lang });
    }
}

impl Translated for VideoCard {
    fn add_texts<'a>(&'a mut self, texts: &mut Vec<Text<'a>>) {
        let of_video = |field, text, lang| Text { table: "videos", id: self.id, field, text, lang };
        texts.push(of_video("name", &mut self.name, &mut self.name_lang));
        texts.push(of_video("video_name", &mut self.video_name, &mut self.video_name_lang));
    }
}

impl Video {
    /// A service's video with this id.
    pub fn in_service(conn: &mut DbConnection, id: i64, service: &str) -> Result<Self, Error> {
        let now = service::timestamp::now();
        videos::table
            .inner_join(categories::table)
            .filter(videos::id.eq(id).and(videos::service.eq(service)))
            .filter(catalogue::found!(videos, now).and(catalogue::found!(categories, now)))
            .select(Row::as_select())
            .first(conn)
            .optional()?
            .map(Self::from)
            .ok_or(Error::Unknown(Message::new("no-such-video")))
    }

    /// The listed videos with these ids, in listed categories, in the order of the ids.
    pub fn of_ids(conn: &mut DbConnection, ids: &[i64]) -> Result<Vec<Self>, Error> {
        // For an empty list SQLite would scan the whole table.
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let now = service::timestamp::now();
        let mut rows = videos::table
            .inner_join(categories::table)
            .filter(
                videos::id.eq_any(ids).and(catalogue::listed!(videos, now)).and(catalogue::listed!(categories, now)),
            )
            .select(Row::as_select())
            .load(conn)?;
        rows.sort_by_key(|row| ids.iter().position(|id| *id == row.id));
        Ok(rows.into_iter().map(Self::from).collect())
    }

    /// One page of a service's videos with the same status, ordered by id.
    pub fn related(conn: &mut DbConnection, service: &str, status: &str, page: Page) -> Result<Vec<Self>, Error> {
        let now = service::timestamp::now();
        let rows = videos::table
            .inner_join(categories::table)
            .filter(videos::service.eq(service).and(videos::status.eq(status)))
            .filter(
                videos::id.gt(page.after).and(catalogue::listed!(videos, now)).and(catalogue::listed!(categories, now)),
            )
            .order(videos::id)
            .limit(page.fetch())
            .select(Row::as_select())
            .load(conn)?;
        Ok(rows.into_iter().map(Self::from).collect())
    }

    /// One page of a category's videos, ordered by id.
    pub fn in_category(conn: &mut DbConnection, category_id: i64, page: Page) -> Result<Vec<Self>, Error> {
        let rows = videos::table
            .inner_join(categories::table)
            .filter(videos::category_id.eq(category_id).and(videos::id.gt(page.after)))
            .filter(catalogue::listed!(videos, service::timestamp::now()))
            .order(videos::id)
            .limit(page.fetch())
            .select(Row::as_select())
            .load(conn)?;
        Ok(rows.into_iter().map(Self::from).collect())
    }
}

impl From<Row> for Video {
    fn from(row: Row) -> Self {
        let Row { id, name, video_name, media, category, category_id, artist, .. } = row;
        Self {
            id,
            videoid: id,
            name,
            name_lang: None,
            video_name,
            video_name_lang: None,
            vurl: catalogue::media_address(&media),
            category,
            category_lang: None,
            category_id,
            artist,
            status: row.status,
            imgurl: row.image,
            datetime: row.datetime,
            duration_s: row.duration_s,
            bytes: row.bytes,
            captions: row.captions.map(|path| catalogue::media_address(&path)),
        }
    }
}

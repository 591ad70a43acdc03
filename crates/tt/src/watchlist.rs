//! The watchlist: videos that a phone number saved to watch later.

use std::borrow::Cow;

use std::fmt::{self, Display};

use actix_web::{
    HttpRequest, HttpResponse,
    http::header,
    web::{Data, Json, Path, Query},
};
use catalogue::{App, Error, Text, Translated, translated};
use chrono::{DateTime, NaiveDateTime};
use diesel::prelude::*;
use identity::{Session, Subscriber};
use serde::{Deserialize, Serialize};
use service::{Id, Message, Page, Problem, openapi::NotFound};
use store::{DbConnection, on_each_backend};
use utoipa::ToSchema;

use crate::{
    marks::marks,
    schema::{categories, videos, watchlist},
    videos::Video,
};

/// An addition with the fields of the specification; the server uses the video's name and ignores `name`.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewWatchlistItem)]
#[expect(dead_code, reason = "a field of the specification that is checked for its type and not used")]
pub(crate) struct NewItem {
    videoid: Id,
    #[schema(value_type = Option<service::schema::OwnNumber>)]
    ani: Option<String>,
    service: Option<String>,
    name: Option<String>,
}

/// A removal with the fields of the specification.
#[derive(Deserialize, ToSchema)]
#[schema(as = OldWatchlistItem)]
pub(crate) struct OldItem {
    videoid: Id,
    #[schema(value_type = Option<service::schema::OwnNumber>)]
    ani: Option<String>,
}

/// The state after an addition or removal.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WatchlistState)]
pub(crate) struct ItemState {
    #[schema(value_type = Id)]
    videoid: i64,
    watchlisted: bool,
}

/// A watchlist item: the specification's fields, and what a card of the watchlist page shows.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = WatchlistItem)]
pub struct Item {
    /// The video's id.
    #[schema(value_type = Id)]
    pub id: i64,
    /// The video's short name.
    pub name: String,
    /// The language of `name` where it is a translation; absent: English.
    #[schema(value_type = Option<service::schema::LanguageCode>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_lang: Option<Cow<'static, str>>,
    /// The video's id again: the specification has both fields.
    #[schema(value_type = Id)]
    pub videoid: i64,
    /// The artist: who made the video or appears in it.
    pub artist: String,
    /// `https` address of the thumbnail.
    #[schema(value_type = service::schema::HttpsAddress)]
    pub imgurl: String,
    /// Length in seconds.
    #[schema(value_type = service::schema::Count)]
    pub duration_s: i64,
    /// Size of the stream in bytes.
    #[schema(value_type = service::schema::Count)]
    pub bytes: i64,
}

/// `?limit=&after=` as sent.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    /// The most items in the reply; values above 200 mean 200.
    #[param(nullable = false, minimum = 1, maximum = 9223372036854775807_i64, default = 200)]
    limit: Option<i64>,
    /// Only items after this one. The `Link` header of a reply has the address of the next page.
    #[param(nullable = false, pattern = r"^\d{1,12}-\d{1,18}$", example = "1772735400-17")]
    after: Option<String>,
}

/// The position of an item in the list: the time of its addition, and its video's id. It stays valid when the item is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    created: NaiveDateTime,
    videoid: i64,
}

impl Cursor {
    /// The last second of the year 9999. SQLite compares times as text, which is correct for years of four digits.
    const LAST_SECOND: i64 = 253_402_300_799;

    /// Before the newest item.
    pub fn newest() -> Self {
        Self { created: time_at(Self::LAST_SECOND), videoid: i64::MAX }
    }

    /// From `SECONDS-ID`, the seconds since 1970.
    fn parse(text: &str) -> Option<Self> {
        let (seconds, videoid) = text.split_once('-')?;
        let is_short = |digits: &str, most: usize| {
            (1..=most).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_digit())
        };
        if !is_short(seconds, 12) || !is_short(videoid, 18) {
            return None;
        }
        let seconds: i64 = seconds.parse().ok()?;
        Some(Self { created: time_at(seconds.min(Self::LAST_SECOND)), videoid: videoid.parse().ok()? })
    }
}

impl Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.created.and_utc().timestamp(), self.videoid)
    }
}

fn time_at(seconds: i64) -> NaiveDateTime {
    DateTime::from_timestamp(seconds, 0).unwrap_or_default().naive_utc()
}

/// The session's watchlist in a service; empty without a session.
#[utoipa::path(
    get,
    path = "",
    params(
        ("service" = service::schema::Name, Path, description = "The service, by any of its names, in any letter case."),
        ListQuery
    ),
    responses(
        (
            status = 200,
            description = "One page, the newest first.",
            body = [Item],
            headers(("Link" = String, description = "The next page: `rel=next`. Absent on the last page."))
        ),
        NotFound
    )
)]
pub(crate) async fn list_own(
    app: Data<App>,
    name: Path<String>,
    query: Query<ListQuery>,
    subscriber: Option<Subscriber>,
    req: HttpRequest,
) -> Result<HttpResponse, Error> {
    let service = app.service_named(&name)?;
    let page = Page::of_limit(query.limit)?;
    let after = match &query.after {
        Some(text) => Cursor::parse(text).ok_or_else(|| Problem::bad_request(Message::new("page-after-item")))?,
        None => Cursor::newest(),
    };
    let mut items = match subscriber.filter(|subscriber| subscriber.site.brand.service == service) {
        Some(subscriber) => {
            let language = service::language(&req);
            let items = app.db.run(move |conn| {
                let items = Item::of(conn, &subscriber.session, &service, page.fetch(), after)?;
                let (cursors, items): (Vec<_>, Vec<_>) = items.into_iter().unzip();
                Ok::<_, Error>(cursors.into_iter().zip(translated(conn, language, items)?).collect())
            });
            items.await?
        }
        None => Vec::new(),
    };
    let next = page.cut(&mut items, |(cursor, _)| *cursor);
    let items: Vec<Item> = items.into_iter().map(|(_, item)| item).collect();
    let mut reply = HttpResponse::Ok();
    reply.insert_header((header::CACHE_CONTROL, "no-store"));
    if let Some(last) = next {
        reply.insert_header((header::LINK, page.next_link(req.path(), last)));
    }
    Ok(reply.json(items))
}

/// Adds a video to the watchlist of the session's number.
#[utoipa::path(
    post,
    path = "",
    request_body = NewItem,
    responses((status = 200, description = "The new state. Repeating the call changes nothing.", body = ItemState), NotFound)
)]
pub(crate) async fn add_item(
    app: Data<App>,
    subscriber: Subscriber,
    item: Json<NewItem>,
) -> Result<Json<ItemState>, Error> {
    subscriber.own(item.ani.as_deref())?;
    let service = subscriber.own_service(item.service.as_deref())?.to_owned();
    let videoid = item.videoid.get();
    mark(&app, subscriber, service, videoid).await?;
    Ok(Json(ItemState { videoid, watchlisted: true }))
}

/// Removes a video from the watchlist of the session's number.
#[utoipa::path(
    delete,
    path = "",
    request_body = OldItem,
    responses((status = 200, description = "The new state. Repeating the call changes nothing.", body = ItemState), NotFound)
)]
pub(crate) async fn remove_item(
    app: Data<App>,
    subscriber: Subscriber,
    item: Json<OldItem>,
) -> Result<Json<ItemState>, Error> {
    subscriber.own(item.ani.as_deref())?;
    let videoid = item.videoid.get();
    unmark(&app, subscriber, videoid).await?;
    Ok(Json(ItemState { videoid, watchlisted: false }))
}

/// A video of a watchlist, as it is stored.
#[derive(Queryable, Selectable)]
#[diesel(table_name = videos)]
struct Row {
    #[diesel(select_expression = watchlist::created)]
    created: NaiveDateTime,
    id: i64,
    name: String,
    artist: String,
    image: String,
    duration_s: i64,
    bytes: i64,
}

impl Translated for Item {
    fn add_texts<'a>(&'a mut self, texts: &mut Vec<Text<'a>>) {
        let (text, lang) = (&mut self.name, &mut self.name_lang);
        texts.push(Text { table: "videos", id: self.id, field: "name", text, lang });
    }
}

impl Item {
    /// At most `limit` items of a phone number in a service after a position, newest first, each with its own position.
    pub fn of(
        conn: &mut DbConnection,
        Session { msisdn, person, .. }: &Session,
        service: &str,
        limit: i64,
        after: Cursor,
    ) -> Result<Vec<(Cursor, Self)>, Error> {
        let now = service::timestamp::now();
        let Cursor { created, videoid } = after;
        let rows = watchlist::table
            .inner_join(videos::table)
            .inner_join(categories::table.on(videos::category_id.eq(categories::id)))
            .filter(watchlist::msisdn.eq(msisdn.as_str()).and(watchlist::service.eq(service)))
            .filter(watchlist::person.eq(person))
            // The first condition bounds the range of the index, the second selects within one second.
            .filter(watchlist::created.le(created))
            .filter(watchlist::created.lt(created).or(watchlist::video_id.lt(videoid)))
            .filter(catalogue::found!(videos, now).and(catalogue::found!(categories, now)))
            .order((watchlist::created.desc(), watchlist::video_id.desc()))
            .limit(limit)
            .select(Row::as_select())
            .load(conn)?;
        let item = |Row { created, id, name, artist, image: imgurl, duration_s, bytes }| {
            let item = Self { id, name, name_lang: None, videoid: id, artist, imgurl, duration_s, bytes };
            (Cursor { created, videoid: id }, item)
        };
        Ok(rows.into_iter().map(item).collect())
    }

    /// The ids of all videos in a phone number's watchlist in a service, newest first.
    pub fn ids_of(conn: &mut DbConnection, session: &Session, service: &str) -> Result<Vec<i64>, Error> {
        let Session { msisdn, person, .. } = session;
        let now = service::timestamp::now();
        Ok(watchlist::table
            .inner_join(videos::table)
            .inner_join(categories::table.on(videos::category_id.eq(categories::id)))
            .filter(watchlist::msisdn.eq(msisdn.as_str()).and(watchlist::service.eq(service)))
            .filter(watchlist::person.eq(person))
            .filter(catalogue::found!(videos, now).and(catalogue::found!(categories, now)))
            .order((watchlist::created.desc(), watchlist::video_id.desc()))
            .select(watchlist::video_id)
            .load(conn)?)
    }
}

marks!(watchlist);

//! The watchlist: videos that a phone number saved to watch later.

use actix_web::{
    HttpResponse,
    http::header,
    web::{Data, Json, Path},
};
use catalogue::{App, Error};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use identity::{Msisdn, Subscriber};
use serde::{Deserialize, Serialize};
use service::{Id, MAX_PAGE, openapi::NotFound};
use store::{DbConnection, on_each_backend};
use utoipa::ToSchema;

use crate::{
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

/// The session's watchlist in a service; empty without a session.
#[utoipa::path(
    get,
    path = "",
    params(("service" = service::schema::Name, Path, description = "The service, by any of its names, in any letter case.")),
    responses((status = 200, description = "The newest first, at most 200.", body = [Item]), NotFound)
)]
pub(crate) async fn list_own(
    app: Data<App>,
    name: Path<String>,
    subscriber: Option<Subscriber>,
) -> Result<HttpResponse, Error> {
    let service = app.service_named(&name)?;
    let items = match subscriber.filter(|subscriber| subscriber.site.brand.service == service) {
        Some(subscriber) => app.db.run(move |conn| Item::of(conn, &subscriber.session.msisdn, &service)).await?,
        None => Vec::new(),
    };
    Ok(HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-store")).json(items))
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
    let msisdn = subscriber.own(item.ani.as_deref())?.clone();
    let service = subscriber.own_service(item.service.as_deref())?.to_owned();
    let videoid = item.videoid.get();
    app.db
        .write(move |conn| {
            Video::in_service(conn, videoid, &service)?;
            add(conn, &msisdn, videoid, &service, service::timestamp::now())
        })
        .await?;
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
    let msisdn = subscriber.own(item.ani.as_deref())?.clone();
    let service = subscriber.site.brand.service.clone();
    let videoid = item.videoid.get();
    app.db
        .write(move |conn| {
            Video::in_service(conn, videoid, &service)?;
            diesel::delete(watchlist::table.find((msisdn.as_str(), videoid))).execute(conn)?;
            Ok::<_, Error>(())
        })
        .await?;
    Ok(Json(ItemState { videoid, watchlisted: false }))
}

impl Item {
    /// The items of a phone number in a service, newest first; at most 200.
    pub fn of(conn: &mut DbConnection, msisdn: &Msisdn, service: &str) -> Result<Vec<Self>, Error> {
        let now = service::timestamp::now();
        let rows: Vec<(i64, String, String, String, i64, i64)> = watchlist::table
            .inner_join(videos::table)
            .inner_join(categories::table.on(videos::category_id.eq(categories::id)))
            .filter(watchlist::msisdn.eq(msisdn.as_str()).and(watchlist::service.eq(service)))
            .filter(catalogue::found!(videos, now).and(catalogue::found!(categories, now)))
            .order((watchlist::created.desc(), watchlist::video_id.desc()))
            .limit(MAX_PAGE)
            .select((videos::id, videos::name, videos::artist, videos::image, videos::duration_s, videos::bytes))
            .load(conn)?;
        Ok(rows
            .into_iter()
            .map(|(id, name, artist, imgurl, duration_s, bytes)| Self {
                id,
                name,
                videoid: id,
                artist,
                imgurl,
                duration_s,
                bytes,
            })
            .collect())
    }
}

fn add(conn: &mut DbConnection, msisdn: &Msisdn, videoid: i64, service: &str, now: NaiveDateTime) -> Result<(), Error> {
    let row = (
        watchlist::msisdn.eq(msisdn.as_str()),
        watchlist::video_id.eq(videoid),
        watchlist::service.eq(service),
        watchlist::created.eq(now),
    );
    on_each_backend!(conn, conn => diesel::insert_into(watchlist::table).values(row).on_conflict_do_nothing().execute(conn))?;
    Ok(())
}

//! Likes of videos: at most one per phone number and video.

use actix_web::{
    HttpResponse,
    http::header,
    web::{Data, Json, Path},
};
use catalogue::{App, Error};
use diesel::prelude::*;
use identity::{Session, Subscriber};
use serde::{Deserialize, Serialize};
use service::{Id, openapi::NotFound};
use store::{DbConnection, on_each_backend};
use utoipa::ToSchema;

use crate::{marks::marks, schema::likes, videos::Video, watchlist};

/// A like with the fields of the specification; the server uses its own time and ignores `created`.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewTtLike)]
#[expect(dead_code, reason = "fields of the specification that are checked for their type and not used")]
pub(crate) struct NewLike {
    videoid: Id,
    #[schema(value_type = Option<service::schema::OwnNumber>)]
    ani: Option<String>,
    status: Option<String>,
    servicename: Option<String>,
    created: Option<String>,
}

/// An unlike with the fields of the specification.
#[derive(Deserialize, ToSchema)]
#[schema(as = OldTtLike)]
pub(crate) struct OldLike {
    videoid: Id,
    #[schema(value_type = Option<service::schema::OwnNumber>)]
    ani: Option<String>,
}

/// The state after a like or unlike.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TtLikeState)]
pub(crate) struct LikeState {
    #[schema(value_type = Id)]
    videoid: i64,
    liked: bool,
}

/// The likes and watchlist of a session in one service.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = MyTt)]
struct OwnMarks {
    #[schema(value_type = Vec<Id>)]
    liked: Vec<i64>,
    #[schema(value_type = Vec<Id>)]
    watchlist: Vec<i64>,
}

/// The likes and watchlist of the session's number; empty lists without a session for the service.
#[utoipa::path(
    get,
    path = "",
    params(("service" = service::schema::Name, Path, description = "The service, by any of its names, in any letter case.")),
    responses((status = 200, description = "The ids of the videos.", body = OwnMarks), NotFound)
)]
pub(crate) async fn get_own_state(
    app: Data<App>,
    name: Path<String>,
    subscriber: Option<Subscriber>,
) -> Result<HttpResponse, Error> {
    let service = app.service_named(&name)?;
    let mine = match subscriber.filter(|subscriber| subscriber.site.brand.service == service) {
        Some(subscriber) => {
            let load = move |conn: &mut DbConnection| {
                let session = &subscriber.session;
                Ok::<_, Error>(OwnMarks {
                    liked: liked_by(conn, session, &service)?,
                    watchlist: watchlist::Item::ids_of(conn, session, &service)?,
                })
            };
            app.db.run(load).await?
        }
        None => OwnMarks::default(),
    };
    Ok(HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-store")).json(mine))
}

/// Likes a video for the session's number.
#[utoipa::path(
    post,
    path = "",
    request_body = NewLike,
    responses((status = 200, description = "The new state. Repeating the call changes nothing.", body = LikeState), NotFound)
)]
pub(crate) async fn add_like(
    app: Data<App>,
    subscriber: Subscriber,
    like: Json<NewLike>,
) -> Result<Json<LikeState>, Error> {
    subscriber.own(like.ani.as_deref())?;
    let service = subscriber.own_service(like.servicename.as_deref())?.to_owned();
    let videoid = like.videoid.get();
    mark(&app, subscriber, service, videoid).await?;
    Ok(Json(LikeState { videoid, liked: true }))
}

/// Removes the like of a video for the session's number.
#[utoipa::path(
    delete,
    path = "",
    request_body = OldLike,
    responses((status = 200, description = "The new state. Repeating the call changes nothing.", body = LikeState), NotFound)
)]
pub(crate) async fn remove_like(
    app: Data<App>,
    subscriber: Subscriber,
    like: Json<OldLike>,
) -> Result<Json<LikeState>, Error> {
    subscriber.own(like.ani.as_deref())?;
    let videoid = like.videoid.get();
    unmark(&app, subscriber, videoid).await?;
    Ok(Json(LikeState { videoid, liked: false }))
}

fn liked_by(conn: &mut DbConnection, session: &Session, service: &str) -> Result<Vec<i64>, Error> {
    let Session { msisdn, person, .. } = session;
    Ok(likes::table
        .filter(likes::person.eq(person))
        .filter(likes::msisdn.eq(msisdn.as_str()).and(likes::service.eq(service)))
        .order(likes::video_id)
        .select(likes::video_id)
        .load(conn)?)
}

marks!(likes);

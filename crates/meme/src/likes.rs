//! Likes: at most one per phone number and meme, counted on the meme.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header,
    web::{Data, Json, Query},
};
use catalogue::{App, Error, translated};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use identity::{Session, Subscriber, SubscriberId};
use serde::{Deserialize, Serialize};
use service::{Id, Message, Page, PageQuery, openapi::NotFound};
use store::{DbConnection, on_each_backend};
use utoipa::ToSchema;

use crate::{
    memes::Meme,
    schema::{categories, likes, memes},
};

/// A like with the fields of the specification; the server uses its own time and ignores `created` and `updated`.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewMemeLike)]
#[expect(dead_code, reason = "fields of the specification that are checked for their type and not used")]
pub(crate) struct NewLike {
    id: Id,
    #[schema(value_type = Option<service::schema::OwnNumber>)]
    ani: Option<String>,
    like: Option<String>,
    created: Option<String>,
    updated: Option<String>,
}

/// An unlike with the fields of the specification.
#[derive(Deserialize, ToSchema)]
#[schema(as = OldMemeLike)]
pub(crate) struct OldLike {
    meme_id: Id,
    #[schema(value_type = Option<service::schema::OwnNumber>)]
    ani: Option<String>,
}

/// The state after a like or unlike.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MemeLikeState)]
pub(crate) struct LikeState {
    #[schema(value_type = Id)]
    id: i64,
    liked: bool,
    #[schema(value_type = service::schema::Count)]
    likes: i64,
}

/// The likes of a session.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MyMemes)]
struct OwnLikes {
    #[schema(value_type = Vec<Id>)]
    liked: Vec<i64>,
}

/// The likes of the session's number; an empty list without a session.
#[utoipa::path(get, path = "", responses((status = 200, description = "The ids of the memes.", body = OwnLikes)))]
pub(crate) async fn list_own_likes(app: Data<App>, subscriber: Option<Subscriber>) -> Result<HttpResponse, Error> {
    let liked = match subscriber {
        Some(subscriber) => app.db.run(move |conn| liked_by(conn, &subscriber.session)).await?,
        None => Vec::new(),
    };
    Ok(HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-store")).json(OwnLikes { liked }))
}

/// The memes that the session's number likes; none without a session.
#[utoipa::path(
    get,
    path = "",
    params(PageQuery),
    responses(
        (
            status = 200,
            description = "One page, the newest meme first.",
            body = [Meme],
            headers(("Link" = String, description = "The next page: `rel=next`. Absent on the last page."))
        )
    )
)]
pub(crate) async fn list_liked(
    app: Data<App>,
    subscriber: Option<Subscriber>,
    query: Query<PageQuery>,
    req: HttpRequest,
) -> Result<HttpResponse, Error> {
    let (page, language) = (Page::try_from(query.into_inner())?, service::language(&req));
    let mut memes = match subscriber {
        Some(subscriber) => {
            let liked = move |conn: &mut DbConnection| {
                let memes = Meme::liked_by(conn, &subscriber.session, page)?;
                translated(conn, language, memes)
            };
            app.db.run(liked).await?
        }
        None => Vec::new(),
    };
    let mut reply = HttpResponse::Ok();
    reply.insert_header((header::CACHE_CONTROL, "no-store"));
    if let Some(last) = page.cut(&mut memes, |meme| meme.id) {
        reply.insert_header((header::LINK, page.next_link(req.path(), last)));
    }
    Ok(reply.json(memes))
}

/// Likes a meme for the session's number.
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
    let (session, id) = (subscriber.session, like.id.get());
    let likes = app.db.write(move |conn| add(conn, &session, id, service::timestamp::now())).await?;
    Ok(Json(LikeState { id, liked: true, likes }))
}

/// Removes the like of a meme for the session's number.
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
    let msisdn = subscriber.own(like.ani.as_deref())?.clone();
    let id = like.meme_id.get();
    let likes = app.db.write(move |conn| remove(conn, &msisdn, id)).await?;
    Ok(Json(LikeState { id, liked: false, likes }))
}

fn liked_by(conn: &mut DbConnection, Session { msisdn, person, .. }: &Session) -> Result<Vec<i64>, Error> {
    Ok(likes::table
        .filter(likes::msisdn.eq(msisdn.as_str()).and(likes::person.eq(person)))
        .order(likes::meme_id)
        .select(likes::meme_id)
        .load(conn)?)
}

fn add(conn: &mut DbConnection, session: &Session, meme_id: i64, now: NaiveDateTime) -> Result<i64, Error> {
    let Session { msisdn, person, .. } = session;
    // The former owner's like of it goes: this one counts in its place.
    let of_former = likes::table.find((msisdn.as_str(), meme_id)).filter(likes::person.lt(person));
    if diesel::delete(of_former).execute(conn)? > 0 {
        diesel::update(memes::table.find(meme_id)).set(memes::likes.eq(memes::likes - 1)).execute(conn)?;
    }
    let count = count(conn, meme_id)?;
    let row = (
        likes::msisdn.eq(msisdn.as_str()),
        likes::meme_id.eq(meme_id),
        likes::created.eq(now),
        likes::person.eq(person),
    );
    let added = on_each_backend!(conn, conn => diesel::insert_into(likes::table).values(row).on_conflict_do_nothing().execute(conn))?;
    if added == 0 {
        return Ok(count);
    }
    Ok(diesel::update(memes::table.find(meme_id))
        .set(memes::likes.eq(memes::likes + 1))
        .returning(memes::likes)
        .get_result(conn)?)
}

fn remove(conn: &mut DbConnection, msisdn: &SubscriberId, meme_id: i64) -> Result<i64, Error> {
    let count = count(conn, meme_id)?;
    if diesel::delete(likes::table.find((msisdn.as_str(), meme_id))).execute(conn)? == 0 {
        return Ok(count);
    }
    Ok(diesel::update(memes::table.find(meme_id))
        .set(memes::likes.eq(memes::likes - 1))
        .returning(memes::likes)
        .get_result(conn)?)
}

fn count(conn: &mut DbConnection, meme_id: i64) -> Result<i64, Error> {
    let now = service::timestamp::now();
    memes::table
        .inner_join(categories::table)
        .filter(memes::id.eq(meme_id))
        .filter(catalogue::found!(memes, now).and(catalogue::found!(categories, now)))
        .select(memes::likes)
        .first(conn)
        .optional()?
        .ok_or(Error::Unknown(Message::new("no-such-meme")))
}

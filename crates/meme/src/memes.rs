//! Memes: by category, and random.

use std::borrow::Cow;

use actix_web::{
    HttpRequest, HttpResponse,
    http::header,
    web::{Data, Path, Query},
};
use catalogue::{App, Error, Text, Translated, translated};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use identity::{Session, Site};
use serde::{Deserialize, Serialize};
use service::{
    Id, Message, Page, PageQuery, Problem,
    openapi::{Cached, NotFound},
};
use store::{CacheKey, DbConnection};
use utoipa::ToSchema;

use crate::{
    categories::{Category, service_of},
    random::RandomMemes,
    schema::{categories, likes, memes},
};

/// The default number of random memes.
const DEFAULT_RANDOM: usize = 30;
/// The most random memes.
const MAX_RANDOM: usize = 100;

/// `?limit=` of random memes.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DrawQuery {
    /// The number of memes to draw.
    #[param(nullable = false, minimum = 1, maximum = 100, default = 30)]
    limit: Option<i64>,
}

/// A meme.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Meme {
    /// The meme's id.
    #[schema(value_type = Id)]
    pub id: i64,
    /// Its title.
    pub title: String,
    /// The language of `title` where it is a translation; absent: English.
    #[schema(value_type = Option<service::schema::LanguageCode>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title_lang: Option<Cow<'static, str>>,
    /// `https` address of the picture.
    #[schema(value_type = service::schema::HttpsAddress)]
    pub image: String,
    /// The time of publication, UTC.
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    pub created_at: NaiveDateTime,
    /// The number of likes.
    #[schema(value_type = service::schema::Count)]
    pub likes: i64,
    /// The category's id.
    #[schema(value_type = Id)]
    pub category_id: i64,
}

/// A meme as it is stored.
#[derive(Queryable, Selectable)]
#[diesel(table_name = memes)]
struct Row {
    id: i64,
    title: String,
    image: String,
    created_at: NaiveDateTime,
    likes: i64,
    category_id: i64,
}

/// A page of a category's memes, with the category's name.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MemeDetail)]
struct CategoryMemes {
    #[serde(rename = "memeData")]
    meme_data: Vec<Meme>,
    #[serde(rename = "categoryName")]
    category_name: String,
    /// The language of `categoryName` where it is a translation; absent: English.
    #[schema(value_type = Option<service::schema::LanguageCode>, nullable = false)]
    #[serde(rename = "categoryName_lang", skip_serializing_if = "Option::is_none")]
    category_name_lang: Option<Cow<'static, str>>,
}

/// A category's memes.
#[utoipa::path(
    get,
    path = "",
    params(("id" = Id, Path, description = "The category's id."), PageQuery),
    responses((status = 200, description = "One page, in the order of ids.", body = CategoryMemes), Cached, NotFound)
)]
pub(crate) async fn list_memes(
    app: Data<App>,
    id: Path<Id>,
    page: Query<PageQuery>,
    req: HttpRequest,
) -> Result<HttpResponse, Error> {
    let (id, page, language) = (id.get(), Page::try_from(page.into_inner())?, service::language(&req));
    let query = move |conn: &mut DbConnection| {
        let category = Category::find(conn, id)?;
        let memes = Meme::in_category(conn, id, page)?;
        let (memes, category) = translated(conn, language, (memes, category))?;
        Ok::<_, Error>((memes, category))
    };
    app.replies
        .page_within(
            &req,
            CacheKey::default(),
            page,
            |meme: &Meme| meme.id,
            query,
            |meme_data, Category { name, name_lang, .. }| CategoryMemes {
                meme_data,
                category_name: name,
                category_name_lang: name_lang,
            },
        )
        .await
}

/// Random memes without duplicates. The reply is not cached.
#[utoipa::path(
    get,
    path = "",
    params(DrawQuery),
    responses((status = 200, description = "The memes; fewer if there are not enough.", body = [Meme]))
)]
pub(crate) async fn draw_memes(
    app: Data<App>,
    random_memes: Data<RandomMemes>,
    site: Option<Site>,
    query: Query<DrawQuery>,
    req: HttpRequest,
) -> Result<HttpResponse, Error> {
    let count = match query.limit {
        None => DEFAULT_RANDOM,
        Some(limit) => usize::try_from(limit)
            .ok()
            .filter(|limit| (1..=MAX_RANDOM).contains(limit))
            .ok_or_else(|| Problem::bad_request(Message::new("random-limit")))?,
    };
    let service = service_of(&app, site.as_ref())?;
    let memes = random_memes.draw(&app.db, &service, count, service::language(&req)).await?;
    Ok(HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-store")).json(memes))
}

impl Translated for Meme {
    fn add_texts<'a>(&'a mut self, texts: &mut Vec<Text<'a>>) {
        let (text, lang) = (&mut self.title, &mut self.title_lang);
        texts.push(Text { table: "memes", id: self.id, field: "title", text, lang });
    }
}

impl Meme {
    /// One page of a category's memes, ordered by id.
    pub fn in_category(conn: &mut DbConnection, category_id: i64, page: Page) -> Result<Vec<Self>, Error> {
        let rows = memes::table
            .filter(memes::category_id.eq(category_id).and(memes::id.gt(page.after)))
            .filter(catalogue::listed!(memes, service::timestamp::now()))
            .order(memes::id)
            .limit(page.fetch())
            .select(Row::as_select())
            .load(conn)?;
        Ok(rows.into_iter().map(Self::from).collect())
    }

    /// The listed memes that a session likes, in listed categories, the newest first.
    pub fn liked_by(conn: &mut DbConnection, session: &Session, page: Page) -> Result<Vec<Self>, Error> {
        let (now, before) = (service::timestamp::now(), if page.after == 0 { i64::MAX } else { page.after });
        let rows = likes::table
            .inner_join(memes::table.inner_join(categories::table))
            .filter(likes::msisdn.eq(session.msisdn.as_str()).and(likes::person.eq(session.person)))
            .filter(likes::meme_id.lt(before))
            .filter(catalogue::listed!(memes, now).and(catalogue::listed!(categories, now)))
            .order(likes::meme_id.desc())
            .limit(page.fetch())
            .select(Row::as_select())
            .load(conn)?;
        Ok(rows.into_iter().map(Self::from).collect())
    }

    /// The listed memes with these ids, in listed categories, in the order of the ids.
    pub fn of_ids(conn: &mut DbConnection, ids: &[i64]) -> Result<Vec<Self>, Error> {
        // For an empty list SQLite would scan the whole table.
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let now = service::timestamp::now();
        let mut found = memes::table
            .inner_join(categories::table)
            .filter(memes::id.eq_any(ids).and(catalogue::listed!(memes, now)).and(catalogue::listed!(categories, now)))
            .select(Row::as_select())
            .load(conn)?;
        found.sort_by_key(|row| ids.iter().position(|id| *id == row.id));
        Ok(found.into_iter().map(Self::from).collect())
    }
}

impl From<Row> for Meme {
    fn from(row: Row) -> Self {
        let Row { id, title, image, created_at, likes, category_id } = row;
        Self { id, title, title_lang: None, image, created_at, likes, category_id }
    }
}

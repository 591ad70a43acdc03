//! Video categories: the list, the home page's rows, and one category in full.

use std::{borrow::Cow, collections::HashMap};

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path, Query},
};
use catalogue::{App, Error, Last, Text, Translated, translated};
use diesel::{
    backend::Backend,
    deserialize::{self, FromStaticSqlRow},
    prelude::*,
    sql_types::{BigInt, Text as SqlText},
};
use identity::Site;
use serde::Serialize;
use service::{
    Message, Page, PageQuery, Problem,
    openapi::{Cached, NotFound},
};
use store::{CacheKey, DbConnection};
use utoipa::ToSchema;

use crate::{
    home_rows,
    schema::categories,
    videos::{Video, VideoCard},
};

/// A category.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TtCategory)]
pub struct Category {
    /// The category's id.
    #[schema(value_type = service::Id)]
    pub id: i64,
    /// Its name.
    pub category_name: String,
    /// The language of `category_name` where it is a translation; absent: English.
    #[schema(value_type = Option<service::schema::LanguageCode>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category_name_lang: Option<Cow<'static, str>>,
}

impl<DB: Backend> Queryable<(BigInt, SqlText), DB> for Category
where
    (i64, String): FromStaticSqlRow<(BigInt, SqlText), DB>,
{
    type Row = (i64, String);

    fn build((id, category_name): Self::Row) -> deserialize::Result<Self> {
        Ok(Self { id, category_name, category_name_lang: None })
    }
}

/// A row of the home page: a category with its first videos.
//
// Written by `home_rows`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TtCategoryVideos)]
pub struct CategoryVideos {
    /// The category.
    pub category: Category,
    /// Its first videos.
    pub videos: Vec<VideoCard>,
}

/// A category with its videos.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TtCategoryDetail)]
struct CategoryDetail {
    #[serde(rename = "categoryName")]
    category_name: String,
    /// The language of `categoryName` where it is a translation; absent: English.
    #[schema(value_type = Option<service::schema::LanguageCode>, nullable = false)]
    #[serde(rename = "categoryName_lang", skip_serializing_if = "Option::is_none")]
    category_name_lang: Option<Cow<'static, str>>,
    videos: Vec<Video>,
}

/// The categories of a service.
#[utoipa::path(
    get,
    path = "",
    params(("service" = service::schema::Name, Path, description = "The service, by any of its names, in any letter case."), PageQuery),
    responses((status = 200, description = "One page, by position, then by id.", body = [Category]), Cached, NotFound)
)]
pub(crate) async fn list_categories(
    app: Data<App>,
    name: Path<String>,
    page: Query<PageQuery>,
    req: HttpRequest,
) -> Result<HttpResponse, Error> {
    let page = Page::try_from(page.into_inner())?;
    let (service, language) = (app.service_named(&name)?, service::language(&req));
    let query = move |conn: &mut DbConnection| {
        let categories = Category::in_service(conn, &service, page)?;
        translated(conn, language, categories)
    };
    app.replies.page(&req, CacheKey::default(), page, |category: &Category| category.id, query).await
}

/// The categories of a service, each with its first videos.
#[utoipa::path(
    get,
    path = "",
    params(("service" = service::schema::Name, Path, description = "The service, by any of its names, in any letter case."), PageQuery),
    responses((status = 200, description = "One page, by position, then by id.", body = [CategoryVideos]), Cached, NotFound)
)]
pub(crate) async fn list_with_videos(
    app: Data<App>,
    name: Path<String>,
    page: Query<PageQuery>,
    req: HttpRequest,
) -> Result<HttpResponse, Error> {
    let page = Page::try_from(page.into_inner())?;
    let (service, language) = (app.service_named(&name)?, service::language(&req));
    let query = move |conn: &mut DbConnection| home_rows::load(conn, &service, page, language);
    app.replies.page_of_json(&req, CacheKey::default(), page, query).await
}

impl Translated for Category {
    fn add_texts<'a>(&'a mut self, texts: &mut Vec<Text<'a>>) {
        let (text, lang) = (&mut self.category_name, &mut self.category_name_lang);
        texts.push(Text { table: "categories", id: self.id, field: "category_name", text, lang });
    }
}

impl Translated for CategoryVideos {
    fn add_texts<'a>(&'a mut self, texts: &mut Vec<Text<'a>>) {
        self.category.add_texts(texts);
        self.videos.add_texts(texts);
    }
}

/// A category of the host's brand, by id or name, with its videos.
#[utoipa::path(
    get,
    path = "",
    params(("category" = service::schema::NameOrId, Path, description = "The category's id, or its name in any letter case."), PageQuery),
    responses((status = 200, description = "One page, in the order of ids.", body = CategoryDetail), Cached, NotFound)
)]
pub(crate) async fn get_category(
    app: Data<App>,
    site: Option<Site>,
    cat: Path<String>,
    page: Query<PageQuery>,
    req: HttpRequest,
) -> Result<HttpResponse, Error> {
    let page = Page::try_from(page.into_inner())?;
    let (service, language) = (app.service_of(site.as_ref())?, service::language(&req));
    let category_ref = CategoryRef::parse(&cat)?;
    let query = {
        let service = service.clone();
        move |conn: &mut DbConnection| {
            let category = Category::find(conn, &service, &category_ref)?;
            let videos = Video::in_category(conn, category.id, page)?;
            let (videos, category) = translated(conn, language, (videos, category))?;
            Ok::<_, Error>((videos, category))
        }
    };
    app.replies
        .page_within(
            &req,
            CacheKey { service: &service, ..CacheKey::default() },
            page,
            |video: &Video| video.id,
            query,
            |videos, Category { category_name, category_name_lang, .. }| CategoryDetail {
                category_name,
                category_name_lang,
                videos,
            },
        )
        .await
}

/// The last segment of `catVideos/{cat}`: all digits are an id, anything else is a name.
pub(crate) enum CategoryRef {
    Id(i64),
    Name(String),
}

impl CategoryRef {
    fn parse(text: &str) -> Result<Self, Problem> {
        if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
            return Ok(Self::Name(text.trim().to_lowercase()));
        }
        match text.parse::<i64>() {
            Ok(id) if id > 0 => Ok(Self::Id(id)),
            _ => Err(Problem::bad_request(Message::new("not-an-id"))),
        }
    }
}

/// How a category has a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
    Itself,
    InTranslation,
}

impl Category {
    /// Whether this is its name, in lower case, in any language.
    fn named(&self, name: &str, translations: Option<&str>) -> Option<Named> {
        if self.category_name.to_lowercase() == name {
            return Some(Named::Itself);
        }
        let texts: HashMap<String, String> = serde_json::from_str(translations?).ok()?;
        texts.values().any(|text| text.to_lowercase() == name).then_some(Named::InTranslation)
    }

    /// One page of a service's categories, in the order of editors.
    pub fn in_service(conn: &mut DbConnection, service: &str, page: Page) -> Result<Vec<Self>, Error> {
        let last = Last::of(conn, "categories", page.after)?;
        Ok(categories::table
            .filter(categories::service.eq(service).and(catalogue::listed!(categories, service::timestamp::now())))
            .filter(catalogue::behind!(categories, last))
            .order((categories::rank, categories::id))
            .limit(page.fetch())
            .select((categories::id, categories::category_name))
            .load(conn)?)
    }

    /// A service's category by id, or by name in any case: its own name first, then that in another language.
    pub(crate) fn find(conn: &mut DbConnection, service: &str, category_ref: &CategoryRef) -> Result<Self, Error> {
        let of_service = categories::table
            .filter(categories::service.eq(service).and(catalogue::found!(categories, service::timestamp::now())));
        match category_ref {
            CategoryRef::Id(id) => of_service
                .filter(categories::id.eq(id))
                .select((categories::id, categories::category_name))
                .first::<Self>(conn)
                .optional()?,
            // Names are compared here, since the engines fold case differently; a service has dozens of categories.
            CategoryRef::Name(name) => of_service
                .select(((categories::id, categories::category_name), categories::translations))
                .load::<(Self, Option<String>)>(conn)?
                .into_iter()
                .filter_map(|(category, translations)| Some((category.named(name, translations.as_deref())?, category)))
                .min_by_key(|(named, category)| (*named, category.id))
                .map(|(_, category)| category),
        }
        .ok_or(Error::Unknown(Message::new("no-such-category")))
    }
}

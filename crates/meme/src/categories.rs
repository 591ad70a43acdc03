//! Meme categories.

use std::borrow::Cow;

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Query},
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
use service::{Message, Page, PageQuery, openapi::Cached};
use store::{CacheKey, DbConnection};
use utoipa::ToSchema;

use crate::schema::categories;

/// A category.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MemeCategory)]
pub struct Category {
    /// The category's id.
    #[schema(value_type = service::Id)]
    pub id: i64,
    /// Its name.
    pub name: String,
    /// The language of `name` where it is a translation; absent: English.
    #[schema(value_type = Option<service::schema::LanguageCode>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_lang: Option<Cow<'static, str>>,
}

impl<DB: Backend> Queryable<(BigInt, SqlText), DB> for Category
where
    (i64, String): FromStaticSqlRow<(BigInt, SqlText), DB>,
{
    type Row = (i64, String);

    fn build((id, name): Self::Row) -> deserialize::Result<Self> {
        Ok(Self { id, name, name_lang: None })
    }
}

/// The categories of the site's service.
#[utoipa::path(
    get,
    path = "",
    params(PageQuery),
    responses((status = 200, description = "One page, by position, then by id.", body = [Category]), Cached)
)]
pub(crate) async fn list_categories(
    app: Data<App>,
    site: Option<Site>,
    page: Query<PageQuery>,
    req: HttpRequest,
) -> Result<HttpResponse, Error> {
    let page = Page::try_from(page.into_inner())?;
    let (service, language) = (service_of(&app, site.as_ref())?, service::language(&req));
    let query = {
        let service = service.clone();
        move |conn: &mut DbConnection| {
            let categories = Category::in_service(conn, &service, page)?;
            translated(conn, language, categories)
        }
    };
    app.replies
        .page(
            &req,
            CacheKey { service: &service, ..CacheKey::default() },
            page,
            |category: &Category| category.id,
            query,
        )
        .await
}

/// The service of the request's host; if that is no meme brand, the first meme brand's.
pub(crate) fn service_of(app: &App, site: Option<&Site>) -> Result<String, Error> {
    app.service_of(site).or_else(|unknown| {
        let first = app.brands.iter().find(|brand| brand.kind == app.publication.kind);
        first.map(|brand| brand.service.clone()).ok_or(unknown)
    })
}

impl Translated for Category {
    fn add_texts<'a>(&'a mut self, texts: &mut Vec<Text<'a>>) {
        let (text, lang) = (&mut self.name, &mut self.name_lang);
        texts.push(Text { table: "categories", id: self.id, field: "name", text, lang });
    }
}

impl Category {
    /// One page of a service's categories, in the order of editors.
    pub fn in_service(conn: &mut DbConnection, service: &str, page: Page) -> Result<Vec<Self>, Error> {
        let last = Last::of(conn, "categories", page.after)?;
        Ok(categories::table
            .filter(categories::service.eq(service).and(catalogue::listed!(categories, service::timestamp::now())))
            .filter(catalogue::behind!(categories, last))
            .order((categories::rank, categories::id))
            .limit(page.fetch())
            .select((categories::id, categories::name))
            .load(conn)?)
    }

    /// The category with this id.
    pub fn find(conn: &mut DbConnection, id: i64) -> Result<Self, Error> {
        categories::table
            .find(id)
            .filter(catalogue::found!(categories, service::timestamp::now()))
            .select((categories::id, categories::name))
            .first(conn)
            .optional()?
            .ok_or(Error::Unknown(Message::new("no-such-category")))
    }
}

//! Banners: the large pictures at the top of a home page.

use std::borrow::Cow;

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path, Query},
};
use catalogue::{App, Error, Last, Text, Translated, translated};
use diesel::prelude::*;
use serde::Serialize;
use service::{
    Page, PageQuery,
    openapi::{Cached, NotFound},
};
use store::{CacheKey, DbConnection};
use utoipa::ToSchema;

use crate::schema::{banners, videos};

/// A banner.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TtBanner)]
pub struct Banner {
    /// The banner's id.
    #[schema(value_type = service::Id)]
    pub id: i64,
    /// The banner's title.
    pub title: String,
    /// The language of `title` where it is a translation; absent: English.
    #[schema(value_type = Option<service::schema::LanguageCode>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title_lang: Option<Cow<'static, str>>,
    /// `https` address of the picture.
    #[schema(value_type = service::schema::HttpsAddress)]
    pub imgurl: String,
    /// The linked video, if any.
    #[schema(value_type = Option<service::Id>, required = true)]
    pub videoid: Option<i64>,
}

/// The columns that a query of banners selects.
#[derive(Queryable)]
struct Row {
    id: i64,
    title: String,
    image: String,
    video: Option<i64>,
}

impl From<Row> for Banner {
    fn from(row: Row) -> Self {
        Self { id: row.id, title: row.title, title_lang: None, imgurl: row.image, videoid: row.video }
    }
}

/// The banners of a service.
#[utoipa::path(
    get,
    path = "",
    params(("service" = service::schema::Name, Path, description = "The service, by any of its names, in any letter case."), PageQuery),
    responses((status = 200, description = "One page, by position, then by id.", body = [Banner]), Cached, NotFound)
)]
pub(crate) async fn list_banners(
    app: Data<App>,
    name: Path<String>,
    page: Query<PageQuery>,
    req: HttpRequest,
) -> Result<HttpResponse, Error> {
    let page = Page::try_from(page.into_inner())?;
    let (service, language) = (app.service_named(&name)?, service::language(&req));
    let query = move |conn: &mut DbConnection| {
        let banners = Banner::in_service(conn, &service, page)?;
        translated(conn, language, banners)
    };
    app.replies.page(&req, CacheKey::default(), page, |banner: &Banner| banner.id, query).await
}

impl Translated for Banner {
    fn add_texts<'a>(&'a mut self, texts: &mut Vec<Text<'a>>) {
        let (text, lang) = (&mut self.title, &mut self.title_lang);
        texts.push(Text { table: "banners", id: self.id, field: "title", text, lang });
    }
}

impl Banner {
    /// One page of a service's banners, in the order of editors.
    pub fn in_service(conn: &mut DbConnection, service: &str, page: Page) -> Result<Vec<Self>, Error> {
        let (now, last) = (service::timestamp::now(), Last::of(conn, "banners", page.after)?);
        let found = videos::table.on(banners::video_id.eq(videos::id.nullable()).and(catalogue::found!(videos, now)));
        let rows = banners::table
            .left_join(found)
            .filter(banners::service.eq(service).and(catalogue::listed!(banners, now)))
            .filter(catalogue::behind!(banners, last))
            .order((banners::rank, banners::id))
            .limit(page.fetch())
            .select((banners::id, banners::title, banners::image, videos::id.nullable()))
            .load::<Row>(conn)?;
        Ok(rows.into_iter().map(Self::from).collect())
    }
}

//! Meme categories.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Query},
};
use diesel::prelude::*;
use identity::Site;
use serde::Serialize;
use service::{Page, PageQuery, openapi::Cached};
use store::{DbConnection, Of};
use utoipa::ToSchema;

use crate::{app::App, error::Error, schema::categories};

/// A category as the API shows it.
#[derive(Clone, Debug, Queryable, Serialize, ToSchema)]
#[schema(as = MemeCategory)]
pub struct Category {
    /// The category's id.
    #[schema(value_type = service::Id)]
    pub id: i64,
    /// Its name.
    pub name: String,
}

/// The categories of the site's service.
#[utoipa::path(
    get,
    path = "",
    params(PageQuery),
    responses((status = 200, description = "One page, in the order of ids.", body = [Category]), Cached)
)]
pub(crate) async fn list_categories(
    app: Data<App>,
    site: Option<Site>,
    page: Query<PageQuery>,
    req: HttpRequest,
) -> Result<HttpResponse, Error> {
    let page = Page::try_from(page.into_inner())?;
    let service = app.service_of(site.as_ref())?;
    let query = {
        let service = service.clone();
        move |conn: &mut DbConnection| Category::in_service(conn, &service, page)
    };
    app.replies
        .page(&req, Of { service: &service, ..Of::default() }, page, |category: &Category| category.id, query)
        .await
}

impl Category {
    /// One page of a service's categories, in the order of their ids.
    pub fn in_service(conn: &mut DbConnection, service: &str, page: Page) -> Result<Vec<Self>, Error> {
        Ok(categories::table
            .filter(categories::service.eq(service).and(categories::id.gt(page.after)))
            .filter(store::listed!(categories, service::timestamp::now()))
            .order(categories::id)
            .limit(page.fetch())
            .select((categories::id, categories::name))
            .load(conn)?)
    }

    /// The category of this id.
    pub fn find(conn: &mut DbConnection, id: i64) -> Result<Self, Error> {
        categories::table
            .find(id)
            .filter(store::found!(categories, service::timestamp::now()))
            .select((categories::id, categories::name))
            .first(conn)
            .optional()?
            .ok_or(Error::UnknownCategory)
    }
}

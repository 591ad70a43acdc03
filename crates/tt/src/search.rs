//! Search in a service's videos.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path, Query},
};
use catalogue::{
    App, Error,
    search::{self, Order, SearchQuery, Table},
};
use service::{
    PageQuery,
    openapi::{Cached, NotFound},
};

use crate::videos::Video;

const TABLES: &[Table] = &[Table {
    name: "videos",
    title: "video_name",
    parent: Some(("categories", "category_id")),
    orders: &[(Order::Newest, "datetime"), (Order::MostLiked, "likes")],
}];

/// The videos whose titles, artist and category contain all words of the query; without a query, all of them.
#[utoipa::path(
    get,
    path = "",
    params(
        ("service" = service::schema::Name, Path, description = "The service, by any of its names, in any letter case."),
        SearchQuery,
        PageQuery
    ),
    responses((status = 200, description = "One page, best first; without a query, in its order, at most the first 1,000.", body = [Video]), Cached, NotFound)
)]
pub(crate) async fn list_found(
    app: Data<App>,
    service: Path<String>,
    query: Query<SearchQuery>,
    page: Query<PageQuery>,
    req: HttpRequest,
) -> Result<HttpResponse, Error> {
    search::respond(&app, &req, &service, (query, page), TABLES, |conn, hits| {
        Video::of_ids(conn, &search::ids(hits, "videos"))
    })
    .await
}

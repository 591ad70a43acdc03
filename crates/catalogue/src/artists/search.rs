//! Search in a service's artists and videos.

use std::collections::HashMap;

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path, Query},
};
use serde::Serialize;
use service::{
    PageQuery,
    openapi::{Cached, NotFound},
};
use utoipa::ToSchema;

use super::{artist::Artist, videos::Video};
use crate::{
    App, Error, Text, Translated,
    search::{self, Order, SearchQuery, Table},
};

const TABLES: &[Table] = &[
    Table { name: "artists", title: "artist", parent: None, orders: &[] },
    Table {
        name: "videos",
        title: "video_name",
        parent: Some(("artists", "artist_id")),
        orders: &[(Order::Newest, "datetime")],
    },
];

/// An artist or a video; only videos have a `videoid`.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = FoundArtistOrVideo)]
#[serde(untagged)]
pub(crate) enum Found {
    /// An artist, as `fetchArtist` lists it.
    Artist(Artist),
    /// A video, as `fetchVideos` lists it.
    Video(Video),
}

impl Translated for Found {
    fn add_texts<'a>(&'a mut self, texts: &mut Vec<Text<'a>>) {
        match self {
            Self::Artist(artist) => artist.add_texts(texts),
            Self::Video(video) => video.add_texts(texts),
        }
    }
}

/// The artists and videos that contain all words of the query, in name and description, or in title and artist; without a query, videos.
#[utoipa::path(
    get,
    path = "",
    params(
        ("service" = service::schema::Name, Path, description = "The service, by any of its names, in any letter case."),
        SearchQuery,
        PageQuery
    ),
    responses((status = 200, description = "One page, best first; without a query, in its order, at most the first 1,000.", body = [Found]), Cached, NotFound)
)]
pub(crate) async fn list_found(
    app: Data<App>,
    service: Path<String>,
    query: Query<SearchQuery>,
    page: Query<PageQuery>,
    req: HttpRequest,
) -> Result<HttpResponse, Error> {
    search::respond(&app, &req, &service, (query, page), TABLES, |conn, hits| {
        let artists = Artist::of_ids(conn, &search::ids(hits, "artists"))?;
        let videos = Video::of_ids(conn, &search::ids(hits, "videos"))?;
        let mut found: HashMap<(&str, i64), Found> = HashMap::new();
        found.extend(artists.into_iter().map(|artist| (("artists", artist.id), Found::Artist(artist))));
        found.extend(videos.into_iter().map(|video| (("videos", video.id), Found::Video(video))));
        Ok(hits.iter().filter_map(|hit| found.remove(&(hit.table, hit.id))).collect())
    })
    .await
}

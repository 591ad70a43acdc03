//! Artists: the people whose videos a service shows.

use std::borrow::Cow;

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Query},
};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use service::{
    Page, PageQuery,
    openapi::{Cached, NotFound},
};
use store::{CacheKey, DbConnection};
use utoipa::ToSchema;

use super::schema::artists;
use crate::{App, Error, Last, Text, Translated, translated};

/// `?service=` of a list of artists.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ServiceQuery {
    /// The service, by any of its names, in any letter case.
    #[param(example = "MC Funny")]
    service: String,
}

/// An artist.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Artist {
    /// The artist's id.
    #[schema(value_type = service::Id)]
    pub id: i64,
    /// The artist's name.
    pub artist: String,
    /// The artist's name again: the specification has both fields.
    pub name: String,
    /// `https` address of the portrait.
    #[schema(value_type = service::schema::HttpsAddress)]
    pub artist_img_url: String,
    /// A short description of the artist.
    pub description: String,
    /// The language of `description` where it is a translation; absent: English.
    #[schema(value_type = Option<service::schema::LanguageCode>, nullable = false)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description_lang: Option<Cow<'static, str>>,
}

/// The columns that a query of artists selects.
#[derive(Queryable)]
struct Row {
    id: i64,
    artist: String,
    image: String,
    description: String,
}

impl From<Row> for Artist {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            name: row.artist.clone(),
            artist: row.artist,
            artist_img_url: row.image,
            description: row.description,
            description_lang: None,
        }
    }
}

/// The artists of a service, by any of its names.
#[utoipa::path(
    get,
    path = "",
    params(ServiceQuery, PageQuery),
    responses((status = 200, description = "One page, by position, then by id.", body = [Artist]), Cached, NotFound)
)]
pub(crate) async fn list_artists(
    app: Data<App>,
    query: Query<ServiceQuery>,
    page: Query<PageQuery>,
    req: HttpRequest,
) -> Result<HttpResponse, Error> {
    let page = Page::try_from(page.into_inner())?;
    let (service, language) = (app.service_named(&query.service)?, service::language(&req));
    let query_string =
        format!("service={}", url::form_urlencoded::byte_serialize(service.as_bytes()).collect::<String>());
    app.replies
        .page(
            &req,
            CacheKey { query: &query_string, ..CacheKey::default() },
            page,
            |artist: &Artist| artist.id,
            move |conn| {
                let artists = Artist::in_service(conn, &service, page)?;
                translated(conn, language, artists)
            },
        )
        .await
}

impl Translated for Artist {
    fn add_texts<'a>(&'a mut self, texts: &mut Vec<Text<'a>>) {
        let (text, lang) = (&mut self.description, &mut self.description_lang);
        texts.push(Text { table: "artists", id: self.id, field: "description", text, lang });
    }
}

impl Artist {
    /// One page of a service's artists, in the order of editors.
    pub fn in_service(conn: &mut DbConnection, service: &str, page: Page) -> Result<Vec<Self>, Error> {
        let last = Last::of(conn, "artists", page.after)?;
        let rows = artists::table
            .filter(artists::service.eq(service).and(crate::listed!(artists, service::timestamp::now())))
            .filter(crate::behind!(artists, last))
            .order((artists::rank, artists::id))
            .limit(page.fetch())
            .select((artists::id, artists::artist, artists::image, artists::description))
            .load::<Row>(conn)?;
        Ok(rows.into_iter().map(Self::from).collect())
    }

    /// The listed artists with these ids, in no order.
    pub fn of_ids(conn: &mut DbConnection, ids: &[i64]) -> Result<Vec<Self>, Error> {
        // For an empty list SQLite would scan the whole table.
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let rows = artists::table
            .filter(artists::id.eq_any(ids).and(crate::listed!(artists, service::timestamp::now())))
            .select((artists::id, artists::artist, artists::image, artists::description))
            .load::<Row>(conn)?;
        Ok(rows.into_iter().map(Self::from).collect())
    }

    /// Whether the artist exists.
    pub fn exists(conn: &mut DbConnection, id: i64) -> Result<bool, Error> {
        let found = artists::table.find(id).filter(crate::found!(artists, service::timestamp::now()));
        Ok(diesel::select(diesel::dsl::exists(found)).get_result(conn)?)
    }
}

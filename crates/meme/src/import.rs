//! How editors' work comes in: one service's part of a manifest, all of it or nothing.

use actix_web::web::{Data, Json};
use brands::Kind;
use chrono::NaiveDateTime;
use diesel::prelude::*;
use serde::Deserialize;
use store::{
    DbConnection,
    imports::{self, Imported, Part},
};
use utoipa::ToSchema;
use web::{
    Admin, Problem,
    manifest::State,
    openapi::{NotFound, Refused},
};

use crate::{
    app::App,
    error::Error,
    schema::{categories, memes},
};

/// One service's memes, as a manifest lists them.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Import {
    service: String,
    /// Names this manifest's content.
    digest: String,
    /// Skip the whole import if a manifest of this digest was ever taken in, so that later edits stay.
    #[serde(default)]
    once: bool,
    categories: Vec<CategoryEntry>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CategoryEntry {
    #[schema(value_type = web::schema::Slug)]
    slug: String,
    name: String,
    #[serde(default)]
    memes: Vec<MemeEntry>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MemeEntry {
    #[schema(value_type = web::schema::Slug)]
    slug: String,
    title: String,
    #[schema(value_type = web::schema::HttpsAddress)]
    image: String,
    #[serde(with = "web::timestamp")]
    #[schema(value_type = web::schema::Time)]
    created_at: NaiveDateTime,
    #[serde(default)]
    state: State,
}

#[derive(AsChangeset, Insertable, PartialEq, Queryable, Selectable)]
#[diesel(table_name = categories)]
struct CategoryRow {
    service: String,
    slug: String,
    name: String,
}

#[derive(AsChangeset, Insertable, PartialEq, Queryable, Selectable)]
#[diesel(table_name = memes)]
struct MemeRow {
    category_id: i64,
    service: String,
    slug: String,
    title: String,
    image: String,
    created_at: NaiveDateTime,
    state: String,
}

/// Takes in one service's part of a manifest.
#[utoipa::path(
    post,
    path = "",
    request_body = Import,
    responses((status = 200, description = "What it changed.", body = Imported), NotFound, Refused)
)]
pub(crate) async fn import(_: Admin, app: Data<App>, import: Json<Import>) -> Result<Json<Imported>, Error> {
    let import = import.into_inner();
    let brand = app.brands.by_service_name(Kind::Meme, &import.service).ok_or(Error::UnknownService)?;
    let service = brand.service.clone();
    check(&import)?;
    let imported = app.db.write(move |conn| apply(conn, &service, &import)).await?;
    app.replies.forget().await;
    Ok(Json(imported))
}

fn check(import: &Import) -> Result<(), Problem> {
    for category in &import.categories {
        web::manifest::slug(&category.slug)?;
        for meme in &category.memes {
            web::manifest::slug(&meme.slug)?;
            web::manifest::image(&meme.slug, &meme.image)?;
        }
    }
    web::manifest::no_twins(import.categories.iter().map(|category| category.slug.as_str()))?;
    web::manifest::no_twins(
        import.categories.iter().flat_map(|category| &category.memes).map(|meme| meme.slug.as_str()),
    )
}

fn apply(conn: &mut DbConnection, service: &str, import: &Import) -> Result<Imported, Error> {
    let part = Part { service, digest: &import.digest, once: import.once };
    imports::take_in(conn, part, web::timestamp::now(), |conn, imported| {
        for entry in &import.categories {
            let category_id = put_category(conn, service, entry, imported)?;
            for meme in &entry.memes {
                put_meme(conn, service, category_id, meme, imported)?;
            }
        }
        Ok(())
    })
}

fn put_category(
    conn: &mut DbConnection,
    service: &str,
    entry: &CategoryEntry,
    imported: &mut Imported,
) -> Result<i64, Error> {
    Ok(store::put!(
        conn,
        imported,
        categories,
        CategoryRow { service: service.to_owned(), slug: entry.slug.clone(), name: entry.name.clone() }
    ))
}

fn put_meme(
    conn: &mut DbConnection,
    service: &str,
    category_id: i64,
    entry: &MemeEntry,
    imported: &mut Imported,
) -> Result<i64, Error> {
    Ok(store::put!(
        conn,
        imported,
        memes,
        MemeRow {
            category_id,
            service: service.to_owned(),
            slug: entry.slug.clone(),
            title: entry.title.clone(),
            image: entry.image.clone(),
            created_at: entry.created_at,
            state: entry.state.as_str().to_owned(),
        }
    ))
}

//! How editors' work comes in: what a category and a meme are in a manifest, and where they are staged.

use actix_web::web::{Data, Json, Path};
use chrono::NaiveDateTime;
use diesel::Insertable;
use intake::{
    Accepted, Desk, Error, Link, Table,
    at_once::{Imported, Part},
};
use serde::Deserialize;
use store::DbConnection;
use utoipa::ToSchema;
use web::{
    Admin, Id, Problem,
    manifest::{self, State},
    openapi::{NotFound, Refused},
};

use crate::schema::{staged_categories, staged_memes};

/// What the service takes in.
pub(crate) const TABLES: &[Table] = &[
    Table { kind: "category", rows: "categories", staged: "staged_categories", columns: &["name"], links: &[] },
    Table {
        kind: "meme",
        rows: "memes",
        staged: "staged_memes",
        columns: &["title", "image", "created_at"],
        links: &[Link {
            column: "category_id",
            slug: "parent",
            kind: "category",
            rows: "categories",
            staged: "staged_categories",
        }],
    },
];

/// One service's memes, as a manifest lists them.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = MemeImport)]
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
#[schema(as = MemeCategoryEntry)]
#[serde(deny_unknown_fields)]
struct CategoryEntry {
    #[schema(value_type = web::schema::Slug)]
    slug: String,
    name: String,
    /// Who finds it.
    #[serde(default)]
    state: State,
    /// From when on, UTC.
    #[serde(default = "manifest::always", with = "web::timestamp")]
    #[schema(value_type = Option<web::schema::Time>)]
    publish_at: NaiveDateTime,
    /// Until when, UTC.
    #[serde(default = "manifest::never", with = "web::timestamp")]
    #[schema(value_type = Option<web::schema::Time>)]
    expires_at: NaiveDateTime,
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
    /// Who finds it.
    #[serde(default)]
    state: State,
    /// From when on, UTC.
    #[serde(default = "manifest::always", with = "web::timestamp")]
    #[schema(value_type = Option<web::schema::Time>)]
    publish_at: NaiveDateTime,
    /// Until when, UTC.
    #[serde(default = "manifest::never", with = "web::timestamp")]
    #[schema(value_type = Option<web::schema::Time>)]
    expires_at: NaiveDateTime,
}

/// A batch of records of an import that is open.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = MemeRecords)]
#[serde(deny_unknown_fields)]
pub(crate) struct Records {
    #[serde(default)]
    categories: Vec<CategoryRecord>,
    #[serde(default)]
    memes: Vec<MemeRecord>,
}

#[derive(Debug, Deserialize, Insertable, ToSchema)]
#[diesel(table_name = staged_categories, treat_none_as_default_value = false)]
#[schema(as = MemeCategoryRecord)]
#[serde(deny_unknown_fields)]
struct CategoryRecord {
    #[serde(skip)]
    import_id: i64,
    /// Where it stands in the manifest: its line.
    place: i64,
    #[schema(value_type = web::schema::Slug)]
    slug: String,
    name: String,
    #[serde(default = "manifest::listed", deserialize_with = "manifest::state_word")]
    #[schema(value_type = Option<State>)]
    state: String,
    #[serde(default = "manifest::always", with = "web::timestamp")]
    #[schema(value_type = Option<web::schema::Time>)]
    publish_at: NaiveDateTime,
    #[serde(default = "manifest::never", with = "web::timestamp")]
    #[schema(value_type = Option<web::schema::Time>)]
    expires_at: NaiveDateTime,
}

#[derive(Debug, Deserialize, Insertable, ToSchema)]
#[diesel(table_name = staged_memes, treat_none_as_default_value = false)]
#[schema(as = MemeRecord)]
#[serde(deny_unknown_fields)]
struct MemeRecord {
    #[serde(skip)]
    import_id: i64,
    /// Where it stands in the manifest: its line.
    place: i64,
    #[schema(value_type = web::schema::Slug)]
    slug: String,
    /// The slug of its category.
    #[schema(value_type = web::schema::Slug)]
    parent: String,
    title: String,
    #[schema(value_type = web::schema::HttpsAddress)]
    image: String,
    #[serde(with = "web::timestamp")]
    #[schema(value_type = web::schema::Time)]
    created_at: NaiveDateTime,
    #[serde(default = "manifest::listed", deserialize_with = "manifest::state_word")]
    #[schema(value_type = Option<State>)]
    state: String,
    #[serde(default = "manifest::always", with = "web::timestamp")]
    #[schema(value_type = Option<web::schema::Time>)]
    publish_at: NaiveDateTime,
    #[serde(default = "manifest::never", with = "web::timestamp")]
    #[schema(value_type = Option<web::schema::Time>)]
    expires_at: NaiveDateTime,
}

/// Takes in one service's part of a manifest.
#[utoipa::path(
    post,
    path = "",
    request_body = Import,
    responses((status = 200, description = "What it changed.", body = Imported), NotFound, Refused)
)]
pub(crate) async fn import(_: Admin, desk: Data<Desk>, import: Json<Import>) -> Result<Json<Imported>, Error> {
    let import = import.into_inner();
    let service = desk.brand(&import.service)?.service.clone();
    let imported = desk.db.write(move |conn| {
        let part = Part { service: &service, digest: &import.digest, once: import.once };
        intake::at_once::take_in(conn, TABLES, part, |conn, id| put(conn, id, Records::of(import.categories)))
    });
    let imported = imported.await?;
    desk.replies.forget().await;
    Ok(Json(imported))
}

/// Takes in a batch of an import's records.
#[utoipa::path(
    post,
    path = "",
    params(("id" = Id, Path, description = "The import's id.")),
    request_body = Records,
    responses((status = 200, description = "They wait.", body = Accepted), NotFound, Refused)
)]
pub(crate) async fn add_records(
    _: Admin,
    desk: Data<Desk>,
    id: Path<Id>,
    records: Json<Records>,
) -> Result<Json<Accepted>, Error> {
    let records = records.into_inner();
    intake::accept(&desk, id.get(), move |conn, id, _| put(conn, id, records)).await.map(Json)
}

fn put(conn: &mut DbConnection, import_id: i64, records: Records) -> Result<usize, Error> {
    let Records { mut categories, mut memes } = records;
    for category in &mut categories {
        category.import_id = import_id;
        category.check()?;
    }
    for meme in &mut memes {
        meme.import_id = import_id;
        meme.check()?;
    }
    let categories: usize = intake::stage!(conn, staged_categories::table, categories);
    let memes: usize = intake::stage!(conn, staged_memes::table, memes);
    Ok(categories + memes)
}

impl CategoryRecord {
    fn check(&self) -> Result<(), Problem> {
        manifest::slug(&self.slug)?;
        manifest::text(&self.slug, "name", &self.name)?;
        manifest::schedule(&self.slug, self.publish_at, self.expires_at)
    }
}

impl MemeRecord {
    fn check(&self) -> Result<(), Problem> {
        manifest::slug(&self.slug)?;
        manifest::text(&self.slug, "title", &self.title)?;
        manifest::image(&self.slug, &self.image)?;
        manifest::schedule(&self.slug, self.publish_at, self.expires_at)
    }
}

impl Records {
    /// The records of a manifest that came whole; each one's place is its turn.
    fn of(entries: Vec<CategoryEntry>) -> Self {
        let mut records = Self::default();
        let mut place = 0;
        let mut next = || {
            place += 1;
            place
        };
        for entry in entries {
            records.memes.extend(entry.memes.into_iter().map(|meme| MemeRecord {
                import_id: 0,
                place: next(),
                slug: meme.slug,
                parent: entry.slug.clone(),
                title: meme.title,
                image: meme.image,
                created_at: meme.created_at,
                state: meme.state.as_str().to_owned(),
                publish_at: meme.publish_at,
                expires_at: meme.expires_at,
            }));
            records.categories.push(CategoryRecord {
                import_id: 0,
                place: next(),
                slug: entry.slug,
                name: entry.name,
                state: entry.state.as_str().to_owned(),
                publish_at: entry.publish_at,
                expires_at: entry.expires_at,
            });
        }
        records
    }
}

//! How editors' work comes in: what a category and a meme are in a manifest, and where they are staged.

use actix_web::web::{Data, Json, Path};
use chrono::NaiveDateTime;
use diesel::Insertable;
use intake::{Accepted, Desk, Error, Link, Table};
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

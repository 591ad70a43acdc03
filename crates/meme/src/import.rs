//! How editors' work comes in: what a category and a meme are in a manifest, and where they are staged.

use actix_web::web::{Data, Json, Path};
use chrono::NaiveDateTime;
use intake::{Accepted, Desk, Error, Link, Table};
use serde::Deserialize;
use service::{
    Admin, Id, Problem, manifest,
    openapi::{NotFound, Refused},
};
use store::DbConnection;
use utoipa::ToSchema;

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

intake::record! {
    #[schema(as = MemeCategoryRecord)]
    staged_categories: CategoryRecord {
        name: String,
    }
}

intake::record! {
    #[schema(as = MemeRecord)]
    staged_memes: MemeRecord {
        /// The slug of its category.
        #[schema(value_type = service::schema::Slug)]
        parent: String,
        title: String,
        #[schema(value_type = service::schema::HttpsAddress)]
        image: String,
        #[serde(with = "service::timestamp")]
        #[schema(value_type = service::schema::Time)]
        created_at: NaiveDateTime,
    }
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
    intake::accept(&desk, id.get(), move |conn, id, folder| put(conn, id, folder, records)).await.map(Json)
}

fn put(conn: &mut DbConnection, import_id: i64, folder: &str, records: Records) -> Result<usize, Error> {
    let Records { mut categories, mut memes } = records;
    categories.iter_mut().try_for_each(|category| category.enter(import_id, folder))?;
    memes.iter_mut().try_for_each(|meme| meme.enter(import_id, folder))?;
    let categories: usize = intake::stage!(conn, staged_categories::table, categories);
    let memes: usize = intake::stage!(conn, staged_memes::table, memes);
    Ok(categories + memes)
}

impl CategoryRecord {
    fn check(&self, _: &str) -> Result<(), Problem> {
        manifest::text(&self.slug, "name", &self.name)
    }
}

impl MemeRecord {
    fn check(&self, _: &str) -> Result<(), Problem> {
        manifest::text(&self.slug, "title", &self.title)?;
        manifest::image(&self.slug, &self.image)
    }
}

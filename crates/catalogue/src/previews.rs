//! Previews: visitors' calls that answer as if an import were applied already, for requests with the token of a signed link.
//!
//! A draft is staged like an import of one record. A call with the token applies the import in a transaction, runs its query there, and rolls
//! back: no other request sees any of it, and no cache keeps the reply.

use std::sync::Arc;

use actix_web::{
    HttpRequest,
    web::{Data, Json, Path},
};
use diesel::{prelude::*, sql_types::BigInt};
use identity::site_of;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use service::{
    EditorCaller, Id, PREVIEW_HEADER, Preview, Problem, StaffText, VerifyingKeys,
    openapi::{Conflict, NotFound, Refused},
    timestamp,
};
use store::{DbConnection, Overlay};
use url::form_urlencoded;
use utoipa::ToSchema;

use crate::{
    App, Error, Kind,
    changes::canonical,
    import::{self, Change, apply, staged},
    manifest::Table,
    records::{Record, Visibility},
};

/// The most records that a preview changes: each of its calls applies them.
const MAX_CHANGES: i64 = 1000;

/// A record to be shown before it is published.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PreviewOrder)]
#[serde(deny_unknown_fields)]
pub struct PreviewOrder {
    /// The service, by any of its names.
    pub service: String,
    /// The fields as a check returned them. Its schedule is left out: a preview shows the record as it will be.
    #[schema(value_type = Object)]
    pub record: Map<String, Value>,
}

/// What a signed link has to name.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = StagedPreview)]
pub struct StagedPreview {
    /// The import that is shown.
    #[schema(value_type = Id)]
    pub import: i64,
    /// The service's name.
    pub service: String,
    /// The public address of the brand, without a slash at the end.
    pub site: String,
    /// The path and query of the page with the record.
    pub page: String,
}

#[derive(QueryableByName)]
struct Parent {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

/// The overlays of requests to the catalogue with this name and these tables.
pub(crate) fn overlays(
    catalogue: &'static str,
    tables: &'static [Table],
    keys: Option<VerifyingKeys>,
) -> impl Fn(&HttpRequest) -> Result<Option<Overlay>, Problem> {
    move |req| {
        let Some(token) = req.headers().get(PREVIEW_HEADER) else { return Ok(None) };
        let verified = token.to_str().ok().zip(keys.as_ref());
        let preview = verified
            .and_then(|(token, keys)| Preview::verify(keys, token, timestamp::now()))
            .filter(|preview| preview.catalogue == catalogue)
            .filter(|preview| site_of(req).is_ok_and(|site| site.brand.service == preview.service))
            .ok_or_else(|| Problem::forbidden(StaffText::new("preview-not-valid")))?;
        let overlay =
            move |conn: &mut DbConnection| show(conn, tables, &preview).map_err(|error: Error| Problem::from(&error));
        Ok(Some(Arc::new(overlay) as Overlay))
    }
}

/// Applies what a preview shows, in a transaction that will be rolled back.
fn show(conn: &mut DbConnection, tables: &[Table], preview: &Preview) -> Result<(), Error> {
    // An import takes a minute at most; meanwhile a preview does not occupy a connection.
    if let DbConnection::Postgres(conn) = conn {
        diesel::sql_query("SET LOCAL lock_timeout = '5s'").execute(conn)?;
    }
    match staged::find_open(conn, preview.preview)?.filter(|open| open.service == preview.service) {
        Some(open) => apply::preview(conn, tables, &open).map(drop),
        // It was applied or discarded: the pages are those of every visitor.
        None => Ok(()),
    }
}

/// Stages a record to be previewed.
#[utoipa::path(
    post,
    path = "",
    params(("kind" = service::schema::Name, Path, description = "The kind of record, such as `video`.")),
    request_body = PreviewOrder,
    responses((status = 200, description = "What a signed link has to name.", body = StagedPreview), NotFound, Conflict, Refused)
)]
pub async fn stage_record(
    caller: EditorCaller,
    app: Data<App>,
    kind: Path<String>,
    order: Json<PreviewOrder>,
) -> Result<Json<StagedPreview>, Error> {
    let (table, order) = (app.table_of(&kind)?, order.into_inner());
    let brand = app.brand_named(&order.service)?;
    let tables = app.publication.content().tables;
    let mut record = canonical(order.record);
    for time in ["publish_at", "expires_at"] {
        record.remove(time);
    }
    let slug = record.get("slug").and_then(Value::as_str).unwrap_or_default().to_owned();
    record.insert("place".to_owned(), 1.into());
    let (service, folder) = (brand.service.clone(), brand.media_folder());
    let (name, who) = (slug.clone(), caller.name().to_owned());
    let open = app
        .db
        .write(move |conn| {
            let now = timestamp::now();
            // No manifest has this name: the next import of any is applied.
            let digest = format!("preview of {} {name} by {who} at {now}", table.kind);
            let open = import::open(conn, tables, &service, &digest, now)?;
            (table.stage)(conn, open.id, &folder, vec![record])?;
            Ok::<_, Error>(open)
        })
        .await?;
    let (import, service) = (open.id, brand.service.clone());
    let shown = app.db.write_and_undo(move |conn| {
        apply::preview(conn, tables, &open)?;
        let record = Record::find(conn, &table, &service, &slug)?
            .ok_or_else(|| Problem::internal("the record that is previewed is not there"))?;
        let parent = parent_of(conn, &table, record.id)?;
        Ok::<_, Error>((record, parent))
    });
    let (record, parent) = match shown.await {
        Ok(shown) => shown,
        Err(error) => return forget(&app, import, error).await,
    };
    if record.visibility == Visibility::Deleted {
        let refusal = Problem::conflict(StaffText::new("preview-of-deleted"));
        return forget(&app, import, refusal.into()).await;
    }
    Ok(Json(StagedPreview {
        import,
        service: brand.service.clone(),
        site: app.brands.public_url(&brand, brand.label(), app.public_port),
        page: page_of(brand.kind, &table, &brand.service, record.id, parent),
    }))
}

/// Closes the import of a preview that cannot be shown.
async fn forget(app: &App, import: i64, error: Error) -> Result<Json<StagedPreview>, Error> {
    let tables = app.publication.content().tables;
    app.db.write(move |conn| staged::close(conn, tables, import)).await?;
    Err(error)
}

/// Checks that an uploaded file can be previewed.
#[utoipa::path(
    post,
    path = "",
    params(("id" = Id, Path, description = "The import's id.")),
    responses((status = 200, description = "What a signed link has to name.", body = StagedPreview), NotFound, Conflict, Refused)
)]
pub async fn stage_import(_: EditorCaller, app: Data<App>, id: Path<Id>) -> Result<Json<StagedPreview>, Error> {
    let (import, tables) = (id.get(), app.publication.content().tables);
    let changes = app.db.run(move |conn| {
        let open = staged::find(conn, import)?;
        let comparison = import::compare(conn, tables, &open)?;
        if let Some(found) = comparison.faults.first() {
            let detail = StaffText::new("fault-of-preview")
                .with("slug", found.fault.slug.as_str())
                .with("field", found.fault.field.as_str())
                .with("fault", found.message.clone());
            return Err(Problem::unprocessable(detail).into());
        }
        Ok::<_, Error>((open.service, comparison.changes))
    });
    let (service, changes) = changes.await?;
    let count = |change: &Change| change.added + change.changed + change.removed;
    if changes.iter().map(count).sum::<i64>() > MAX_CHANGES {
        return Err(Problem::conflict(StaffText::new("preview-too-large").with("max", MAX_CHANGES)).into());
    }
    let brand = app.brand_named(&service)?;
    let site = app.brands.public_url(&brand, brand.label(), app.public_port);
    Ok(Json(StagedPreview { import, service, site, page: "/".to_owned() }))
}

/// The id of a record's parent, if its kind has one.
fn parent_of(conn: &mut DbConnection, table: &Table, id: i64) -> Result<Option<i64>, Error> {
    let Some((_, link)) = table.links().find(|(name, _)| *name == crate::manifest::PARENT) else { return Ok(None) };
    let statement = format!("SELECT t.{} AS id FROM {} t WHERE t.id = $1", link.column, table.rows);
    let parent: Parent = diesel::sql_query(statement).bind::<BigInt, _>(id).get_result(conn)?;
    Ok(Some(parent.id))
}

/// The page of the front end that shows a record (`frontend/src/sites/paths.ts`); the home page where no other does.
fn page_of(kind: Kind, table: &Table, service: &str, id: i64, parent: Option<i64>) -> String {
    // A space of a query is `+`, which a path does not have.
    let service = form_urlencoded::byte_serialize(service.as_bytes()).collect::<String>().replace('+', "%20");
    match (kind, table.kind, parent) {
        (Kind::Comedy, "artist", _) => format!("/allvideos/{id}/{service}/1"),
        (Kind::Comedy, _, Some(artist)) => format!("/video/{id}/{service}/{artist}"),
        (Kind::Diski, "artist", _) => format!("/artistvideos/{id}/{service}/1"),
        (Kind::Diski, _, Some(artist)) => format!("/diskisingle/{id}/{service}/{artist}"),
        (Kind::Meme, "category", _) => format!("/memeCategory/1/{id}/{service}"),
        (Kind::Meme, _, Some(category)) => {
            format!("/memeCategory/1/{category}/{service}?after={}&meme={id}", id.saturating_sub(1))
        }
        (Kind::Tt, "category", _) => format!("/ttcategory/{id}/{service}"),
        (Kind::Tt, "video", _) => format!("/ttsingle/{id}/{service}"),
        _ => "/".to_owned(),
    }
}

//! Imports in steps, for manifests of any size: open one, send its records in batches, check the changes, apply them.
//!
//! The catalogue changes only at the last step, which is one transaction. Each step may be sent to another replica.

use actix_web::web::{Data, Json, Path};
use serde::{Deserialize, Serialize};
use service::{
    EditorCaller, Id, Problem, StaffText,
    openapi::{Conflict, NotFound, Refused},
};
use store::imports;
use utoipa::ToSchema;

use super::{
    apply::{apply, lock_imports},
    compare::{Change, Comparison, compare},
    staged, uploads,
};
use crate::{App, Error};

/// An import to be opened.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportOrder {
    /// The service that the records belong to, by any of its names.
    pub service: String,
    /// Names the records' content: the same one again has nothing to change.
    #[schema(max_length = 200)]
    pub digest: String,
    /// Remove the records that the import does not have.
    #[serde(default)]
    pub prune: bool,
    /// Import nothing into a service that has had an import, so that what editors changed stays.
    #[serde(default)]
    pub once: bool,
}

/// An import that is open, or need not be.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct OpenedImport {
    /// The import's id; none where the catalogue is what the digest names already.
    #[schema(value_type = Option<Id>, required = true)]
    pub import: Option<i64>,
}

/// The number of sent records, to detect missing ones.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportCount {
    /// The records of all batches.
    #[schema(value_type = service::schema::Count)]
    pub records: i64,
}

/// The number of sent records; of an uploaded file, also what a person saw of it.
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ApplyOrder {
    /// The records of all batches.
    #[schema(value_type = service::schema::Count)]
    pub records: i64,
    /// SHA-256 of the uploaded file, in hexadecimal.
    #[serde(default)]
    pub sha256: Option<String>,
    /// `difference` of the file's import as it was shown.
    #[serde(default)]
    pub difference: Option<String>,
    /// The number of records that go, confirmed: needed where the import's `confirm` has a number.
    #[serde(default)]
    #[schema(value_type = Option<service::schema::Count>)]
    pub removals: Option<i64>,
}

/// Opens an import.
#[utoipa::path(
    post,
    path = "",
    request_body = ImportOrder,
    responses((status = 200, description = "Where to send the records.", body = OpenedImport), NotFound, Refused)
)]
pub async fn open_import(
    _: EditorCaller,
    app: Data<App>,
    order: Json<ImportOrder>,
) -> Result<Json<OpenedImport>, Error> {
    let order = order.into_inner();
    let service = app.service_named(&order.service)?;
    if order.digest.is_empty() || order.digest.len() > 200 || order.digest.contains('\0') {
        return Err(Problem::unprocessable(StaffText::new("digest-length")).into());
    }
    let tables = app.publication.content().tables;
    let open = app.db.write(move |conn| {
        let digest = order.digest.as_str();
        let known = imports::latest(conn, &service)?.is_some_and(|latest| order.once || latest == digest);
        if known {
            return Ok::<_, Error>(None);
        }
        Ok(Some(staged::open(conn, tables, &service, digest, order.prune, service::timestamp::now())?))
    });
    Ok(Json(OpenedImport { import: open.await?.map(|open| open.id) }))
}

/// The changes of an import, and its problems.
#[utoipa::path(
    post,
    path = "",
    params(("id" = Id, Path, description = "The import's id.")),
    request_body = ImportCount,
    responses((status = 200, description = "Nothing is changed by asking.", body = Comparison), NotFound, Conflict)
)]
pub async fn check_import(
    _: EditorCaller,
    app: Data<App>,
    id: Path<Id>,
    count: Json<ImportCount>,
) -> Result<Json<Comparison>, Error> {
    let (id, tables) = (id.get(), app.publication.content().tables);
    let comparison = app.db.write(move |conn| {
        let open = staged::find(conn, id)?;
        check_complete(staged::count(conn, tables, id)?, count.records)?;
        staged::analyze(conn, tables)?;
        compare(conn, tables, &open)
    });
    Ok(Json(comparison.await?.written(service::staff_language())))
}

/// Takes an import over, all of it or nothing.
#[utoipa::path(
    post,
    path = "",
    params(("id" = Id, Path, description = "The import's id.")),
    request_body = ApplyOrder,
    responses((status = 200, description = "What it changed.", body = [Change]), NotFound, Conflict, Refused)
)]
pub async fn apply_import(
    caller: EditorCaller,
    app: Data<App>,
    id: Path<Id>,
    order: Json<ApplyOrder>,
) -> Result<Json<Vec<Change>>, Error> {
    let (id, tables) = (id.get(), app.publication.content().tables);
    let changes = app.db.write(move |conn| {
        lock_imports(conn)?;
        let open = staged::find(conn, id)?;
        check_complete(staged::count(conn, tables, id)?, order.records)?;
        if open.file.is_some() {
            uploads::check_seen(conn, tables, &open, &order)?;
        }
        apply(conn, tables, &open, caller.name())
    });
    let changes = changes.await?;
    app.replies.invalidate().await;
    Ok(Json(changes))
}

/// Closes an import and takes nothing over.
#[utoipa::path(
    delete,
    path = "",
    params(("id" = Id, Path, description = "The import's id.")),
    responses((status = 204, description = "It is gone, if it ever was there."))
)]
pub async fn drop_import(_: EditorCaller, app: Data<App>, id: Path<Id>) -> Result<actix_web::HttpResponse, Error> {
    let (id, tables) = (id.get(), app.publication.content().tables);
    app.db.write(move |conn| staged::close(conn, tables, id)).await?;
    Ok(actix_web::HttpResponse::NoContent().finish())
}

/// An error if staged records are missing: unlogged tables are emptied when the database crashes.
pub(super) fn check_complete(staged: i64, sent: i64) -> Result<(), Problem> {
    if staged == sent {
        Ok(())
    } else {
        Err(Problem::conflict(StaffText::new("records-missing").with("sent", sent).with("staged", staged)))
    }
}

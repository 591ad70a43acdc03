//! Many records at once: a list as a CSV, and files of records, which an editor uploads and a publisher applies once both have seen what changes.
//!
//! The catalogue service reads and stages a file, and applies it only while its difference is the one that was seen. It forgets a file after a
//! day.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header,
    web::{Data, Json, Path, Payload, Query},
};
use catalogue::{
    import::{
        ApplyOrder, Change, DifferenceQuery, Differences, FileImport, MAX_FILE_BYTES, OpenFile, UploadQuery, Uploaded,
    },
    records::RecordQuery,
};
use futures_util::{StreamExt as _, future, future::join_all, stream};
use reqwest::Body;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::{
    Id,
    openapi::{Conflict, NotFound, Refused},
};
use tokio::sync::mpsc;
use utoipa::ToSchema;

use super::{media, publish::record_failure, releases};
use crate::{
    app::App,
    audit,
    document::attachment,
    error::Error,
    guard::{ContentStaff, Publisher},
};

/// A file that waits, and where.
#[derive(Serialize, ToSchema)]
#[schema(as = WaitingImport)]
pub(crate) struct Waiting {
    /// The catalogue service.
    catalogue: &'static str,
    import: OpenFile,
}

/// The files that wait.
#[derive(Serialize, ToSchema)]
#[schema(as = WaitingImports)]
pub(crate) struct WaitingList {
    /// Newest first, of the catalogues that answer.
    imports: Vec<Waiting>,
}

/// What a publisher saw of a file.
#[derive(Deserialize, ToSchema)]
pub(crate) struct SeenImport {
    /// SHA-256 of the file, in hexadecimal.
    sha256: String,
    /// `difference` as it was shown.
    difference: String,
    /// The number of records that go, where `confirm` has one: typed by the person.
    removals: Option<i64>,
}

/// How the audit log names a file.
pub(super) fn subject(import: &OpenFile) -> String {
    format!("{}, {}", import.service, import.file)
}

/// The counts of a file's changes, for the audit log.
fn counts(changes: &[Change]) -> Value {
    let of_kind = |change: &Change| {
        json!({
            "kind": change.kind, "added": change.added, "changed": change.changed, "unchanged": change.unchanged,
            "removed": change.removed,
        })
    };
    changes.iter().map(of_kind).collect()
}

/// The records of a list, all pages, as a CSV manifest: imported unchanged, it changes nothing.
#[utoipa::path(
    get,
    path = "",
    params(
        ("catalogue" = String, Path, description = "The catalogue service."),
        ("kind" = String, Path, description = "The kind of record."),
        RecordQuery
    ),
    responses(
        (status = 200, description = "A row per record.", body = String, content_type = "text/csv"),
        NotFound,
        Conflict,
        Refused,
    )
)]
pub(crate) async fn export(
    staff: ContentStaff,
    app: Data<App>,
    path: Path<(String, String)>,
    query: Query<RecordQuery>,
) -> Result<HttpResponse, Error> {
    let ((catalogue, kind), ContentStaff(member)) = (path.into_inner(), staff);
    let reply = app.catalogues.named(&catalogue)?.export(&member, &kind, &query).await?;
    let plain = |text: &str| text.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let name = format!("{}-{}.csv", plain(&query.service), plain(&kind));
    Ok(attachment("text/csv; charset=utf-8", &name).streaming(reply.bytes_stream()))
}

/// Uploads a file: its records are checked and wait, and nothing changes.
#[utoipa::path(
    post,
    path = "",
    params(("catalogue" = String, Path, description = "The catalogue service."), UploadQuery),
    request_body(content = String, content_type = "application/octet-stream"),
    responses(
        (status = 200, description = "Where its difference is, or its problems.", body = Uploaded),
        NotFound,
        Conflict,
        Refused,
    )
)]
pub(crate) async fn upload(
    staff: ContentStaff,
    app: Data<App>,
    catalogue: Path<String>,
    query: Query<UploadQuery>,
    request: HttpRequest,
    mut body: Payload,
) -> Result<Json<Uploaded>, Error> {
    let ContentStaff(member) = staff;
    let length = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: usize| length > MAX_FILE_BYTES) {
        return Err(Error::TooLarge);
    }
    let catalogue = app.catalogues.named(&catalogue)?;
    let (chunks, incoming) = mpsc::channel(8);
    let pass_on = async move {
        while let Some(chunk) = body.next().await {
            // A body that broke off is an error for the service, too: half a file is no file.
            let chunk = chunk.map_err(|error| std::io::Error::other(error.to_string()));
            let broke_off = chunk.is_err();
            if chunks.send(chunk).await.is_err() || broke_off {
                break;
            }
        }
    };
    let bytes = stream::unfold(incoming, async |mut incoming| incoming.recv().await.map(|chunk| (chunk, incoming)));
    let uploading = catalogue.upload(&member, &query, Body::wrap_stream(bytes));
    let ((), uploaded) = future::join(pass_on, uploading).await;
    let uploaded = uploaded?;
    if let Some(id) = uploaded.import {
        let UploadQuery { service, file, prune } = query.into_inner();
        let now = app.clock.now();
        let (sha256, records) = (&uploaded.sha256, uploaded.records);
        let details = json!({ "import": id, "sha256": sha256, "records": records, "prune": prune });
        app.audited(move |conn| {
            audit::append_of(conn, &member, "import.uploaded", &format!("{service}, {file}"), &details, now)
        })
        .await?;
    }
    Ok(Json(uploaded))
}

/// The files that wait.
#[utoipa::path(get, path = "", responses((status = 200, description = "Of everybody.", body = WaitingList)))]
pub(crate) async fn list_imports(staff: ContentStaff, app: Data<App>) -> Result<Json<WaitingList>, Error> {
    let ContentStaff(member) = staff;
    let lists = join_all(app.catalogues.iter().map(async |catalogue| {
        let list = catalogue.imports(&member).await;
        if let Err(error) = &list {
            tracing::warn!(catalogue.name = catalogue.name(), "no list of imports: {error}");
        }
        let imports = list.map(|list| list.imports).unwrap_or_default();
        imports.into_iter().map(|import| Waiting { catalogue: catalogue.name(), import }).collect::<Vec<_>>()
    }));
    let mut imports = lists.await.into_iter().flatten().collect::<Vec<_>>();
    imports.sort_by_key(|waiting| std::cmp::Reverse(waiting.import.at));
    Ok(Json(WaitingList { imports }))
}

/// A file that waits, and what applying it changes now.
#[utoipa::path(
    get,
    path = "",
    params(
        ("catalogue" = String, Path, description = "The catalogue service."),
        ("id" = Id, Path, description = "The import's id."),
    ),
    responses((status = 200, description = "Nothing is changed.", body = FileImport), NotFound, Conflict)
)]
pub(crate) async fn get_import(
    staff: ContentStaff,
    app: Data<App>,
    path: Path<(String, Id)>,
) -> Result<Json<FileImport>, Error> {
    let ((catalogue, id), ContentStaff(member)) = (path.into_inner(), staff);
    app.catalogues.named(&catalogue)?.import(&member, id.get()).await.map(Json)
}

/// The records of a kind that a file adds, changes or removes.
#[utoipa::path(
    get,
    path = "",
    params(
        ("catalogue" = String, Path, description = "The catalogue service."),
        ("id" = Id, Path, description = "The import's id."),
        DifferenceQuery
    ),
    responses((status = 200, description = "One page.", body = Differences), NotFound, Conflict, Refused)
)]
pub(crate) async fn list_differences(
    staff: ContentStaff,
    app: Data<App>,
    path: Path<(String, Id)>,
    query: Query<DifferenceQuery>,
) -> Result<Json<Differences>, Error> {
    let ((catalogue, id), ContentStaff(member)) = (path.into_inner(), staff);
    app.catalogues.named(&catalogue)?.differences(&member, id.get(), &query).await.map(Json)
}

/// Applies a file as it was seen, all of it or nothing.
#[utoipa::path(
    post,
    path = "",
    params(
        ("catalogue" = String, Path, description = "The catalogue service."),
        ("id" = Id, Path, description = "The import's id."),
    ),
    request_body = SeenImport,
    responses((status = 200, description = "What it changed.", body = [Change]), NotFound, Conflict, Refused)
)]
pub(crate) async fn apply(
    publisher: Publisher,
    app: Data<App>,
    path: Path<(String, Id)>,
    seen: Json<SeenImport>,
) -> Result<Json<Vec<Change>>, Error> {
    const ACTION: &str = "import.applied";
    let ((catalogue, id), Publisher(member)) = (path.into_inner(), publisher);
    let (id, SeenImport { sha256, difference, removals }) = (id.get(), seen.into_inner());
    let catalogue = app.catalogues.named(&catalogue)?;
    let FileImport { import, changes, .. } = catalogue.import(&member, id).await?;
    let name = catalogue.name();
    app.db.run(move |conn| releases::check(conn, name, id)).await?;
    media::check_file(&app, catalogue, &member, id, &changes).await?;
    let subject = subject(&import);
    let details = json!({ "import": id, "sha256": sha256, "by": import.who, "changes": counts(&changes) });
    let (actor, entry, now) = (member.clone(), subject.clone(), app.clock.now());
    app.audited(move |conn| {
        releases::check(conn, name, id)?;
        audit::append_of(conn, &actor, ACTION, &entry, &details, now)
    })
    .await?;
    // The service compares once more, in the transaction that applies.
    let order = ApplyOrder { records: import.records, sha256: Some(sha256), difference: Some(difference), removals };
    match catalogue.apply(&member, id, &order).await {
        Ok(changes) => {
            app.db.write(move |conn| releases::publish(conn, name, id)).await?;
            Ok(Json(changes))
        }
        Err(error) => {
            record_failure(&app, &member, subject, ACTION, &error, None).await?;
            Err(error)
        }
    }
}

/// Forgets a file.
#[utoipa::path(
    delete,
    path = "",
    params(
        ("catalogue" = String, Path, description = "The catalogue service."),
        ("id" = Id, Path, description = "The import's id."),
    ),
    responses((status = 204, description = "It does not wait any more."), NotFound, Conflict)
)]
pub(crate) async fn discard(
    staff: ContentStaff,
    app: Data<App>,
    path: Path<(String, Id)>,
) -> Result<HttpResponse, Error> {
    let ((catalogue, id), ContentStaff(member)) = (path.into_inner(), staff);
    let (id, catalogue) = (id.get(), app.catalogues.named(&catalogue)?);
    let import = catalogue.import(&member, id).await?.import;
    let (actor, now) = (member.clone(), app.clock.now());
    let details = json!({ "import": id, "sha256": import.sha256 });
    let name = catalogue.name();
    app.audited(move |conn| {
        releases::dissolve(conn, name, id)?;
        audit::append_of(conn, &actor, "import.discarded", &subject(&import), &details, now)
    })
    .await?;
    catalogue.drop_import(&member, id).await?;
    Ok(HttpResponse::NoContent().finish())
}

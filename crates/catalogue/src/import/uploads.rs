//! Files of editors: one is uploaded whole and staged, its difference is shown, and exactly that difference is applied, or nothing.

use std::io::Read;

use actix_web::web::{Bytes, Data, Json, Path, Payload, Query};
use brands::Brands;
use chrono::NaiveDateTime;
use diesel::{
    prelude::*,
    sql_types::{BigInt, Text},
};
use futures_util::{StreamExt as _, future};
use languages::Language;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use service::{
    EditorCaller, Id, Page, Problem, StaffText,
    openapi::{Conflict, NotFound, Refused},
};
use sha2::{Digest, Sha256};
use store::DbConnection;
use tokio::sync::mpsc;
use utoipa::ToSchema;

use super::{
    compare::{Change, Fault, compare},
    difference::{self, DifferenceQuery, Differences},
    sessions::{ApplyOrder, check_complete},
    staged::{self, OpenImport, schema::open_imports},
};
use crate::{
    App, Error,
    files::{self, Found, MAX_PROBLEMS},
    manifest::Table,
};

/// The largest file, in bytes.
pub const MAX_FILE_BYTES: usize = 64 * 1024 * 1024;

/// Records that are staged in one transaction.
const BATCH: usize = 500;

/// More than this share of a kind's records goes only where the number is confirmed, in percent.
const UNCONFIRMED_PERCENT: i64 = 10;

/// A file to be uploaded; the body is its bytes.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UploadQuery {
    /// The service of all its records, by any of its names.
    pub service: String,
    /// Its name: the ending says how it is written.
    #[param(min_length = 1, max_length = 200)]
    pub file: String,
    /// Whether records that it does not have go, of the kinds that it has.
    #[serde(default)]
    pub prune: bool,
}

/// A file that is staged, or what is wrong with it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = UploadedFile)]
pub struct Uploaded {
    /// The id of its import; null where it has problems.
    #[schema(value_type = Option<Id>, required = true)]
    pub import: Option<i64>,
    /// SHA-256 of the file, in hexadecimal.
    pub sha256: String,
    /// How many records it has.
    #[schema(value_type = service::schema::Count)]
    pub records: i64,
    /// What is wrong with it, in the order of its lines, at most 200.
    pub problems: Vec<files::Problem>,
}

/// A file whose records wait.
#[derive(Clone, Debug, Queryable, Selectable, Serialize, Deserialize, ToSchema)]
#[diesel(table_name = open_imports)]
#[schema(as = UploadedImport)]
pub struct OpenFile {
    /// The import's id.
    #[schema(value_type = Id)]
    pub id: i64,
    /// The service of all its records.
    pub service: String,
    /// The file's name.
    #[diesel(select_expression = open_imports::file.assume_not_null())]
    pub file: String,
    /// SHA-256 of the file, in hexadecimal.
    #[diesel(select_expression = open_imports::sha256.assume_not_null())]
    pub sha256: String,
    /// Who uploaded it: a member of staff by email address, or `admin-token`.
    #[diesel(select_expression = open_imports::who.assume_not_null())]
    pub who: String,
    /// When, UTC.
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    pub at: NaiveDateTime,
    /// How many records it has.
    #[diesel(select_expression = open_imports::records.assume_not_null())]
    #[schema(value_type = service::schema::Count)]
    pub records: i64,
    /// Whether records that it does not have go.
    pub prune: bool,
}

/// The files that wait.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = UploadedImports)]
pub struct FileImports {
    /// Newest first, at most 200.
    pub imports: Vec<OpenFile>,
}

/// A file whose records wait, and what applying it changes now.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = UploadedImportDifference)]
pub struct FileImport {
    /// The file.
    pub import: OpenFile,
    /// By kind of record.
    pub changes: Vec<Change>,
    /// The problems; if there are any, it cannot be applied.
    pub faults: Vec<Fault>,
    /// Names the whole difference: it is applied only while it is the same.
    pub difference: String,
    /// The number of records that go, which has to be confirmed where it is more than a tenth of a kind's records; else null.
    #[schema(value_type = Option<service::schema::Count>, required = true)]
    pub confirm: Option<i64>,
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// Records by the names of their tables.
type Batch = Vec<(&'static str, Vec<Map<String, Value>>)>;

/// Stages a file's records; the catalogue does not change.
#[utoipa::path(
    post,
    path = "",
    params(UploadQuery),
    request_body(content = String, content_type = "application/octet-stream"),
    responses((status = 200, description = "Where its difference is, or its problems.", body = Uploaded), NotFound, Refused)
)]
pub async fn upload_file(
    caller: EditorCaller,
    app: Data<App>,
    query: Query<UploadQuery>,
    body: Payload,
) -> Result<Json<Uploaded>, Error> {
    let UploadQuery { service, file, prune } = query.into_inner();
    let (service, who) = (app.service_named(&service)?, caller.name().to_owned());
    if file.is_empty() || file.chars().count() > 200 || file.contains(char::is_control) {
        return Err(Problem::unprocessable(StaffText::new("file-name-length")).into());
    }
    let tables = app.publication.content().tables;
    let (name, own) = (file.clone(), service.clone());
    let id = app.db.write(move |conn| {
        let now = service::timestamp::now();
        // No manifest of the editors' tool has this digest.
        let open = staged::open(conn, tables, &own, &format!("file {name} of {who} at {now}"), prune, now)?;
        let named = (open_imports::file.eq(name), open_imports::who.eq(who));
        diesel::update(open_imports::table.find(open.id)).set(named).execute(conn)?;
        Ok::<_, Error>(open.id)
    });
    let id = id.await?;
    let received = receive(&app, id, service, file, body).await;
    let is_complete = matches!(&received, Ok((_, _, problems)) if problems.is_empty());
    if !is_complete {
        app.db.write(move |conn| staged::close(conn, tables, id)).await?;
    }
    let (sha256, records, problems) = received?;
    if is_complete {
        let arrived = (open_imports::sha256.eq(sha256.clone()), open_imports::records.eq(records));
        app.db
            .write(move |conn| {
                diesel::update(open_imports::table.find(id)).set(arrived).execute(conn)?;
                Ok::<_, Error>(())
            })
            .await?;
    }
    Ok(Json(Uploaded { import: is_complete.then_some(id), sha256, records, problems }))
}

/// Receives a file, reads it while it arrives, and stages its records. Returns its SHA-256, the number of its records, and its problems.
async fn receive(
    app: &Data<App>,
    id: i64,
    service: String,
    file: String,
    mut body: Payload,
) -> Result<(String, i64, Vec<files::Problem>), Error> {
    let (chunks, incoming) = mpsc::channel(8);
    let (batches, mut ready) = mpsc::channel::<Batch>(2);
    let folder = app.brand_named(&service)?.media_folder();
    let (brands, language) = (app.brands.clone(), service::staff_language());
    let reading = tokio::task::spawn_blocking(move || {
        read(Incoming::new(incoming), &file, &brands, &service, language, &batches)
    });
    let receiving = async move {
        let (mut sum, mut size) = (Sha256::new(), 0);
        while let Some(chunk) = body.next().await {
            let chunk = chunk.map_err(|_| Problem::bad_request(StaffText::new("file-incomplete")))?;
            size += chunk.len();
            if size > MAX_FILE_BYTES {
                return Err(Problem::too_large());
            }
            sum.update(&chunk);
            // After too many problems the rest is received and not read: a reply in the middle of a body would be lost.
            let _ = chunks.send(chunk).await;
        }
        Ok(hex::encode(sum.finalize()))
    };
    let tables = app.publication.content().tables;
    let db = app.db.clone();
    // Both own their end of a channel: where one fails, the thread that reads ends, too.
    let staging = async move {
        while let Some(batch) = ready.recv().await {
            let folder = folder.clone();
            db.write(move |conn| stage(conn, tables, id, &folder, batch)).await?;
        }
        Ok::<_, Error>(())
    };
    let (sha256, staged) = future::join(receiving, staging).await;
    let (sha256, ()) = (sha256?, staged?);
    let (records, problems) =
        reading.await.map_err(|error| Problem::internal(format!("a file could not be read: {error}")))?;
    Ok((sha256, records, problems))
}

fn stage(conn: &mut DbConnection, tables: &[Table], id: i64, folder: &str, batch: Batch) -> Result<(), Error> {
    for (rows, records) in batch {
        if let Some(table) = tables.iter().find(|table| table.rows == rows) {
            (table.stage)(conn, id, folder, records)?;
        }
    }
    Ok(())
}

/// Reads a file, and passes its records on until there is a problem; returns the number of records and the problems.
fn read(
    incoming: Incoming,
    file: &str,
    brands: &Brands,
    service: &str,
    language: Language,
    batches: &mpsc::Sender<Batch>,
) -> (i64, Vec<files::Problem>) {
    let (mut records, mut problems): (i64, Vec<files::Problem>) = (0, Vec::new());
    let (mut batch, mut waiting): (Batch, usize) = (Vec::new(), 0);
    let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
    let walked = files::read(incoming, extension, brands, Some(service), language, &mut |found| match found {
        Found::Problem(problem) => {
            problems.push(problem);
            problems.len() < MAX_PROBLEMS
        }
        Found::Record(_) if !problems.is_empty() => true,
        Found::Record(record) => {
            let mut body = record.body;
            body.insert("place".to_owned(), record.place.into());
            match batch.iter_mut().find(|(rows, _)| *rows == record.list) {
                Some((_, list)) => list.push(body),
                None => batch.push((record.list, vec![body])),
            }
            (records, waiting) = (records + 1, waiting + 1);
            if waiting < BATCH {
                return true;
            }
            waiting = 0;
            batches.blocking_send(std::mem::take(&mut batch)).is_ok()
        }
    });
    problems.extend(walked.err());
    if problems.is_empty() {
        // The receiver is gone only where staging has failed, which is the error of the call.
        let _ = batches.blocking_send(batch);
    }
    problems.sort_by_key(|problem| (problem.line, problem.column));
    (records, problems)
}

/// Bytes that arrive.
struct Incoming {
    chunks: mpsc::Receiver<Bytes>,
    rest: Bytes,
}

impl Incoming {
    fn new(chunks: mpsc::Receiver<Bytes>) -> Self {
        Self { chunks, rest: Bytes::new() }
    }
}

impl Read for Incoming {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        while self.rest.is_empty() {
            match self.chunks.blocking_recv() {
                Some(chunk) => self.rest = chunk,
                None => return Ok(0),
            }
        }
        let read = self.rest.as_ref().read(into)?;
        drop(self.rest.split_to(read));
        Ok(read)
    }
}

impl OpenFile {
    fn find(conn: &mut DbConnection, id: i64) -> Result<Self, Error> {
        let row = open_imports::table.find(id).filter(open_imports::sha256.is_not_null());
        let found = row.select(Self::as_select()).first(conn).optional()?;
        found.ok_or_else(|| Problem::not_found(StaffText::new("no-such-file")).into())
    }
}

/// The files that wait.
#[utoipa::path(get, path = "", responses((status = 200, description = "Of every service.", body = FileImports)))]
pub async fn list_imports(_: EditorCaller, app: Data<App>) -> Result<Json<FileImports>, Error> {
    let imports = app.db.run(|conn| {
        let complete = open_imports::table.filter(open_imports::sha256.is_not_null()).order(open_imports::id.desc());
        Ok::<_, Error>(complete.limit(service::MAX_PAGE).select(OpenFile::as_select()).load(conn)?)
    });
    Ok(Json(FileImports { imports: imports.await? }))
}

/// A file that waits, and what applying it changes now.
#[utoipa::path(
    get,
    path = "",
    params(("id" = Id, Path, description = "The import's id.")),
    responses((status = 200, description = "Nothing is changed.", body = FileImport), NotFound, Conflict)
)]
pub async fn get_import(_: EditorCaller, app: Data<App>, id: Path<Id>) -> Result<Json<FileImport>, Error> {
    let (id, tables, language) = (id.get(), app.publication.content().tables, service::staff_language());
    // It only reads: on SQLite, other writes do not wait for the comparison of a large file.
    let found = app.db.run(move |conn| {
        let import = OpenFile::find(conn, id)?;
        let open = staged::find(conn, id)?;
        check_complete(staged::count(conn, tables, id)?, import.records)?;
        staged::analyze(conn, tables)?;
        let comparison = compare(conn, tables, &open)?.written(language);
        Ok::<_, Error>(FileImport {
            import,
            confirm: large_removals(conn, tables, &open, &comparison.changes)?.map(|(removed, _)| removed),
            difference: difference::digest(conn, tables, &open)?,
            changes: comparison.changes,
            faults: comparison.faults,
        })
    });
    Ok(Json(found.await?))
}

/// The records of a kind that a file adds, changes or removes.
#[utoipa::path(
    get,
    path = "",
    params(("id" = Id, Path, description = "The import's id."), DifferenceQuery),
    responses((status = 200, description = "One page.", body = Differences), NotFound, Refused)
)]
pub async fn list_differences(
    _: EditorCaller,
    app: Data<App>,
    id: Path<Id>,
    query: Query<DifferenceQuery>,
) -> Result<Json<Differences>, Error> {
    let (id, query) = (id.get(), query.into_inner());
    let (table, page) = (app.table_of(&query.kind)?, Page::of_limit(query.limit)?);
    let differences = app.db.run(move |conn| {
        OpenFile::find(conn, id)?;
        let open = staged::find(conn, id)?;
        let after = query.after.unwrap_or_default();
        let mut differences = difference::list(conn, &table, &open, query.action, &after, page.fetch())?;
        let size = usize::try_from(page.limit).unwrap_or(usize::MAX);
        let is_last = differences.len() <= size;
        differences.truncate(size);
        let next = differences.last().filter(|_| !is_last).map(|last| last.slug.clone());
        Ok::<_, Error>(Differences { differences, next })
    });
    Ok(Json(differences.await?))
}

/// An error unless the import of a file changes exactly what a person saw, and confirmed where it removes much.
pub(super) fn check_seen(
    conn: &mut DbConnection,
    tables: &[Table],
    open: &OpenImport,
    order: &ApplyOrder,
) -> Result<(), Error> {
    let import = OpenFile::find(conn, open.id)?;
    if order.sha256.as_deref() != Some(import.sha256.as_str()) {
        return Err(Problem::conflict(StaffText::new("other-file")).into());
    }
    let comparison = compare(conn, tables, open)?;
    if order.difference != Some(difference::digest(conn, tables, open)?) {
        return Err(Problem::conflict(StaffText::new("difference-changed")).into());
    }
    match large_removals(conn, tables, open, &comparison.changes)? {
        Some((removed, kinds)) if order.removals != Some(removed) => {
            let detail = StaffText::new("removal-unconfirmed").with("kinds", kinds).with("removed", removed);
            Err(Problem::conflict(detail).into())
        }
        _ => Ok(()),
    }
}

/// Where more than a tenth of a kind's records goes: the number of all records that go, and of which kinds.
fn large_removals(
    conn: &mut DbConnection,
    tables: &[Table],
    open: &OpenImport,
    changes: &[Change],
) -> Result<Option<(i64, StaffText)>, Error> {
    let mut kinds = Vec::new();
    for (table, change) in tables.iter().zip(changes).filter(|(_, change)| change.removed > 0) {
        let count = format!("SELECT count(*) AS number FROM {} WHERE service = $1 AND state <> 'deleted'", table.rows);
        let Number { number } = diesel::sql_query(count).bind::<Text, _>(&open.service).get_result(conn)?;
        if change.removed * 100 > number * UNCONFIRMED_PERCENT {
            kinds.push(
                StaffText::new("removed-of")
                    .with("removed", change.removed)
                    .with("number", number)
                    .with("rows", table.rows),
            );
        }
    }
    let removed = changes.iter().map(|change| change.removed).sum();
    let both =
        |first: StaffText, second: StaffText| StaffText::new("two-parts").with("first", first).with("second", second);
    Ok(kinds.into_iter().reduce(both).map(|kinds| (removed, kinds)))
}

//! A record in a form: the check of its fields by the rules of manifests, and its import.

use actix_web::web::{Data, Json, Path};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use service::{
    Detail, EditorCaller, Problem, StaffText,
    openapi::{Conflict, NotFound, Refused},
    timestamp,
};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    App, Error,
    changes::canonical,
    import::{self, apply::lock_imports},
    manifest::{Source, Table},
    records::Record,
};

/// A record of a form.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CheckOrder)]
#[serde(deny_unknown_fields)]
pub struct CheckOrder {
    /// The service, by any of its names.
    pub service: String,
    /// The fields as in a JSON manifest; times without an offset are in Johannesburg.
    #[schema(value_type = Object)]
    pub record: Map<String, Value>,
}

/// A record whose fields follow the rules.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CheckedRecord)]
pub struct Checked {
    /// The service's name.
    pub service: String,
    /// Its key.
    pub slug: String,
    /// The fields as they would be imported; times are UTC.
    #[schema(value_type = Object)]
    pub record: Map<String, Value>,
    /// The record with this slug as it is now.
    #[schema(required = true)]
    pub live: Option<Record>,
}

/// One record to be imported.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PutOrder)]
#[serde(deny_unknown_fields)]
pub struct PutOrder {
    /// The service, by any of its names.
    pub service: String,
    /// The fields as a check returned them.
    #[schema(value_type = Object)]
    pub record: Map<String, Value>,
    /// The record on which this one is based: refused where the catalogue has another now. Null: a new record.
    #[schema(value_type = Option<Object>, required = true)]
    pub base: Option<Map<String, Value>>,
}

/// Checks the fields of a record by the rules of manifests; changes nothing.
#[utoipa::path(
    post,
    path = "",
    params(("kind" = service::schema::Name, Path, description = "The kind of record, such as `video`.")),
    request_body = CheckOrder,
    responses((status = 200, description = "Its fields follow the rules.", body = Checked), NotFound, Refused)
)]
pub async fn check_record(
    _: EditorCaller,
    app: Data<App>,
    kind: Path<String>,
    order: Json<CheckOrder>,
) -> Result<Json<Checked>, Error> {
    let (table, order) = (app.table_of(&kind)?, order.into_inner());
    let brand = app.brand_named(&order.service)?;
    let record = (table.read)(order.record, Source::Json, &brand.media_folder()).map_err(refused)?;
    let record = canonical(record);
    let slug = record.get("slug").and_then(Value::as_str).unwrap_or_default().to_owned();
    let (service, key) = (brand.service.clone(), slug.clone());
    let live = app.db.run(move |conn| Record::find(conn, &table, &service, &key)).await?;
    Ok(Json(Checked { service: brand.service.clone(), slug, record, live }))
}

/// The problem that names every fault of a form.
fn refused(faults: Vec<(String, StaffText)>) -> Problem {
    let first = faults.first().map(|(field, fault)| {
        StaffText::new("fault-of-field").with("field", field.as_str()).with("fault", fault.clone())
    });
    let detail = first.map_or_else(|| Detail::from(""), Detail::from);
    faults
        .into_iter()
        .fold(Problem::unprocessable(detail), |problem, (field, detail)| problem.with_field(field, detail))
}

/// Imports one record, if the catalogue still has the one on which it is based; a record that is there already, word for word, stays.
#[utoipa::path(
    put,
    path = "",
    params(("kind" = service::schema::Name, Path, description = "The kind of record, such as `video`.")),
    request_body = PutOrder,
    responses((status = 200, description = "The record as it is now.", body = Record), NotFound, Conflict, Refused)
)]
pub async fn put_record(
    caller: EditorCaller,
    app: Data<App>,
    kind: Path<String>,
    order: Json<PutOrder>,
) -> Result<Json<Record>, Error> {
    let (table, order) = (app.table_of(&kind)?, order.into_inner());
    let brand = app.brand_named(&order.service)?;
    let tables = app.publication.content().tables;
    let record = app
        .db
        .write(move |conn| put(conn, tables, &table, &brand.service, &brand.media_folder(), order, caller.name()));
    let record = record.await?;
    app.replies.invalidate().await;
    Ok(Json(record))
}

fn put(
    conn: &mut DbConnection,
    tables: &[Table],
    table: &Table,
    service: &str,
    folder: &str,
    order: PutOrder,
    who: &str,
) -> Result<Record, Error> {
    lock_imports(conn)?;
    let (mut record, mut base) = (canonical(order.record), order.base.map(canonical));
    let slug = record.get("slug").and_then(Value::as_str).unwrap_or_default().to_owned();
    let live = Record::find(conn, table, service, &slug)?;
    // Of a record that is held, imports do not change the state: it is neither a difference nor a conflict.
    if let Some(state) = live.as_ref().filter(|live| live.held).and_then(|live| live.record.get("state")) {
        for fields in [Some(&mut record), base.as_mut()].into_iter().flatten() {
            fields.insert("state".to_owned(), state.clone());
        }
    }
    let is_there = live.as_ref().is_some_and(|live| live.record == record);
    if !is_there && live.map(|live| live.record) != base {
        return Err(Problem::conflict(StaffText::new("record-changed")).into());
    }
    let now = timestamp::now();
    // No manifest has this name: the next import of any is applied.
    let open = import::open(conn, tables, service, &format!("{} {slug} by {who} at {now}", table.kind), now)?;
    record.insert("place".to_owned(), 1.into());
    (table.stage)(conn, open.id, folder, vec![record])?;
    let comparison = import::compare(conn, tables, &open)?;
    if !comparison.faults.is_empty() {
        return Err(
            refused(comparison.faults.into_iter().map(|found| (found.fault.field, found.message)).collect()).into()
        );
    }
    import::apply::apply(conn, tables, &open, who)?;
    Record::find(conn, table, service, &slug)?
        .ok_or_else(|| Problem::internal("the record that was imported is not there").into())
}

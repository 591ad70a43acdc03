//! Open imports and their staged records.

use actix_web::web::{Data, Json};
use chrono::{Duration, NaiveDateTime};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use service::{Problem, StaffText};
use store::DbConnection;
use utoipa::ToSchema;

use self::schema::open_imports;
use crate::{
    App, Error,
    manifest::{Batch, Table},
};

pub(super) mod schema {
    diesel::table! {
        open_imports (id) {
            id -> BigInt,
            service -> Text,
            digest -> Text,
            prune -> Bool,
            at -> Timestamp,
            file -> Nullable<Text>,
            sha256 -> Nullable<Text>,
            who -> Nullable<Text>,
            records -> Nullable<BigInt>,
        }
    }
}

/// The largest body of an editors' request, in bytes: a batch of records is far larger than a visitor's request.
pub const MAX_BATCH_BYTES: usize = 8 * 1024 * 1024;

/// How long an import may stay open.
const TTL: Duration = Duration::days(1);

/// An open import.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = open_imports)]
pub(crate) struct OpenImport {
    pub id: i64,
    pub service: String,
    pub digest: String,
    pub prune: bool,
    /// The name of an uploaded file; it prunes only the kinds that it has. None: the editors' tool sends the records.
    pub file: Option<String>,
}

/// The number of records in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ImportAccepted)]
pub struct Accepted {
    /// Records that wait now, of those of this request.
    pub accepted: usize,
}

/// Validates a batch of an import's records and stages them.
pub(crate) async fn stage(app: Data<App>, id: i64, records: impl Batch) -> Result<Json<Accepted>, Error> {
    let catalogue = app.clone();
    let staged = app.db.write(move |conn| {
        let open = find(conn, id)?;
        let folder = catalogue.brand_named(&open.service)?.media_folder();
        Ok::<_, Error>(Accepted { accepted: records.stage(conn, id, &folder)? })
    });
    Ok(Json(staged.await?))
}

/// Opens an import, and closes expired ones.
pub(crate) fn open(
    conn: &mut DbConnection,
    tables: &[Table],
    service: &str,
    digest: &str,
    prune: bool,
    now: NaiveDateTime,
) -> Result<OpenImport, Error> {
    let old: Vec<i64> =
        open_imports::table.filter(open_imports::at.lt(now - TTL)).select(open_imports::id).load(conn)?;
    for id in old {
        close(conn, tables, id)?;
    }
    let row = (
        open_imports::service.eq(service),
        open_imports::digest.eq(digest),
        open_imports::prune.eq(prune),
        open_imports::at.eq(now),
    );
    let id = diesel::insert_into(open_imports::table).values(row).returning(open_imports::id).get_result(conn)?;
    Ok(OpenImport { id, service: service.to_owned(), digest: digest.to_owned(), prune, file: None })
}

/// The open import with this id, if it is not applied or discarded yet.
pub(crate) fn find_open(conn: &mut DbConnection, id: i64) -> Result<Option<OpenImport>, Error> {
    Ok(open_imports::table.find(id).select(OpenImport::as_select()).first(conn).optional()?)
}

/// The open import with this id.
pub(crate) fn find(conn: &mut DbConnection, id: i64) -> Result<OpenImport, Error> {
    find_open(conn, id)?.ok_or_else(|| Problem::not_found(StaffText::new("no-such-import")).into())
}

/// The number of staged records.
pub(crate) fn count(conn: &mut DbConnection, tables: &[Table], id: i64) -> Result<i64, Error> {
    let mut sum = 0;
    for table in tables {
        let statement = format!("SELECT count(*) AS number FROM {} WHERE import_id = {id}", table.staged);
        sum += diesel::sql_query(statement).get_result::<Number>(conn)?.number;
    }
    Ok(sum)
}

/// Analyzes the staging tables, so that the query planner has statistics.
pub(crate) fn analyze(conn: &mut DbConnection, tables: &[Table]) -> Result<(), Error> {
    if let DbConnection::Postgres(conn) = conn {
        for table in tables {
            diesel::sql_query(format!("ANALYZE {}", table.staged)).execute(conn)?;
        }
    }
    Ok(())
}

/// Closes an import and deletes its staged records.
pub(crate) fn close(conn: &mut DbConnection, tables: &[Table], id: i64) -> Result<(), Error> {
    for table in tables {
        diesel::sql_query(format!("DELETE FROM {} WHERE import_id = {id}", table.staged)).execute(conn)?;
    }
    diesel::delete(open_imports::table.find(id)).execute(conn)?;
    Ok(())
}

#[derive(QueryableByName)]
struct Number {
    #[diesel(sql_type = diesel::sql_types::BigInt)]
    number: i64,
}

//! Which manifests a catalogue has taken in; the newest row's id is the catalogue's version.
//!
//! Every catalogue owner's migrations create this table beside its own.

use chrono::NaiveDateTime;
use diesel::{dsl::max, prelude::*};

use self::schema::imports;
use crate::DbConnection;

mod schema {
    diesel::table! {
        imports (id) {
            id -> BigInt,
            service -> Text,
            digest -> Text,
            at -> Timestamp,
        }
    }
}

/// Whether a service ever took in its part of the manifest with this digest.
pub fn known(conn: &mut DbConnection, service: &str, digest: &str) -> QueryResult<bool> {
    let taken = imports::table.filter(imports::service.eq(service).and(imports::digest.eq(digest)));
    diesel::select(diesel::dsl::exists(taken)).get_result(conn)
}

/// Records that a service took in its part of a manifest.
pub fn record(conn: &mut DbConnection, service: &str, digest: &str, at: NaiveDateTime) -> QueryResult<()> {
    let row = (imports::service.eq(service), imports::digest.eq(digest), imports::at.eq(at));
    diesel::insert_into(imports::table).values(row).execute(conn)?;
    Ok(())
}

/// The catalogue's version: grows with every import that changed something; 0 before the first.
pub fn version(conn: &mut DbConnection) -> QueryResult<i64> {
    Ok(imports::table.select(max(imports::id)).get_result::<Option<i64>>(conn)?.unwrap_or(0))
}

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
            digest -> Text,
            at -> Timestamp,
        }
    }
}

/// Whether a manifest with this digest was ever taken in.
pub fn known(conn: &mut DbConnection, digest: &str) -> QueryResult<bool> {
    diesel::select(diesel::dsl::exists(imports::table.filter(imports::digest.eq(digest)))).get_result(conn)
}

/// Records that a manifest changed the catalogue.
pub fn record(conn: &mut DbConnection, digest: &str, at: NaiveDateTime) -> QueryResult<()> {
    diesel::insert_into(imports::table).values((imports::digest.eq(digest), imports::at.eq(at))).execute(conn)?;
    Ok(())
}

/// The catalogue's version: grows with every import that changed something; 0 before the first.
pub fn version(conn: &mut DbConnection) -> QueryResult<i64> {
    Ok(imports::table.select(max(imports::id)).get_result::<Option<i64>>(conn)?.unwrap_or(0))
}

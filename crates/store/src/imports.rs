//! Which manifests a catalogue has seen.
//!
//! Every catalogue owner's migrations create the table `imports` beside its own; the newest row's id is the catalogue's version.

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

/// Records that a service's part of the catalogue is now what `digest` names.
pub fn record(conn: &mut DbConnection, service: &str, digest: &str, at: NaiveDateTime) -> QueryResult<()> {
    let row = (imports::service.eq(service), imports::digest.eq(digest), imports::at.eq(at));
    diesel::insert_into(imports::table).values(row).execute(conn)?;
    Ok(())
}

/// Whether a service ever took this in.
pub fn seen(conn: &mut DbConnection, service: &str, digest: &str) -> QueryResult<bool> {
    let taken = imports::table.filter(imports::service.eq(service).and(imports::digest.eq(digest)));
    diesel::select(diesel::dsl::exists(taken)).get_result(conn)
}

/// What a service took in last: nothing has changed its part since.
pub fn latest(conn: &mut DbConnection, service: &str) -> QueryResult<Option<String>> {
    let newest = imports::table.filter(imports::service.eq(service)).order(imports::id.desc());
    newest.select(imports::digest).first(conn).optional()
}

/// The catalogue's version: grows with every import that changed something; 0 before the first.
pub fn version(conn: &mut DbConnection) -> QueryResult<i64> {
    Ok(imports::table.select(max(imports::id)).get_result::<Option<i64>>(conn)?.unwrap_or(0))
}

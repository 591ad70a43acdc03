//! Which manifests a catalogue has imported.
//!
//! Every catalogue owner's migrations create the table `imports`; its newest row's id is the catalogue's version.

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

/// Records that a service's catalogue now has the content of `digest`.
pub fn record(conn: &mut DbConnection, service: &str, digest: &str, at: NaiveDateTime) -> QueryResult<()> {
    let row = (imports::service.eq(service), imports::digest.eq(digest), imports::at.eq(at));
    diesel::insert_into(imports::table).values(row).execute(conn)?;
    Ok(())
}

/// The digest a service imported last.
pub fn latest(conn: &mut DbConnection, service: &str) -> QueryResult<Option<String>> {
    let newest = imports::table.filter(imports::service.eq(service)).order(imports::id.desc());
    newest.select(imports::digest).first(conn).optional()
}

/// The catalogue's version: increases with every import that changes something; 0 before the first.
pub fn version(conn: &mut DbConnection) -> QueryResult<i64> {
    Ok(imports::table.select(max(imports::id)).get_result::<Option<i64>>(conn)?.unwrap_or(0))
}

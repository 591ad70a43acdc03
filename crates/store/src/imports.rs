//! Taking manifests in: which ones a catalogue has seen, what each changed, and the one way a record is put.
//!
//! Every catalogue owner's migrations create the table `imports` beside its own; the newest row's id is the catalogue's version.

use chrono::NaiveDateTime;
use diesel::{dsl::max, prelude::*};
use serde::Serialize;
use utoipa::ToSchema;

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

/// What an import did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Imported {
    /// Records that are new.
    pub added: usize,
    /// Records that are different now.
    pub changed: usize,
    /// Records that were there already, word for word.
    pub unchanged: usize,
}

/// A service's part of a manifest, as far as it is the same for every catalogue.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The service.
    pub service: &'a str,
    /// Names the manifest's content.
    pub digest: &'a str,
    /// Skip the whole part if it was ever taken in, so that later edits stay.
    pub once: bool,
}

/// Takes a part in by `put_all`, within the caller's transaction, and records it.
pub fn take_in<E: From<diesel::result::Error>>(
    conn: &mut DbConnection,
    part: Part<'_>,
    at: NaiveDateTime,
    put_all: impl FnOnce(&mut DbConnection, &mut Imported) -> Result<(), E>,
) -> Result<Imported, E> {
    let mut imported = Imported::default();
    let taken = imports::table.filter(imports::service.eq(part.service).and(imports::digest.eq(part.digest)));
    if part.once && diesel::select(diesel::dsl::exists(taken)).get_result(conn)? {
        return Ok(imported);
    }
    put_all(conn, &mut imported)?;
    if part.once || imported.added + imported.changed > 0 {
        let row = (imports::service.eq(part.service), imports::digest.eq(part.digest), imports::at.eq(at));
        diesel::insert_into(imports::table).values(row).execute(conn)?;
    }
    Ok(imported)
}

/// Puts one record of a catalogue, known by its service and slug: added, changed or left as it is. Answers its id.
///
/// `$table` has the columns `id`, `service` and `slug`; `$Row` derives `AsChangeset`, `Insertable`, `Selectable` and `PartialEq`.
#[macro_export]
macro_rules! put {
    ($conn:expr, $imported:expr, $table:ident, $Row:ident $fields:tt) => {{
        let row = $Row $fields;
        let found = $table::table
            .filter($table::service.eq(&row.service).and($table::slug.eq(&row.slug)))
            .select(($table::id, $Row::as_select()))
            .first::<(i64, $Row)>($conn)
            .optional()?;
        match found {
            Some((id, known)) if known == row => {
                $imported.unchanged += 1;
                id
            }
            Some((id, _)) => {
                diesel::update($table::table.find(id)).set(row).execute($conn)?;
                $imported.changed += 1;
                id
            }
            None => {
                $imported.added += 1;
                diesel::insert_into($table::table).values(row).returning($table::id).get_result($conn)?
            }
        }
    }};
}

/// The catalogue's version: grows with every import that changed something; 0 before the first.
pub fn version(conn: &mut DbConnection) -> QueryResult<i64> {
    Ok(imports::table.select(max(imports::id)).get_result::<Option<i64>>(conn)?.unwrap_or(0))
}

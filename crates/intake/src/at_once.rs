//! A part of a manifest that fits into one request: the same steps, in one transaction.

use serde::Serialize;
use store::{DbConnection, imports};
use utoipa::ToSchema;

use crate::{Error, Table, apply::apply, staged};

/// What an import did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Imported {
    /// Records that are new.
    pub added: i64,
    /// Records that are different now.
    pub changed: i64,
    /// Records that were there already, word for word.
    pub unchanged: i64,
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

/// Takes a part in, within the caller's transaction: `put` stages its records under the id it is given.
pub fn take_in(
    conn: &mut DbConnection,
    tables: &[Table],
    part: Part<'_>,
    put: impl FnOnce(&mut DbConnection, i64) -> Result<usize, Error>,
) -> Result<Imported, Error> {
    if part.once && imports::seen(conn, part.service, part.digest)? {
        return Ok(Imported::default());
    }
    let open = staged::open(conn, tables, part.service, part.digest, false, web::timestamp::now())?;
    put(conn, open.id)?;
    let changes = apply(conn, tables, &open)?;
    Ok(changes.iter().fold(Imported::default(), |sum, change| Imported {
        added: sum.added + change.added,
        changed: sum.changed + change.changed,
        unchanged: sum.unchanged + change.unchanged,
    }))
}

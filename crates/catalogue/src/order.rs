//! The order that editors give to a list: by position, and behind those without one by id. The cursor is the id of a page's last record.

use diesel::{prelude::*, sql_types::BigInt};
use store::DbConnection;

use crate::Error;

/// The last record of the page before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Last {
    /// What the list is sorted by.
    pub rank: i64,
    /// Its id; 0 before the first page.
    pub id: i64,
}

#[derive(QueryableByName)]
struct Rank {
    #[diesel(sql_type = BigInt)]
    rank: i64,
}

impl Last {
    /// The record with this id in a table that has positions. An id that no record has is behind all positions, as if it had none.
    pub fn of(conn: &mut DbConnection, table: &'static str, id: i64) -> Result<Self, Error> {
        if id == 0 {
            return Ok(Self { rank: -1, id });
        }
        let found: Option<Rank> = diesel::sql_query(format!("SELECT t.rank FROM {table} t WHERE t.id = $1"))
            .bind::<BigInt, _>(id)
            .get_result(conn)
            .optional()?;
        Ok(Self { rank: found.map_or(i64::MAX, |row| row.rank), id })
    }
}

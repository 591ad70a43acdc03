//! One connection type over both engines.

use diesel::{PgConnection, SqliteConnection};

/// A connection to the engine that the URL names.
#[derive(diesel::MultiConnection)]
pub enum DbConnection {
    /// `postgres://…`
    Postgres(PgConnection),
    /// A file's path. Last, because SQLite takes any string for a path.
    Sqlite(SqliteConnection),
}

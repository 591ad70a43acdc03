//! The database of one service: SQLite or PostgreSQL, chosen by its URL at run time; and Redis, where configured.
//!
//! Read `Db` (how queries run), then `migrations` (how tables are created) and `reply_cache` (how catalogue replies are cached);
//! `on_each_backend!` is for the few statements that diesel's `MultiConnection` cannot build.

mod after_commit;
mod config;
mod connection;
mod db;
mod error;
pub mod imports;
mod migrations;
pub mod personal_data;
mod pool;
mod program;
mod redis;
mod reply_cache;

pub use after_commit::after_commit;
pub use config::StoreConfig;
pub use connection::{DbConnection, init_tls};
pub use db::Db;
pub use diesel_migrations::{EmbeddedMigrations, embed_migrations};
pub use error::Error;
pub use migrations::{Migrations, migrate, revert_all};
pub use program::{MIGRATE_HELP, run};
pub use redis::Redis;
pub use reply_cache::{CacheKey, Overlay, ReplyCache};

/// Runs one expression with `$inner` bound to the connection type of the engine in use.
///
/// For statements that do not compile on `DbConnection` itself: `on_conflict`, `returning(as_returning)`, batch inserts.
#[macro_export]
macro_rules! on_each_backend {
    ($conn:expr, $inner:ident => $body:expr) => {
        match $conn {
            $crate::DbConnection::Postgres($inner) => $body,
            $crate::DbConnection::Sqlite($inner) => $body,
        }
    };
}

/// An owner's `Migrations`, embedded from its SQLite and its PostgreSQL folder. The caller depends on `diesel_migrations`.
#[macro_export]
macro_rules! migrations {
    ($sqlite:literal, $postgres:literal) => {{
        const SQLITE: $crate::EmbeddedMigrations = $crate::embed_migrations!($sqlite);
        const POSTGRES: $crate::EmbeddedMigrations = $crate::embed_migrations!($postgres);
        $crate::Migrations { sqlite: || SQLITE, postgres: || POSTGRES }
    }};
}

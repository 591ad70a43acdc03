//! Test data of any size for any catalogue service, on either engine: inserted by a few SQL statements, and the same rows every
//! time.
//!
//! The rows look like real ones (https images, names, times, states, likes concentrated on a few memes) and are consistent: a meme's
//! count equals the number of its likes.

mod artists;
mod dialect;
mod meme;
pub mod people;
mod tt;

use diesel::{RunQueryDsl, connection::SimpleConnection, sql_types::BigInt};
use store::{Db, DbConnection, Migrations, StoreConfig};

use self::dialect::Dialect;
/// The catalogue services.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Service {
    /// Comedians and their videos.
    Comedy,
    /// Footballers and their videos.
    Diski,
    /// Memes.
    Meme,
    /// Videos on demand.
    Tt,
}

/// The size of the data.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Size {
    /// Categories; for comedy and diski artists.
    #[arg(long, visible_alias = "artists", default_value_t = 10)]
    pub categories: i64,
    /// Memes, or videos.
    #[arg(long, visible_aliases = ["memes", "videos"], default_value_t = 200)]
    pub items: i64,
    /// The most likes; a second like of one thing by one number is dropped.
    #[arg(long, default_value_t = 0)]
    pub likes: i64,
    /// All new ids are larger than this.
    #[arg(long, default_value_t = 0)]
    pub ids_after: i64,
}

impl Size {
    /// This many items in ten categories, without likes.
    pub fn of(items: i64) -> Self {
        Self { categories: 10, items, likes: 0, ids_after: 0 }
    }
}

/// The size of the data and the ids that exist already.
struct Plan {
    size: Size,
    /// The largest existing ids.
    last_group: i64,
    last_item: i64,
    /// Whether some rows are unlisted or deleted, if the tables have states.
    states: bool,
}

#[derive(diesel::QueryableByName)]
struct Number {
    #[diesel(sql_type = BigInt)]
    number: i64,
}

impl Service {
    /// The database's owner.
    fn owner(self) -> &'static str {
        match self {
            Self::Comedy => "comedy",
            Self::Diski => "diski",
            Self::Meme => "meme",
            Self::Tt => "tt",
        }
    }

    fn migrations(self) -> Migrations {
        match self {
            Self::Comedy | Self::Diski => comedy::PUBLICATION.migrations,
            Self::Meme => ::meme::PUBLICATION.migrations,
            Self::Tt => ::tt::PUBLICATION.migrations,
        }
    }

    /// The name of its binary.
    pub fn program(self) -> &'static str {
        self.owner()
    }

    /// The service name of the new rows: the first brand of the kind.
    pub fn brand(self) -> &'static str {
        match self {
            Self::Comedy => "MC Funny",
            Self::Diski => "diski99",
            Self::Meme => "memeworld",
            Self::Tt => "ttmbhatv",
        }
    }

    fn tables(self) -> (&'static str, &'static str) {
        match self {
            Self::Comedy | Self::Diski => ("artists", "videos"),
            Self::Meme => ("categories", "memes"),
            Self::Tt => ("categories", "videos"),
        }
    }

    fn statements(self, dialect: Dialect, plan: &Plan) -> Vec<String> {
        match self {
            Self::Comedy | Self::Diski => artists::statements(dialect, plan, self.brand(), self.owner()),
            Self::Meme => meme::statements(dialect, plan),
            Self::Tt => tt::statements(dialect, plan),
        }
    }
}

/// The title of video `n`, counted from 0 in the order of ids.
pub fn video_title(n: i64) -> String {
    tt::title(n)
}

/// Opens a service's database and applies its migrations.
pub async fn open(store: &StoreConfig, service: Service) -> anyhow::Result<Db> {
    Db::open(store, service.owner(), service.migrations()).await.map_err(anyhow::Error::from)
}

/// Adds data to a service's database in one transaction; a running service treats it as an import.
pub async fn fill(store: &StoreConfig, service: Service, size: Size) -> anyhow::Result<()> {
    let db = open(store, service).await?;
    let filled = db.run(move |conn| {
        let dialect = Dialect::of(conn);
        conn.batch_execute(dialect.unsafe_settings())?;
        let filled = fill_in_transaction(conn, dialect, service, size);
        // The connection returns to a pool and must not keep the unsafe settings.
        conn.batch_execute(dialect.safe_settings())?;
        filled
    });
    filled.await.map_err(anyhow::Error::from)
}

fn fill_in_transaction(
    conn: &mut DbConnection,
    dialect: Dialect,
    service: Service,
    size: Size,
) -> Result<(), store::Error> {
    use diesel::Connection;
    let (groups, items) = service.tables();
    conn.transaction(|conn| {
        // Takes SQLite's write lock before any read: a transaction that reads first can fail with "database is locked".
        diesel::sql_query("DELETE FROM imports WHERE 1 = 0").execute(conn)?;
        let plan = Plan {
            size,
            last_group: largest_id(conn, groups)?.max(size.ids_after),
            last_item: largest_id(conn, items)?.max(size.ids_after),
            states: number(conn, &dialect.has_column(items, "state"))? > 0,
        };
        for statement in service.statements(dialect, &plan) {
            diesel::sql_query(statement).execute(conn)?;
        }
        for table in [groups, items] {
            if let Some(statement) = dialect.set_sequence(table) {
                diesel::sql_query(statement).execute(conn)?;
            }
        }
        let (brand, now) = (service.brand(), dialect.time("0"));
        let digest = format!("bench-{}-{}", plan.last_item, size.items);
        let seen = format!("INSERT INTO imports (service, digest, at) VALUES ('{brand}', '{digest}', {now})");
        diesel::sql_query(seen).execute(conn)?;
        Ok::<_, diesel::result::Error>(())
    })?;
    conn.batch_execute("ANALYZE")?;
    Ok(())
}

/// The id of a listed row: the fixture hides only rows in the second half of every hundred.
///
/// `number` counts from 0; there are n/2 such ids among n rows.
pub fn listed(number: u64) -> u64 {
    number / 50 * 100 + number % 50 + 1
}

fn largest_id(conn: &mut DbConnection, table: &str) -> diesel::QueryResult<i64> {
    number(conn, &format!("SELECT coalesce(max(id), 0) AS number FROM {table}"))
}

fn number(conn: &mut DbConnection, query: &str) -> diesel::QueryResult<i64> {
    diesel::sql_query(query).get_result::<Number>(conn).map(|row| row.number)
}

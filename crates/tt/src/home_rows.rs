//! The rows of a home page in one SQL statement: a page of categories, each with its first videos, as JSON.
//!
//! Written by hand because diesel has no lateral join with a limit per category, and because with a plain join the planner reads all
//! videos and discards most. The engine concatenates the videos' JSON: ten strings for a home page instead of two hundred rows of six
//! columns, whose transfer was most of the page's cost.

use catalogue::{Error, Last, translated};
use chrono::NaiveDateTime;
use diesel::{
    backend::Backend,
    prelude::*,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    serialize::ToSql,
    sql_types::{BigInt, Text, Timestamp},
};
use languages::Language;
use service::{Page, Problem};
use store::{DbConnection, on_each_backend};

use crate::categories::{Category, CategoryVideos};

/// One page of a service's categories, in the order of editors, each with its first 20 listed videos, ordered by id: the categories' ids, and JSON of
/// the form of [`crate::categories::CategoryVideos`].
pub(crate) fn load(
    conn: &mut DbConnection,
    service: &str,
    page: Page,
    language: Language,
) -> Result<Vec<(i64, String)>, Error> {
    let statement = HomeRows {
        service,
        now: service::timestamp::now(),
        last: Last::of(conn, "categories", page.after)?,
        limit: page.fetch(),
    };
    let rows: Vec<(Category, String)> = on_each_backend!(conn, conn => statement.load(conn))?;
    if language != Language::ENGLISH {
        return in_language(conn, rows, language);
    }
    rows.into_iter()
        .map(|(category, cards)| {
            let id = category.id;
            let category = serde_json::to_string(&category).map_err(Problem::internal)?;
            Ok((id, format!(r#"{{"category":{category},"videos":[{cards}]}}"#)))
        })
        .collect()
}

/// The rows with the texts of a language, which are not in the cards of the database.
fn in_language(
    conn: &mut DbConnection,
    rows: Vec<(Category, String)>,
    language: Language,
) -> Result<Vec<(i64, String)>, Error> {
    let rows = rows.into_iter().map(|(category, cards)| {
        let videos = serde_json::from_str(&format!("[{cards}]")).map_err(Problem::internal)?;
        Ok(CategoryVideos { category, videos })
    });
    let rows = rows.collect::<Result<Vec<_>, Problem>>()?;
    let rows = translated(conn, language, rows)?;
    let written = rows.iter().map(|row| Ok((row.category.id, serde_json::to_string(row).map_err(Problem::internal)?)));
    written.collect()
}

struct HomeRows<'a> {
    service: &'a str,
    now: NaiveDateTime,
    last: Last,
    limit: i64,
}

/// The SQL is constant per engine, so the prepared statement can be cached.
impl QueryId for HomeRows<'_> {
    type QueryId = HomeRows<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for HomeRows<'_> {
    type SqlType = ((BigInt, Text), Text);
}

impl<Conn> RunQueryDsl<Conn> for HomeRows<'_> {}

impl<DB: Backend> QueryFragment<DB> for HomeRows<'_>
where
    str: ToSql<Text, DB>,
    i64: ToSql<BigInt, DB>,
    NaiveDateTime: ToSql<Timestamp, DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        // The state is a literal: with a bound value, PostgreSQL's generic plan would read and sort all of a category's videos, and so it
        // would plan anew at every request.
        out.push_sql("SELECT c.id, c.category_name, COALESCE((SELECT string_agg(v.card, ',' ORDER BY v.id) FROM ");
        out.push_sql("(SELECT id, card FROM videos WHERE category_id = c.id AND state = 'listed' AND publish_at <= ");
        out.push_bind_param::<Timestamp, _>(&self.now)?;
        out.push_sql(" AND expires_at > ");
        out.push_bind_param::<Timestamp, _>(&self.now)?;
        out.push_sql(" ORDER BY id LIMIT 20) v), '') FROM categories c WHERE c.service = ");
        out.push_bind_param::<Text, _>(self.service)?;
        out.push_sql(" AND c.state = 'listed' AND c.publish_at <= ");
        out.push_bind_param::<Timestamp, _>(&self.now)?;
        out.push_sql(" AND c.expires_at > ");
        out.push_bind_param::<Timestamp, _>(&self.now)?;
        out.push_sql(" AND (c.rank, c.id) > (");
        out.push_bind_param::<BigInt, _>(&self.last.rank)?;
        out.push_sql(", ");
        out.push_bind_param::<BigInt, _>(&self.last.id)?;
        out.push_sql(") ORDER BY c.rank, c.id LIMIT ");
        out.push_bind_param::<BigInt, _>(&self.limit)
    }
}

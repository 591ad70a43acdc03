//! The rows of a home page by one statement: a page of categories, each with its first videos.
//!
//! Written by hand because each category's videos have a limit of their own, which diesel has no words for, and because a
//! planner left to itself would rather read all videos and throw most away: what it did with the same thing as a plain join.

use diesel::{
    backend::Backend,
    prelude::*,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    serialize::ToSql,
    sql_types::{BigInt, Nullable, Text},
};
use store::{DbConnection, on_each_backend};
use web::manifest::LISTED;

use crate::{error::Error, videos::VideoCard};

/// A category's id and name, and one of its videos where it has any.
pub(crate) type Row = (i64, String, Option<VideoCard>);

/// PostgreSQL seeks once for each category.
const POSTGRES: [&str; 2] = [
    " LEFT JOIN LATERAL (SELECT * FROM videos WHERE category_id = c.id AND state = ",
    " ORDER BY id LIMIT 20) v ON TRUE",
];

/// SQLite has no LATERAL; it seeks the ids first.
const SQLITE: [&str; 2] = [
    " LEFT JOIN videos v ON v.id IN (SELECT id FROM videos WHERE category_id = c.id AND state = ",
    " ORDER BY id LIMIT 20)",
];

/// At most `limit` categories of `service` whose id is larger than `after`, in the order of their ids, each with its first 20
/// listed videos in the order of theirs.
pub(crate) fn load(conn: &mut DbConnection, service: &str, after: i64, limit: i64) -> Result<Vec<Row>, Error> {
    let join = match conn {
        DbConnection::Postgres(_) => POSTGRES,
        DbConnection::Sqlite(_) => SQLITE,
    };
    let statement = HomeRows { service, after, limit, join };
    let mut rows: Vec<Row> = on_each_backend!(conn, conn => statement.load(conn))?;
    // The engines find them in this order and promise nothing; what is in order already costs next to nothing to sort, here.
    rows.sort_by_key(|(category, _, video)| (*category, video.as_ref().map(|video| video.id)));
    Ok(rows)
}

struct HomeRows<'a> {
    service: &'a str,
    after: i64,
    limit: i64,
    join: [&'static str; 2],
}

/// One connection speaks to one engine, and so sees one text: it may be prepared once.
impl QueryId for HomeRows<'_> {
    type QueryId = HomeRows<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for HomeRows<'_> {
    type SqlType = (BigInt, Text, Nullable<(BigInt, Text, Text, Text, BigInt, BigInt)>);
}

impl<Conn> RunQueryDsl<Conn> for HomeRows<'_> {}

impl<DB: Backend> QueryFragment<DB> for HomeRows<'_>
where
    str: ToSql<Text, DB>,
    i64: ToSql<BigInt, DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        let [before_state, after_state] = self.join;
        out.push_sql("SELECT c.id, c.category_name, v.id, v.image, v.name, v.video_name, v.duration_s, v.bytes FROM (");
        out.push_sql("SELECT id, category_name FROM categories WHERE service = ");
        out.push_bind_param::<Text, _>(self.service)?;
        out.push_sql(" AND id > ");
        out.push_bind_param::<BigInt, _>(&self.after)?;
        out.push_sql(" ORDER BY id LIMIT ");
        out.push_bind_param::<BigInt, _>(&self.limit)?;
        out.push_sql(") c");
        out.push_sql(before_state);
        out.push_bind_param::<Text, _>(LISTED)?;
        out.push_sql(after_state);
        Ok(())
    }
}

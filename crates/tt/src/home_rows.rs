//! The rows of a home page by one statement: a page of categories, each with its first videos.
//!
//! Written by hand because each category's videos have a limit of their own, which diesel has no words for, and because a
//! planner left to itself would rather read all videos and throw most away: what it did with the same thing as a plain join.

use chrono::NaiveDateTime;
use diesel::{
    backend::Backend,
    connection::DefaultLoadingMode,
    prelude::*,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    serialize::ToSql,
    sql_types::{BigInt, Text, Timestamp},
};
use store::{DbConnection, on_each_backend};

use crate::{
    categories::{Category, CategoryVideos},
    error::Error,
    videos::VideoCard,
};

/// A category's id and one of its videos; or, where the video's id is [`NONE`], the category's own name in place of the video's.
/// A name that came with every video would be a tenth of all that travels, and a column that may be null costs a look at each.
type Row = (i64, VideoCard);

/// The id of no video: ids are positive.
const NONE: i64 = 0;

/// How many of its videos a row shows.
const SHOWN: usize = 20;

/// PostgreSQL seeks once for each category. The state stands in the text, not beside it: a plan for any state at all would collect
/// all of a category's videos and sort them, and so PostgreSQL would rather plan anew at every request.
const POSTGRES: &str = " CROSS JOIN LATERAL \
    (SELECT * FROM videos WHERE category_id = c.id AND state = 'listed' AND publish_at <= $2 AND expires_at > $2 ORDER BY id LIMIT 20) v";

/// SQLite has no LATERAL; it seeks the last of the ids first, and then walks up to it.
const SQLITE: &str = " CROSS JOIN videos v ON v.category_id = c.id AND v.state = 'listed' AND v.publish_at <= ?2 AND v.expires_at > ?2 \
    AND v.id <= ifnull((SELECT id FROM videos WHERE category_id = c.id AND state = 'listed' AND publish_at <= ?2 AND expires_at > ?2 \
    ORDER BY id LIMIT 1 OFFSET 19), 9223372036854775807)";

/// At most `limit` categories of `service` whose id is larger than `after`, in the order of their ids, each with its first 20
/// listed videos in the order of theirs.
pub(crate) fn load(
    conn: &mut DbConnection,
    service: &str,
    after: i64,
    limit: i64,
) -> Result<Vec<CategoryVideos>, Error> {
    let (now_again, join) = match conn {
        DbConnection::Postgres(_) => ("$2", POSTGRES),
        DbConnection::Sqlite(_) => ("?2", SQLITE),
    };
    let statement = HomeRows { service, now: web::timestamp::now(), now_again, after, limit, join };
    Ok(on_each_backend!(conn, conn => gather(statement.load_iter::<Row, DefaultLoadingMode>(conn)?))?)
}

/// Rows as they come into lists, each video moved once. The engines find them in order, and promise nothing; what is in order already
/// costs next to nothing to sort, here.
fn gather(rows: impl Iterator<Item = QueryResult<Row>>) -> QueryResult<Vec<CategoryVideos>> {
    let mut found: Vec<CategoryVideos> = Vec::new();
    let mut lists: Vec<(i64, Vec<VideoCard>)> = Vec::new();
    for row in rows {
        let (id, video) = row?;
        if video.id == NONE {
            found.push(CategoryVideos { category: Category { id, category_name: video.name }, videos: Vec::new() });
        } else if let Some((_, list)) = lists.iter_mut().rfind(|(category, _)| *category == id) {
            list.push(video);
        } else {
            let mut list = Vec::with_capacity(SHOWN);
            list.push(video);
            lists.push((id, list));
        }
    }
    found.sort_by_key(|row| row.category.id);
    for (id, mut list) in lists {
        list.sort_by_key(|video| video.id);
        if let Ok(place) = found.binary_search_by_key(&id, |row| row.category.id)
            && let Some(row) = found.get_mut(place)
        {
            row.videos = list;
        }
    }
    Ok(found)
}

struct HomeRows<'a> {
    service: &'a str,
    now: NaiveDateTime,
    /// The second value, once more.
    now_again: &'static str,
    after: i64,
    limit: i64,
    join: &'static str,
}

/// One connection speaks to one engine, and so sees one text: it may be prepared once.
impl QueryId for HomeRows<'_> {
    type QueryId = HomeRows<'static>;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for HomeRows<'_> {
    type SqlType = (BigInt, (BigInt, Text, Text, Text, BigInt, BigInt));
}

impl<Conn> RunQueryDsl<Conn> for HomeRows<'_> {}

impl<DB: Backend> QueryFragment<DB> for HomeRows<'_>
where
    str: ToSql<Text, DB>,
    i64: ToSql<BigInt, DB>,
    NaiveDateTime: ToSql<Timestamp, DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_sql("WITH c AS (SELECT id, category_name FROM categories WHERE service = ");
        out.push_bind_param::<Text, _>(self.service)?;
        out.push_sql(" AND state = 'listed' AND publish_at <= ");
        out.push_bind_param::<Timestamp, _>(&self.now)?;
        out.push_sql(" AND expires_at > ");
        out.push_sql(self.now_again);
        out.push_sql(" AND id > ");
        out.push_bind_param::<BigInt, _>(&self.after)?;
        out.push_sql(" ORDER BY id LIMIT ");
        out.push_bind_param::<BigInt, _>(&self.limit)?;
        out.push_sql(") SELECT id, 0, '', category_name, '', 0, 0 FROM c UNION ALL ");
        out.push_sql("SELECT c.id, v.id, v.image, v.name, v.video_name, v.duration_s, v.bytes FROM c");
        out.push_sql(self.join);
        Ok(())
    }
}

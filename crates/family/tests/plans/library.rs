//! Enough of a library for a planner to tell a walk from a seek: 10,000 of everything, a twentieth of it the brand's own.

use diesel::connection::SimpleConnection;
use store::{DbConnection, Error, on_each_backend};

/// Twenty services share the tables; each `n` makes one row.
macro_rules! rows {
    ($($statement:literal),+ $(,)?) => {
        concat!($("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) ", $statement, ";\n"),+, "ANALYZE;")
    };
}

/// Artists with videos.
pub(crate) const ARTISTS: &str = rows!(
    "INSERT INTO artists (service, slug, artist, description, image, state)
     SELECT CASE i % 20 WHEN 0 THEN 'MC Funny' ELSE 'service-' || (i % 20) END, 'artist-' || i, 'Artist ' || i, '', 'https://a/b',
            CASE i % 50 WHEN 7 THEN 'unlisted' WHEN 9 THEN 'deleted' ELSE 'listed' END FROM n",
    "INSERT INTO videos (artist_id, service, slug, video_name, media, image, datetime, duration_s, bytes, state)
     SELECT 1 + (i - 1) % 1000, CASE i % 20 WHEN 0 THEN 'MC Funny' ELSE 'service-' || (i % 20) END, 'video-' || i, 'Video ' || i, 'mcfunny/a.mp4', 'https://a/b', CURRENT_TIMESTAMP, 8, 1,
            CASE i % 50 WHEN 7 THEN 'unlisted' WHEN 9 THEN 'deleted' ELSE 'listed' END FROM n",
    "INSERT INTO imports (service, digest, at) SELECT 'MC Funny', 'digest-' || i, CURRENT_TIMESTAMP FROM n",
    "INSERT INTO changes (at, who, service, kind, record_id, action) SELECT CURRENT_TIMESTAMP, '', 'MC Funny', 'video', i, 'added' FROM n",
    "INSERT INTO take_downs (at, who, service, kind, record_id, slug, from_state, to_state, reason)
     SELECT CURRENT_TIMESTAMP, '', CASE i % 20 WHEN 0 THEN 'MC Funny' ELSE 'service-' || (i % 20) END, 'video', i, '', '', '', '' FROM n",
);

/// Categories with memes, and likes.
pub(crate) const MEMES: &str = rows!(
    "INSERT INTO categories (service, slug, name)
     SELECT CASE i % 20 WHEN 0 THEN 'memeworld' ELSE 'service-' || (i % 20) END, 'category-' || i, 'Category ' || i FROM n",
    "INSERT INTO memes (category_id, service, slug, title, image, created_at, state)
     SELECT 1 + (i - 1) % 1000, CASE i % 20 WHEN 0 THEN 'memeworld' ELSE 'service-' || (i % 20) END, 'meme-' || i, 'Meme ' || i, 'https://a/b',
            CURRENT_TIMESTAMP, CASE i % 50 WHEN 7 THEN 'unlisted' WHEN 9 THEN 'deleted' ELSE 'listed' END FROM n",
    "INSERT INTO likes (msisdn, meme_id, created) SELECT '278123' || (10000 + i % 5000), i, CURRENT_TIMESTAMP FROM n",
    "INSERT INTO imports (service, digest, at) SELECT 'memeworld', 'digest-' || i, CURRENT_TIMESTAMP FROM n",
    "INSERT INTO changes (at, who, service, kind, record_id, action) SELECT CURRENT_TIMESTAMP, '', 'memeworld', 'meme', i, 'added' FROM n",
    "INSERT INTO take_downs (at, who, service, kind, record_id, slug, from_state, to_state, reason)
     SELECT CURRENT_TIMESTAMP, '', CASE i % 20 WHEN 0 THEN 'memeworld' ELSE 'service-' || (i % 20) END, 'meme', i, '', '', '', '' FROM n",
);

/// Categories with videos, banners, likes and watchlists.
pub(crate) const VIDEOS: &str = rows!(
    "INSERT INTO categories (service, slug, category_name)
     SELECT CASE i % 20 WHEN 0 THEN 'ttmbhatv' ELSE 'service-' || (i % 20) END, 'category-' || i, 'Category ' || i FROM n",
    "INSERT INTO videos (category_id, service, slug, name, video_name, artist, status, media, image, datetime, duration_s, bytes, state)
     SELECT 1 + (i - 1) % 1000, CASE i % 20 WHEN 0 THEN 'ttmbhatv' ELSE 'service-' || (i % 20) END, 'video-' || i, 'Video ' || i, 'Video ' || i,
            'Artist', 'live-' || (i % 10), 'ttmbhatv/a.mp4', 'https://a/b', CURRENT_TIMESTAMP, 8, 1,
            CASE i % 50 WHEN 7 THEN 'unlisted' WHEN 9 THEN 'deleted' ELSE 'listed' END FROM n",
    "INSERT INTO banners (service, slug, title, image, video_id)
     SELECT CASE i % 20 WHEN 0 THEN 'ttmbhatv' ELSE 'service-' || (i % 20) END, 'banner-' || i, '', 'https://a/b', i FROM n",
    "INSERT INTO likes (msisdn, video_id, service, created) SELECT '278123' || (10000 + i % 5000), i, 'ttmbhatv', CURRENT_TIMESTAMP FROM n",
    "INSERT INTO watchlist (msisdn, video_id, service, created) SELECT '278123' || (10000 + i % 5000), i, 'ttmbhatv', CURRENT_TIMESTAMP FROM n",
    "INSERT INTO imports (service, digest, at) SELECT 'ttmbhatv', 'digest-' || i, CURRENT_TIMESTAMP FROM n",
    "INSERT INTO changes (at, who, service, kind, record_id, action) SELECT CURRENT_TIMESTAMP, '', 'ttmbhatv', 'video', i, 'added' FROM n",
    "INSERT INTO take_downs (at, who, service, kind, record_id, slug, from_state, to_state, reason)
     SELECT CURRENT_TIMESTAMP, '', CASE i % 20 WHEN 0 THEN 'ttmbhatv' ELSE 'service-' || (i % 20) END, 'video', i, '', '', '', '' FROM n",
);

/// Fills the tables by these statements and lets the engine count them.
pub(crate) fn fill(conn: &mut DbConnection, statements: &str) -> Result<(), Error> {
    on_each_backend!(conn, conn => conn.batch_execute(statements))?;
    Ok(())
}

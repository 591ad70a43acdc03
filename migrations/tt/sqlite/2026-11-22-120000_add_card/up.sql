-- A video as a card on a home page shows it, as JSON: a home page has hundreds, and is put together from these instead of from six columns
-- each. The engine makes it of the other columns, so it can never say anything else than they do; the index keeps it.

ALTER TABLE videos ADD COLUMN card TEXT GENERATED ALWAYS AS
    ('{"id":' || id || ',"imgurl":' || json_quote(image) || ',"name":' || json_quote(name) || ',"video_name":' || json_quote(video_name) ||
    ',"duration_s":' || duration_s || ',"bytes":' || bytes || '}') VIRTUAL;

DROP INDEX videos_of_category;
CREATE INDEX videos_of_category ON videos (category_id, state, id, publish_at, expires_at, card);

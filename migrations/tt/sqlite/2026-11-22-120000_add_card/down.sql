DROP INDEX videos_of_category;
ALTER TABLE videos DROP COLUMN card;
CREATE INDEX videos_of_category ON videos (category_id, state, id);

DROP INDEX categories_of_service;
DROP INDEX memes_of_service;
DROP INDEX memes_of_category;
CREATE INDEX memes_of_category ON memes (category_id, id);
ALTER TABLE memes DROP COLUMN state;

DROP INDEX categories_of_service;
ALTER TABLE categories DROP COLUMN held;
ALTER TABLE categories DROP COLUMN expires_at;
ALTER TABLE categories DROP COLUMN publish_at;
ALTER TABLE categories DROP COLUMN state;
ALTER TABLE memes DROP COLUMN held;
ALTER TABLE memes DROP COLUMN expires_at;
ALTER TABLE memes DROP COLUMN publish_at;
CREATE INDEX categories_of_service ON categories (service, id);

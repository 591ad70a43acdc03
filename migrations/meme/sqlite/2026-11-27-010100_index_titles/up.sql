-- Lists of editors by title: its first hundred letters, without case. An index takes no longer text on PostgreSQL.
CREATE INDEX categories_by_title ON categories (service, lower(substr(name, 1, 100)), id);
CREATE INDEX memes_by_title ON memes (service, lower(substr(title, 1, 100)), id);

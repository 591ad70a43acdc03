-- Lists of editors by title: its first hundred letters, without case. An index takes no longer text on PostgreSQL.
CREATE INDEX categories_by_title ON categories (service, lower(substr(category_name, 1, 100)), id);
CREATE INDEX videos_by_title ON videos (service, lower(substr(name, 1, 100)), id);
CREATE INDEX banners_by_title ON banners (service, lower(substr(title, 1, 100)), id);

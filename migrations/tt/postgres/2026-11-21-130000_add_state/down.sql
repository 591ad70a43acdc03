DROP INDEX likes_of_number;
DROP INDEX watchlist_of_number;
DROP INDEX banners_of_service;
DROP INDEX categories_of_service;
DROP INDEX videos_of_status;
DROP INDEX videos_of_category;
CREATE INDEX videos_of_category ON videos (category_id, id);
CREATE INDEX videos_of_status ON videos (service, status, id);
ALTER TABLE videos DROP COLUMN state;

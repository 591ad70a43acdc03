-- 'unlisted' is left out of every list and draw and still answers by its own address; 'deleted' is nowhere.

ALTER TABLE videos ADD COLUMN state TEXT NOT NULL DEFAULT 'listed' CHECK (state IN ('listed', 'unlisted', 'deleted'));

-- Pages of a category, of a status, of a service and of a number: each is one walk along an index.
DROP INDEX videos_of_category;
DROP INDEX videos_of_status;
CREATE INDEX videos_of_category ON videos (category_id, state, id);
CREATE INDEX videos_of_status ON videos (service, status, state, id);
CREATE INDEX categories_of_service ON categories (service, id);
CREATE INDEX banners_of_service ON banners (service, id);
CREATE INDEX watchlist_of_number ON watchlist (msisdn, service, created, video_id);
CREATE INDEX likes_of_number ON likes (msisdn, service, video_id);

-- 'unlisted' is left out of every list and draw and still answers by its own address; 'deleted' is nowhere.

ALTER TABLE artists ADD COLUMN state TEXT NOT NULL DEFAULT 'listed' CHECK (state IN ('listed', 'unlisted', 'deleted'));
ALTER TABLE videos ADD COLUMN state TEXT NOT NULL DEFAULT 'listed' CHECK (state IN ('listed', 'unlisted', 'deleted'));

DROP INDEX artists_of_service;
DROP INDEX videos_of_artist;
CREATE INDEX artists_of_service ON artists (service, state, id);
CREATE INDEX videos_of_artist ON videos (artist_id, state, id);

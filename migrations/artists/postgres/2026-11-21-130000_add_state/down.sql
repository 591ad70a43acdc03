DROP INDEX videos_of_artist;
DROP INDEX artists_of_service;
CREATE INDEX videos_of_artist ON videos (artist_id, id);
CREATE INDEX artists_of_service ON artists (service, id);
ALTER TABLE videos DROP COLUMN state;
ALTER TABLE artists DROP COLUMN state;

ALTER TABLE staged_videos DROP COLUMN captions;
ALTER TABLE videos DROP COLUMN captions;

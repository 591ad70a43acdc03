ALTER TABLE artists DROP COLUMN held;
ALTER TABLE artists DROP COLUMN expires_at;
ALTER TABLE artists DROP COLUMN publish_at;
ALTER TABLE videos DROP COLUMN held;
ALTER TABLE videos DROP COLUMN expires_at;
ALTER TABLE videos DROP COLUMN publish_at;

ALTER TABLE messages DROP COLUMN valid_seconds;

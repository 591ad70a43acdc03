-- How long an SMS was worth delivering, in seconds.
ALTER TABLE messages ADD COLUMN valid_seconds BIGINT NOT NULL DEFAULT 86400;

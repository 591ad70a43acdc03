-- What is before its time of publication or past its expiry is nowhere; what is held keeps its state whatever a manifest says.

ALTER TABLE artists ADD COLUMN publish_at TIMESTAMP NOT NULL DEFAULT '1970-01-01 00:00:00';
ALTER TABLE artists ADD COLUMN expires_at TIMESTAMP NOT NULL DEFAULT '9999-12-31 23:59:59';
ALTER TABLE artists ADD COLUMN held BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE videos ADD COLUMN publish_at TIMESTAMP NOT NULL DEFAULT '1970-01-01 00:00:00';
ALTER TABLE videos ADD COLUMN expires_at TIMESTAMP NOT NULL DEFAULT '9999-12-31 23:59:59';
ALTER TABLE videos ADD COLUMN held BOOLEAN NOT NULL DEFAULT FALSE;

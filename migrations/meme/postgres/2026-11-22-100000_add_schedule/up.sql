-- What is before its time of publication or past its expiry is nowhere; what is held keeps its state whatever a manifest says.

ALTER TABLE categories ADD COLUMN state TEXT NOT NULL DEFAULT 'listed' CHECK (state IN ('listed', 'unlisted', 'deleted'));
ALTER TABLE categories ADD COLUMN publish_at TIMESTAMP NOT NULL DEFAULT '1970-01-01 00:00:00';
ALTER TABLE categories ADD COLUMN expires_at TIMESTAMP NOT NULL DEFAULT '9999-12-31 23:59:59';
ALTER TABLE categories ADD COLUMN held BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE memes ADD COLUMN publish_at TIMESTAMP NOT NULL DEFAULT '1970-01-01 00:00:00';
ALTER TABLE memes ADD COLUMN expires_at TIMESTAMP NOT NULL DEFAULT '9999-12-31 23:59:59';
ALTER TABLE memes ADD COLUMN held BOOLEAN NOT NULL DEFAULT FALSE;

DROP INDEX categories_of_service;
CREATE INDEX categories_of_service ON categories (service, state, id);

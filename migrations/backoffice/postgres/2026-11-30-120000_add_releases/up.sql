-- The import of the release that a draft was put into, and the version that it had there.
ALTER TABLE drafts ADD COLUMN release BIGINT;
ALTER TABLE drafts ADD COLUMN release_version BIGINT;

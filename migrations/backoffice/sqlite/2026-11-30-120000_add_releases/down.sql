ALTER TABLE drafts DROP COLUMN release_version;
ALTER TABLE drafts DROP COLUMN release;

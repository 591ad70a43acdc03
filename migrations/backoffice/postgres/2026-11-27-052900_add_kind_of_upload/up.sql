-- kind: film or picture. result of a picture: its address, size in pixels and bytes, as JSON.
ALTER TABLE uploads ADD COLUMN kind TEXT NOT NULL DEFAULT 'film';

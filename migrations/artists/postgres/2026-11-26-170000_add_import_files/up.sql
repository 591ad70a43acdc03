-- Files that editors upload in the back office: their name, the SHA-256 of their bytes, who uploaded them, and how many records they have.
-- All are null where the editors' tool sends records; the last three are null until the whole file has arrived.

ALTER TABLE open_imports ADD COLUMN file TEXT;
ALTER TABLE open_imports ADD COLUMN sha256 TEXT;
ALTER TABLE open_imports ADD COLUMN who TEXT;
ALTER TABLE open_imports ADD COLUMN records BIGINT;

ALTER TABLE open_imports DROP COLUMN records;
ALTER TABLE open_imports DROP COLUMN who;
ALTER TABLE open_imports DROP COLUMN sha256;
ALTER TABLE open_imports DROP COLUMN file;

ALTER TABLE tries DROP COLUMN translation;

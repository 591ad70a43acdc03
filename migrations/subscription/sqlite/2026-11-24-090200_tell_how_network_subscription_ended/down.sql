ALTER TABLE holds DROP COLUMN ended_by;

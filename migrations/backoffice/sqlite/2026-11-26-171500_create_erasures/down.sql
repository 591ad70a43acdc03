DROP TABLE erasure_steps;
DROP TABLE erasures;
ALTER TABLE numbers DROP COLUMN searched_at;

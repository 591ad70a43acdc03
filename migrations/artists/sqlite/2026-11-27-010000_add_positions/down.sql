DROP INDEX artists_by_rank;
DROP INDEX artists_in_order;
ALTER TABLE artists DROP COLUMN rank;
ALTER TABLE staged_artists DROP COLUMN position;
ALTER TABLE artists DROP COLUMN position;

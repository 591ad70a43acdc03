-- The order that editors give to the records of a list. Null: behind all that have a position, in the order of ids, as before.
ALTER TABLE artists ADD COLUMN position BIGINT;
ALTER TABLE staged_artists ADD COLUMN position BIGINT;
-- What lists are sorted by: the engine makes it of the position. Visitors' lists have one state, those of editors have every state.
ALTER TABLE artists ADD COLUMN rank BIGINT GENERATED ALWAYS AS (COALESCE(position, 9223372036854775807)) VIRTUAL;
CREATE INDEX artists_in_order ON artists (service, state, rank, id);
CREATE INDEX artists_by_rank ON artists (service, rank, id);

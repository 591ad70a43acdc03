-- The order that editors give to the records of a list. Null: behind all that have a position, in the order of ids, as before.
ALTER TABLE categories ADD COLUMN position BIGINT;
ALTER TABLE staged_categories ADD COLUMN position BIGINT;
ALTER TABLE banners ADD COLUMN position BIGINT;
ALTER TABLE staged_banners ADD COLUMN position BIGINT;
-- What lists are sorted by: the engine makes it of the position. Visitors' lists have one state, those of editors have every state.
ALTER TABLE categories ADD COLUMN rank BIGINT GENERATED ALWAYS AS (COALESCE(position, 9223372036854775807)) VIRTUAL;
CREATE INDEX categories_in_order ON categories (service, state, rank, id);
CREATE INDEX categories_by_rank ON categories (service, rank, id);
ALTER TABLE banners ADD COLUMN rank BIGINT GENERATED ALWAYS AS (COALESCE(position, 9223372036854775807)) VIRTUAL;
CREATE INDEX banners_in_order ON banners (service, state, rank, id);
CREATE INDEX banners_by_rank ON banners (service, rank, id);

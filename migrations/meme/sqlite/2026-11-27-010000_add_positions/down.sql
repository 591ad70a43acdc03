DROP INDEX categories_by_rank;
DROP INDEX categories_in_order;
ALTER TABLE categories DROP COLUMN rank;
ALTER TABLE staged_categories DROP COLUMN position;
ALTER TABLE categories DROP COLUMN position;

-- 'unlisted' is left out of every list and draw and still answers by its own address; 'deleted' is nowhere.

ALTER TABLE memes ADD COLUMN state TEXT NOT NULL DEFAULT 'listed' CHECK (state IN ('listed', 'unlisted', 'deleted'));

-- Pages of a category, and the ids to draw from: each is one walk along an index.
DROP INDEX memes_of_category;
CREATE INDEX memes_of_category ON memes (category_id, state, id);
CREATE INDEX memes_of_service ON memes (service, state, id);
CREATE INDEX categories_of_service ON categories (service, id);

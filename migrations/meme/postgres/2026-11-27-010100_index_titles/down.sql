DROP INDEX categories_by_title;
DROP INDEX memes_by_title;

DROP INDEX categories_by_service;
DROP INDEX memes_by_service;
DROP INDEX memes_by_parent;
DROP TABLE changes;

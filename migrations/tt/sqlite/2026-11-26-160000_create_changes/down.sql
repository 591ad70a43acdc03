DROP INDEX videos_by_state;
DROP INDEX categories_by_service;
DROP INDEX videos_by_service;
DROP INDEX banners_by_service;
DROP INDEX videos_by_parent;
DROP TABLE changes;

DROP INDEX videos_by_state;
DROP INDEX artists_by_service;
DROP INDEX videos_by_service;
DROP INDEX videos_by_parent;
DROP TABLE changes;

DROP INDEX artists_by_title;
DROP INDEX videos_by_title;

DROP INDEX videos_by_likes;
DROP INDEX videos_by_date;
DROP TRIGGER uncount_like ON likes;
DROP TRIGGER count_like ON likes;
DROP FUNCTION uncount_like();
DROP FUNCTION count_like();
ALTER TABLE videos DROP COLUMN likes;

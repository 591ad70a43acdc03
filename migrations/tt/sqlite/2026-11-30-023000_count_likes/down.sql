DROP INDEX videos_by_likes;
DROP INDEX videos_by_date;
DROP TRIGGER uncount_like;
DROP TRIGGER count_like;
ALTER TABLE videos DROP COLUMN likes;

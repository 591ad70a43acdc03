DROP INDEX memes_by_likes;
DROP INDEX memes_by_date;

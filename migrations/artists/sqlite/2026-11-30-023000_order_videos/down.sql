DROP INDEX videos_by_date;

DROP TABLE complaints;
ALTER TABLE subscriptions DROP COLUMN watched_day;

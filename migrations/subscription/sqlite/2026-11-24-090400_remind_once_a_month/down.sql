DROP TABLE reminder_runs;
DROP INDEX subscriptions_by_reminder_day;
DROP INDEX reminders_one_a_month;
ALTER TABLE reminders DROP COLUMN month;

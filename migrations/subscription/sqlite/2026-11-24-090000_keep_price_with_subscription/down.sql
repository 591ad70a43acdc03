ALTER TABLE subscriptions DROP COLUMN price_cents;
ALTER TABLE subscriptions DROP COLUMN period;
ALTER TABLE subscriptions DROP COLUMN generation;
ALTER TABLE subscriptions DROP COLUMN reminder_day;

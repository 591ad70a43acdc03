-- What the person consented to, and what is charged: the price in South African cents, VAT included, for each period.
ALTER TABLE subscriptions ADD COLUMN price_cents BIGINT NOT NULL DEFAULT 300;
ALTER TABLE subscriptions ADD COLUMN period TEXT NOT NULL DEFAULT 'day';
-- How often the subscription has ended. A session carries the generation in which it was opened and ends with it.
ALTER TABLE subscriptions ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;
UPDATE subscriptions SET generation = 1 WHERE state = 'cancelled';
-- The day of the month (Johannesburg) on which the monthly reminder is due; in a shorter month its last day.
ALTER TABLE subscriptions ADD COLUMN reminder_day INTEGER NOT NULL DEFAULT 1;
UPDATE subscriptions SET reminder_day = CAST(date_part('day', since + interval '2 hours') AS INTEGER);

ALTER TABLE subscriptions DROP COLUMN highest_price_cents;

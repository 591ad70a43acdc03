-- The highest price that it was ever to be charged at since this was kept; the current price may be higher. It shows which numbers cannot reach
-- the monthly limit.
ALTER TABLE subscriptions ADD COLUMN highest_price_cents BIGINT NOT NULL DEFAULT 0;

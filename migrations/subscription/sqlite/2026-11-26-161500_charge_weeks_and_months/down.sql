ALTER TABLE subscriptions DROP COLUMN had_long_period;
ALTER TABLE ledger DROP COLUMN paid_until;

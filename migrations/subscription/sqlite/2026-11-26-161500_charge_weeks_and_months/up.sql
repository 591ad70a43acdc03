-- The first day that a charge for a week or a month does not pay for; empty: it pays for its own day alone.
ALTER TABLE ledger ADD COLUMN paid_until TEXT NOT NULL DEFAULT '';
-- Whether more than a day was ever to be charged at once: then earlier charges decide whether a day is due.
ALTER TABLE subscriptions ADD COLUMN had_long_period BOOLEAN NOT NULL DEFAULT FALSE;

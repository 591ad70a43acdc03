-- The first day that may be charged, of a number that had a free day; empty: it had none. It is never emptied: a number has one for each service.
ALTER TABLE subscriptions ADD COLUMN free_until TEXT NOT NULL DEFAULT '';
-- The amounts that the subscriber agreed to for a day, the price first, such as 300,200,100; empty: the price alone.
ALTER TABLE subscriptions ADD COLUMN parts TEXT NOT NULL DEFAULT '';
-- What the page showed: the free days that this attempt starts, and the amounts.
ALTER TABLE tries ADD COLUMN free_days INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tries ADD COLUMN parts TEXT NOT NULL DEFAULT '';
-- Whether a request under this charge's key got no answer, so that it may still be under way: then no other amount is tried that day.
ALTER TABLE ledger ADD COLUMN unanswered BOOLEAN NOT NULL DEFAULT FALSE;

ALTER TABLE ledger DROP COLUMN unanswered;
ALTER TABLE tries DROP COLUMN parts;
ALTER TABLE tries DROP COLUMN free_days;
ALTER TABLE subscriptions DROP COLUMN parts;
ALTER TABLE subscriptions DROP COLUMN free_until;

ALTER TABLE ledger DROP COLUMN owed_cents;

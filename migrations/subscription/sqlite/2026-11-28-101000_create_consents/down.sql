ALTER TABLE ledger DROP COLUMN consent_id;
ALTER TABLE subscriptions DROP COLUMN consent_id;
DROP TABLE consents;

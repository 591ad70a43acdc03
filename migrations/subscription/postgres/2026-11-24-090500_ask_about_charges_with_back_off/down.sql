DROP INDEX ledger_refund_of;
DROP INDEX ledger_to_ask;
ALTER TABLE ledger DROP COLUMN made_by;
ALTER TABLE ledger DROP COLUMN refund_of;
ALTER TABLE ledger DROP COLUMN ask_at;
ALTER TABLE ledger DROP COLUMN asked;

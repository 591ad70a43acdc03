DROP INDEX ledger_wanted;
CREATE INDEX ledger_wanted ON ledger (pass) WHERE pass = -1;
DROP INDEX ledger_to_claim;

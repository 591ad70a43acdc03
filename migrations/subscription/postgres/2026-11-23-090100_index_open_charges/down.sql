DROP INDEX ledger_open;

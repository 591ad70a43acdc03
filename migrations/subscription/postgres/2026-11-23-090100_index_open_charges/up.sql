-- Charges that nobody is sending. They are looked for every minute, on all days before this one.
CREATE INDEX ledger_open ON ledger (day) WHERE kind = 'charge' AND status = 'pending' AND claim IS NULL;

-- What a pass claims next. Of a day that has just begun the planner has no statistics: this index alone holds nothing but such charges,
-- in the order in which they are claimed.
CREATE INDEX ledger_to_claim ON ledger (day, network, id) WHERE kind = 'charge' AND claim IS NULL AND status IN ('pending', 'failed');
-- Charges that are to be made at once.
DROP INDEX ledger_wanted;
CREATE INDEX ledger_wanted ON ledger (network, day, id) WHERE pass = -1;

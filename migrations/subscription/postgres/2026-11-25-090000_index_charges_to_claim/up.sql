-- Of a day that has just begun the planner has no statistics. Each of these indexes holds nothing but the rows that its query wants, in the
-- order in which it wants them.
-- What a pass claims next.
CREATE INDEX ledger_to_claim ON ledger (day, network, id) WHERE kind = 'charge' AND claim IS NULL AND status IN ('pending', 'failed');
-- Charges that are to be made at once.
DROP INDEX ledger_wanted;
CREATE INDEX ledger_wanted ON ledger (network, day, id) WHERE pass = -1;
-- Claims that are older than any request can be on its way.
DROP INDEX ledger_claimed;
CREATE INDEX ledger_claimed ON ledger (sent_at) WHERE claim IS NOT NULL;

-- Who showed the price: `page` (ours, which said so with the join), `network`, `sms`; empty: it is not recorded. Attempts of the first release
-- have no words, and a price that is only the default of a column.
ALTER TABLE tries ADD COLUMN price_source TEXT NOT NULL DEFAULT '';
UPDATE tries SET price_source = 'network' WHERE kind = 'at_network' OR (kind = 'opt_in' AND wording <> '');
UPDATE tries SET price_source = 'sms' WHERE kind = 'sms_join';
-- The prices that the page showed before the network recognised the SIM; empty: it has not said.
ALTER TABLE number_verifications ADD COLUMN shown TEXT NOT NULL DEFAULT '';

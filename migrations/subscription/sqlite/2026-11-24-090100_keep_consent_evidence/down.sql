DROP INDEX tries_not_confirmed;
ALTER TABLE tries DROP COLUMN network_ref;
ALTER TABLE tries DROP COLUMN wording_hash;
ALTER TABLE tries DROP COLUMN wording;
ALTER TABLE tries DROP COLUMN period;
ALTER TABLE tries DROP COLUMN price_cents;

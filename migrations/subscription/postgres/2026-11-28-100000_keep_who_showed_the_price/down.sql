ALTER TABLE number_verifications DROP COLUMN shown;
ALTER TABLE tries DROP COLUMN price_source;

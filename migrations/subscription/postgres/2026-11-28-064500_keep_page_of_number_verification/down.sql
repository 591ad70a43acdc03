ALTER TABLE number_verifications DROP COLUMN continue_to;

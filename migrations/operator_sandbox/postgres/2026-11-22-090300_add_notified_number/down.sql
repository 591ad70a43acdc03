ALTER TABLE notifications DROP COLUMN msisdn;

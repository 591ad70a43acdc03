ALTER TABLE opt_ins DROP COLUMN anti_fraud_token;

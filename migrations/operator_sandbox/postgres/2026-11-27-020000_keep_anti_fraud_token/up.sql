-- The token of the network's protection against fraud, as the other side passed it on.
ALTER TABLE opt_ins ADD COLUMN anti_fraud_token TEXT NOT NULL DEFAULT '';

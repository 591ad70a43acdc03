DROP INDEX subscriptions_one_running;
CREATE UNIQUE INDEX subscriptions_one_running ON subscriptions (msisdn, svc_id) WHERE ended_at IS NULL;
DROP INDEX charges_by_key_and_network;
ALTER TABLE charges ADD CONSTRAINT charges_charge_key_key UNIQUE (charge_key);
ALTER TABLE charges DROP COLUMN network;
ALTER TABLE opt_ins DROP COLUMN network;

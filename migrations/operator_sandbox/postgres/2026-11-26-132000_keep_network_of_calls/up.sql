-- The network that was called; empty in rows from before. Networks know nothing of each other: each has charges and subscriptions of its own.
ALTER TABLE opt_ins ADD COLUMN network TEXT NOT NULL DEFAULT '';
ALTER TABLE charges ADD COLUMN network TEXT NOT NULL DEFAULT '';
ALTER TABLE charges DROP CONSTRAINT charges_charge_key_key;
CREATE UNIQUE INDEX charges_by_key_and_network ON charges (charge_key, network);
DROP INDEX subscriptions_one_running;
CREATE UNIQUE INDEX subscriptions_one_running ON subscriptions (msisdn, svc_id, network) WHERE ended_at IS NULL;

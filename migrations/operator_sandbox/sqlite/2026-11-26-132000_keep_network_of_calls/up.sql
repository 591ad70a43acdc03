-- The network that was called; empty in rows from before. Networks know nothing of each other: each has charges and subscriptions of its own.
ALTER TABLE opt_ins ADD COLUMN network TEXT NOT NULL DEFAULT '';
CREATE TABLE charges_with_network (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    charge_key TEXT NOT NULL,
    msisdn TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    cents BIGINT NOT NULL,
    day TEXT NOT NULL,
    at TIMESTAMP NOT NULL,
    network TEXT NOT NULL DEFAULT ''
);
INSERT INTO charges_with_network (id, charge_key, msisdn, svc_id, cents, day, at)
SELECT id, charge_key, msisdn, svc_id, cents, day, at FROM charges;
DROP TABLE charges;
ALTER TABLE charges_with_network RENAME TO charges;
CREATE INDEX charges_of_day ON charges (day, id);
CREATE UNIQUE INDEX charges_by_key_and_network ON charges (charge_key, network);
DROP INDEX subscriptions_one_running;
CREATE UNIQUE INDEX subscriptions_one_running ON subscriptions (msisdn, svc_id, network) WHERE ended_at IS NULL;

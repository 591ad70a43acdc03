DROP INDEX subscriptions_one_running;
CREATE UNIQUE INDEX subscriptions_one_running ON subscriptions (msisdn, svc_id) WHERE ended_at IS NULL;
CREATE TABLE charges_without_network (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    charge_key TEXT NOT NULL UNIQUE,
    msisdn TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    cents BIGINT NOT NULL,
    day TEXT NOT NULL,
    at TIMESTAMP NOT NULL
);
INSERT INTO charges_without_network (id, charge_key, msisdn, svc_id, cents, day, at)
SELECT id, charge_key, msisdn, svc_id, cents, day, at FROM charges;
DROP TABLE charges;
ALTER TABLE charges_without_network RENAME TO charges;
CREATE INDEX charges_of_day ON charges (day, id);
ALTER TABLE opt_ins DROP COLUMN network;

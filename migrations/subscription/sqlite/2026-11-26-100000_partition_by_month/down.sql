DROP TABLE paid_before;
DROP TABLE ledger_bounds;
-- The old form has one row of a key: of a refund that was refused and entered again, the last.
DELETE FROM ledger WHERE EXISTS (
    SELECT 1 FROM ledger newer
    WHERE newer.network = ledger.network AND newer.charge_key = ledger.charge_key AND newer.id > ledger.id
);
CREATE TABLE ledger_whole (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    subscription_id BIGINT NOT NULL REFERENCES subscriptions (id),
    network TEXT NOT NULL,
    day TEXT NOT NULL,
    kind TEXT NOT NULL,
    cents BIGINT NOT NULL,
    status TEXT NOT NULL,
    charge_key TEXT NOT NULL,
    network_ref TEXT,
    attempts INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    pass BIGINT NOT NULL,
    claim TEXT,
    sent_at TIMESTAMP,
    reason TEXT NOT NULL,
    at TIMESTAMP NOT NULL,
    asked INTEGER NOT NULL DEFAULT 0,
    ask_at TIMESTAMP,
    refund_of BIGINT,
    made_by TEXT NOT NULL DEFAULT '',
    UNIQUE (network, charge_key)
);
INSERT INTO ledger_whole (id, subscription_id, network, day, kind, cents, status, charge_key, network_ref, attempts, failures, pass,
    claim, sent_at, reason, at, asked, ask_at, refund_of, made_by)
SELECT id, subscription_id, network, day, kind, cents, status, charge_key, network_ref, attempts, failures, pass,
    claim, sent_at, reason, at, asked, ask_at, refund_of, made_by FROM ledger;
-- The next id, also where the newest rows were deleted.
UPDATE sqlite_sequence SET seq = (SELECT max(seq) FROM sqlite_sequence WHERE name IN ('ledger', 'ledger_whole')) WHERE name = 'ledger_whole';
DROP TABLE ledger;
ALTER TABLE ledger_whole RENAME TO ledger;
CREATE UNIQUE INDEX ledger_one_charge_a_day ON ledger (subscription_id, day) WHERE kind = 'charge';
CREATE INDEX ledger_of_subscription ON ledger (subscription_id);
CREATE INDEX ledger_by_day ON ledger (day, id);
CREATE INDEX ledger_unknown ON ledger (id) WHERE status = 'unknown';
CREATE INDEX ledger_open ON ledger (day) WHERE kind = 'charge' AND status = 'pending' AND claim IS NULL;
CREATE INDEX ledger_to_ask ON ledger (network, ask_at, id) WHERE status = 'unknown';
CREATE INDEX ledger_refund_of ON ledger (refund_of) WHERE refund_of IS NOT NULL;
CREATE INDEX ledger_to_claim ON ledger (day, network, id) WHERE kind = 'charge' AND claim IS NULL AND status IN ('pending', 'failed');
CREATE INDEX ledger_wanted ON ledger (network, day, id) WHERE pass = -1;
CREATE INDEX ledger_claimed ON ledger (sent_at) WHERE claim IS NOT NULL;

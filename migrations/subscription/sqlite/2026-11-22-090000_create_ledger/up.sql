-- What people were charged and given back: one charge at most per subscription and Johannesburg day, and refunds beside it.
-- A settled row is never changed again; what was wrong is put right by a refund.
CREATE TABLE ledger (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    subscription_id BIGINT NOT NULL REFERENCES subscriptions (id),
    network TEXT NOT NULL,
    day TEXT NOT NULL,
    kind TEXT NOT NULL,
    cents BIGINT NOT NULL,
    status TEXT NOT NULL,
    -- A refund's is its charge's, after "refund-".
    charge_key TEXT NOT NULL,
    network_ref TEXT,
    -- How often it was sent; how many of the day's passes it failed in; the last pass that took it, -1 where it
    -- is to be charged at once and not in the day's next pass.
    attempts INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    pass BIGINT NOT NULL,
    -- Who is sending it right now, and since when (by the real clock).
    claim TEXT,
    sent_at TIMESTAMP,
    reason TEXT NOT NULL,
    at TIMESTAMP NOT NULL,
    UNIQUE (network, charge_key)
);

CREATE UNIQUE INDEX ledger_one_charge_a_day ON ledger (subscription_id, day) WHERE kind = 'charge';
-- What a subscription has paid, refunds included, is asked at every look at it.
CREATE INDEX ledger_of_subscription ON ledger (subscription_id);
CREATE INDEX ledger_by_day ON ledger (day, id);
CREATE INDEX ledger_claimed ON ledger (claim) WHERE claim IS NOT NULL;
CREATE INDEX ledger_wanted ON ledger (pass) WHERE pass = -1;
CREATE INDEX ledger_unknown ON ledger (id) WHERE status = 'unknown';

-- What push networks had charged before there was a ledger. Johannesburg is two hours ahead of UTC all year.
INSERT INTO ledger (subscription_id, network, day, kind, cents, status, charge_key, network_ref, attempts, failures, pass, reason, at)
SELECT subscription_id, network, date(billed_at, '+2 hours'), 'charge', cents, 'settled', billing_ref, billing_ref, 1, 0, 0, '', billed_at
FROM billing_events
WHERE id IN (
    SELECT MIN(id) FROM billing_events WHERE result = 'success' GROUP BY subscription_id, date(billed_at, '+2 hours')
);

-- The ledger by the month of `day`, the events by the month of `at`. A month is deleted as a whole, and a statement that names days reads
-- their months only. The service makes the partitions ahead. The default partitions take rows of a month that has none yet, so that no
-- write is lost.
CREATE SEQUENCE ledger_ids;
CREATE TABLE ledger_by_month (
    id BIGINT NOT NULL DEFAULT nextval('ledger_ids'),
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
    made_by TEXT NOT NULL DEFAULT ''
) PARTITION BY RANGE (day);

CREATE SEQUENCE events_ids;
CREATE TABLE events_by_month (
    id BIGINT NOT NULL DEFAULT nextval('events_ids'),
    subscription_id BIGINT NOT NULL REFERENCES subscriptions (id),
    at TIMESTAMP NOT NULL,
    from_state TEXT,
    to_state TEXT NOT NULL,
    cause TEXT NOT NULL,
    evidence TEXT NOT NULL
) PARTITION BY RANGE (at);

-- A partition for each month with rows. A day is text of ten characters, so the first day of a month is its lower bound.
DO $$
DECLARE
    month DATE;
BEGIN
    LOCK TABLE ledger, events IN ACCESS EXCLUSIVE MODE;
    FOR month IN SELECT DISTINCT to_date(substr(day, 1, 7), 'YYYY-MM') FROM ledger LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF ledger_by_month FOR VALUES FROM (%L) TO (%L)',
            to_char(month, '"ledger_"YYYY_MM'), to_char(month, 'YYYY-MM-DD'), to_char(month + interval '1 month', 'YYYY-MM-DD'));
    END LOOP;
    FOR month IN SELECT DISTINCT date_trunc('month', at)::date FROM events LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF events_by_month FOR VALUES FROM (%L) TO (%L)',
            to_char(month, '"events_"YYYY_MM'), month, (month + interval '1 month')::date);
    END LOOP;
END $$;
CREATE TABLE ledger_default PARTITION OF ledger_by_month DEFAULT;
CREATE TABLE events_default PARTITION OF events_by_month DEFAULT;

INSERT INTO ledger_by_month (id, subscription_id, network, day, kind, cents, status, charge_key, network_ref, attempts, failures, pass,
    claim, sent_at, reason, at, asked, ask_at, refund_of, made_by)
SELECT id, subscription_id, network, day, kind, cents, status, charge_key, network_ref, attempts, failures, pass,
    claim, sent_at, reason, at, asked, ask_at, refund_of, made_by FROM ledger;
INSERT INTO events_by_month (id, subscription_id, at, from_state, to_state, cause, evidence)
SELECT id, subscription_id, at, from_state, to_state, cause, evidence FROM events;
-- The next id, also where the newest rows were deleted, or were inserted with their ids.
SELECT setval('ledger_ids', greatest(nextval(pg_get_serial_sequence('ledger', 'id')), (SELECT coalesce(max(id), 0) + 1 FROM ledger)), false);
SELECT setval('events_ids', greatest(nextval(pg_get_serial_sequence('events', 'id')), (SELECT coalesce(max(id), 0) + 1 FROM events)), false);
DROP TABLE ledger;
DROP TABLE events;
ALTER TABLE ledger_by_month RENAME TO ledger;
ALTER TABLE events_by_month RENAME TO events;
ALTER SEQUENCE ledger_ids OWNED BY ledger.id;
ALTER SEQUENCE events_ids OWNED BY events.id;

ALTER TABLE ledger ADD PRIMARY KEY (id, day);
-- A charge's key is made of its day. A refund that was refused and is entered again on a later day is a second row.
ALTER TABLE ledger ADD UNIQUE (network, charge_key, day);
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
-- Refunds that are due, of any age.
CREATE INDEX ledger_refunds_due ON ledger (day) WHERE kind = 'refund' AND status = 'pending';
ALTER TABLE events ADD PRIMARY KEY (id, at);
CREATE INDEX events_of_subscription ON events (subscription_id, id);
CREATE INDEX events_by_at ON events (at);

-- Autovacuum counts partitions, but never the whole.
ANALYZE ledger, events;

-- Days between which statements look: no row older than `open_since` is open, and none older than `kept_since` is kept. One row.
CREATE TABLE ledger_bounds (
    id INTEGER PRIMARY KEY NOT NULL,
    open_since TEXT NOT NULL,
    kept_since TEXT NOT NULL
);
INSERT INTO ledger_bounds (id, open_since, kept_since) VALUES (1, '', '');

-- What subscriptions paid in months that were deleted, less refunds.
CREATE TABLE paid_before (
    subscription_id BIGINT PRIMARY KEY NOT NULL REFERENCES subscriptions (id),
    cents BIGINT NOT NULL
);

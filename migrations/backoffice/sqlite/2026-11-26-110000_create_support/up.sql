-- Numbers that support looked up. The audit log names them by id, so that it holds no whole number.
CREATE TABLE numbers (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    msisdn TEXT NOT NULL UNIQUE
);

-- What stands for a number in the calls of one session. Only the token's hash is kept.
CREATE TABLE lookups (
    token_hash TEXT PRIMARY KEY NOT NULL,
    session_id BIGINT NOT NULL,
    number_id BIGINT NOT NULL,
    at TIMESTAMP NOT NULL
);

CREATE INDEX lookups_by_time ON lookups (at);

-- kind: note or complaint.
CREATE TABLE notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    number_id BIGINT NOT NULL,
    staff_id BIGINT NOT NULL,
    staff TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    at TIMESTAMP NOT NULL
);

CREATE INDEX notes_of_number ON notes (number_id, id);

-- Refunds that support requested. state: made (also where its outcome is not known), waiting for a second person, refused by that person,
-- failed at the subscription service.
CREATE TABLE refunds (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    number_id BIGINT NOT NULL,
    ledger_id BIGINT NOT NULL,
    cents BIGINT NOT NULL,
    reason TEXT NOT NULL,
    state TEXT NOT NULL,
    staff_id BIGINT NOT NULL,
    staff TEXT NOT NULL,
    at TIMESTAMP NOT NULL,
    decided_by TEXT,
    decided_at TIMESTAMP
);

CREATE INDEX refunds_of_number ON refunds (number_id, at);
CREATE INDEX refunds_waiting ON refunds (id) WHERE state = 'waiting';
CREATE UNIQUE INDEX refunds_of_charge ON refunds (ledger_id) WHERE state IN ('made', 'waiting');

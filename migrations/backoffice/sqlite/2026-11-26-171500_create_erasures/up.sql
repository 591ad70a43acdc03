-- When support searched a number last; it is forgotten some years later.
ALTER TABLE numbers ADD COLUMN searched_at TIMESTAMP;

-- Erasures of numbers' data. state: waiting (for a second person), refused (by that person), open (until each service has confirmed), done,
-- impossible (the subscription service refused, for this cause). kept: what stays, as JSON. The row of `numbers` goes with the erasure.
CREATE TABLE erasures (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    number_id BIGINT NOT NULL,
    masked TEXT NOT NULL,
    reason TEXT NOT NULL,
    state TEXT NOT NULL,
    staff_id BIGINT NOT NULL,
    staff TEXT NOT NULL,
    at TIMESTAMP NOT NULL,
    decided_by_id BIGINT,
    decided_by TEXT,
    decided_at TIMESTAMP,
    cause TEXT NOT NULL DEFAULT '',
    kept TEXT NOT NULL DEFAULT '[]',
    finished_at TIMESTAMP
);

CREATE UNIQUE INDEX erasures_unfinished ON erasures (number_id) WHERE state IN ('waiting', 'open');
CREATE INDEX erasures_by_state ON erasures (state, id);
CREATE INDEX erasures_of_number ON erasures (number_id);

-- The services that have confirmed an erasure, and what stays there.
CREATE TABLE erasure_steps (
    erasure_id BIGINT NOT NULL,
    service TEXT NOT NULL,
    kept TEXT NOT NULL,
    at TIMESTAMP NOT NULL,
    PRIMARY KEY (erasure_id, service)
);

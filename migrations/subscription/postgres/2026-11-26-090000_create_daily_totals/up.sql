-- The totals of each Johannesburg day, which the dashboards read instead of the ledger and the events.
CREATE TABLE daily_charges (
    day TEXT NOT NULL,
    network TEXT NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    entries BIGINT NOT NULL,
    cents BIGINT NOT NULL,
    PRIMARY KEY (day, network, kind, status)
);

-- from_state is empty for a subscription's first state.
CREATE TABLE daily_moves (
    day TEXT NOT NULL,
    from_state TEXT NOT NULL,
    to_state TEXT NOT NULL,
    cause TEXT NOT NULL,
    moves BIGINT NOT NULL,
    PRIMARY KEY (day, from_state, to_state, cause)
);

-- When a day was counted last.
CREATE TABLE daily_totals (
    day TEXT PRIMARY KEY NOT NULL,
    counted_at TIMESTAMP NOT NULL
);

-- A day's events are counted without a read of all.
CREATE INDEX events_by_at ON events (at);

-- What happened before there were totals. Johannesburg is two hours ahead of UTC all year.
INSERT INTO daily_charges (day, network, kind, status, entries, cents)
SELECT day, network, kind, status, COUNT(*), CAST(SUM(cents) AS BIGINT) FROM ledger GROUP BY day, network, kind, status;
INSERT INTO daily_moves (day, from_state, to_state, cause, moves)
SELECT to_char(at + interval '2 hours', 'YYYY-MM-DD'), COALESCE(from_state, ''), to_state, cause, COUNT(*) FROM events GROUP BY 1, 2, 3, 4;

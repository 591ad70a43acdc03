-- What was charged and given back in each hour of a Johannesburg day, which staff's overview reads instead of the ledger. Counted with the day's
-- other totals; the hour is that of the outcome, and 23 for an outcome after the day was over.
CREATE TABLE hourly_sums (
    day TEXT NOT NULL,
    hour INTEGER NOT NULL,
    kind TEXT NOT NULL,
    entries BIGINT NOT NULL,
    cents BIGINT NOT NULL,
    PRIMARY KEY (day, hour, kind)
);

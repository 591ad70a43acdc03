-- The day's rounds of charging. One that is not finished is joined, and taken up again after a crash.
CREATE TABLE billing_passes (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    day TEXT NOT NULL,
    number INTEGER NOT NULL,
    started_at TIMESTAMP NOT NULL,
    finished_at TIMESTAMP,
    UNIQUE (day, number)
);

-- One row a day, locked while charges are claimed: replicas take turns, so that the bounds hold over all of them.
CREATE TABLE billing_days (
    day TEXT PRIMARY KEY NOT NULL
);

-- The processes that send charges; the claims of one that is silent are taken over. By the real clock.
CREATE TABLE billing_runners (
    token TEXT PRIMARY KEY NOT NULL,
    alive_until TIMESTAMP NOT NULL
);

-- How many charges went to a network in an hour.
CREATE TABLE charge_hours (
    network TEXT NOT NULL,
    hour TEXT NOT NULL,
    sent BIGINT NOT NULL,
    PRIMARY KEY (network, hour)
);

-- Charges a network made beyond the one that was owed: given back at the network, and never part of the ledger.
CREATE TABLE surplus_charges (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    network TEXT NOT NULL,
    charge_key TEXT NOT NULL,
    msisdn TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    day TEXT NOT NULL,
    cents BIGINT NOT NULL,
    found_at TIMESTAMP NOT NULL,
    UNIQUE (network, charge_key)
);

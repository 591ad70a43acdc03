-- A network's own list of a day's charges, as it was fetched last.
CREATE TABLE listed_charges (
    network TEXT NOT NULL,
    day TEXT NOT NULL,
    charge_key TEXT NOT NULL,
    msisdn TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    cents BIGINT NOT NULL,
    at TIMESTAMP,
    -- own; other: of another network at the same address, which lists both; unreadable: only its key could be read.
    status TEXT NOT NULL,
    PRIMARY KEY (network, day, charge_key)
);

CREATE INDEX listed_charges_of_number ON listed_charges (network, day, msisdn, svc_id);

-- The comparison of each day with each network: running, repaired, held (a person has to accept it) or failed.
CREATE TABLE reconciliations (
    network TEXT NOT NULL,
    day TEXT NOT NULL,
    state TEXT NOT NULL,
    started_at TIMESTAMP NOT NULL,
    finished_at TIMESTAMP,
    listed BIGINT NOT NULL,
    agreed BIGINT NOT NULL,
    settled BIGINT NOT NULL,
    differences BIGINT NOT NULL,
    cause TEXT NOT NULL,
    -- The process that compares, or compared last, and when it wrote last (by the real clock): one that has been silent is taken over.
    run TEXT NOT NULL DEFAULT '',
    alive_at TIMESTAMP,
    PRIMARY KEY (network, day)
);

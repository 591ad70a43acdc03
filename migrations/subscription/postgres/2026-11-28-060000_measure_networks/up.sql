-- How far the times of a network's notifications are behind their receipt: the newest few, from which every replica measures its clock.
CREATE TABLE network_clocks (
    network TEXT NOT NULL,
    slot INTEGER NOT NULL,
    lag_seconds BIGINT NOT NULL,
    PRIMARY KEY (network, slot)
);

-- What brands.toml said of each network when it was last accepted: its adapter, and how it names subscribers.
CREATE TABLE network_entries (
    network TEXT NOT NULL PRIMARY KEY,
    adapter TEXT NOT NULL,
    named_by TEXT NOT NULL
);

-- The network's own reference of a listed charge; and for a second debit under one key, that key.
ALTER TABLE listed_charges ADD COLUMN network_ref TEXT NOT NULL DEFAULT '';
ALTER TABLE listed_charges ADD COLUMN of_key TEXT NOT NULL DEFAULT '';

-- Charges that were tried and not made, by how the last try ended.
CREATE TABLE failed_charges (
    charge_key TEXT PRIMARY KEY NOT NULL,
    outcome TEXT NOT NULL,
    tries INTEGER NOT NULL,
    at TIMESTAMP NOT NULL
);

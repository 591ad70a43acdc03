-- What was really charged.
CREATE TABLE charges (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    charge_key TEXT NOT NULL UNIQUE,
    msisdn TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    cents BIGINT NOT NULL,
    day TEXT NOT NULL,
    at TIMESTAMP NOT NULL
);

CREATE INDEX charges_of_day ON charges (day, id);

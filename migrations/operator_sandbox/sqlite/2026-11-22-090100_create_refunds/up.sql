-- What was given back of charges; the day is the charge's.
CREATE TABLE refunds (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    refund_key TEXT NOT NULL UNIQUE,
    charge_key TEXT NOT NULL,
    msisdn TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    cents BIGINT NOT NULL,
    reason TEXT NOT NULL,
    day TEXT NOT NULL,
    at TIMESTAMP NOT NULL
);

CREATE INDEX refunds_of_charge ON refunds (charge_key);
CREATE INDEX refunds_of_day ON refunds (day, id);

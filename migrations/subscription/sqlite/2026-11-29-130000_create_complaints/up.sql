-- The last day on which bytes of a film were sent to a session of the subscription, in Johannesburg; empty before the first.
ALTER TABLE subscriptions ADD COLUMN watched_day TEXT NOT NULL DEFAULT '';

-- Complaints of subscribers about a charge. The first one of a person gives the last charge back by rule; every other is a case, which is open
-- until support closes it.
CREATE TABLE complaints (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    subscription_id BIGINT NOT NULL REFERENCES subscriptions (id),
    person INTEGER NOT NULL,
    charge_id BIGINT NOT NULL,
    charge_day TEXT NOT NULL,
    cents BIGINT NOT NULL,
    channel TEXT NOT NULL,
    outcome TEXT NOT NULL,
    why TEXT NOT NULL,
    at TIMESTAMP NOT NULL,
    closed_at TIMESTAMP,
    closed_by TEXT NOT NULL
);

CREATE UNIQUE INDEX complaints_of_charge ON complaints (subscription_id, charge_id, outcome);
CREATE UNIQUE INDEX complaints_refunded ON complaints (subscription_id, person) WHERE outcome = 'refunded';
CREATE INDEX complaints_open ON complaints (at) WHERE outcome = 'case' AND closed_at IS NULL;

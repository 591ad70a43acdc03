-- One row per number and service, for life: who leaves and comes back is the same row.
CREATE TABLE subscriptions (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    msisdn TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    state TEXT NOT NULL,
    since TIMESTAMP NOT NULL,
    left_at TIMESTAMP,
    UNIQUE (msisdn, svc_id)
);

CREATE INDEX subscriptions_by_state ON subscriptions (state, since);

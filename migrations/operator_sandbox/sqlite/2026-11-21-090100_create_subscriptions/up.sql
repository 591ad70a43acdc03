-- The network's own subscriptions; one per opt-in that was confirmed while none ran.
CREATE TABLE subscriptions (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    network TEXT NOT NULL,
    msisdn TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    ext_ref TEXT NOT NULL,
    partner_ref TEXT,
    started_at TIMESTAMP NOT NULL,
    ended_at TIMESTAMP,
    last_billed_at TIMESTAMP
);

CREATE INDEX subscriptions_of_number ON subscriptions (msisdn, svc_id);

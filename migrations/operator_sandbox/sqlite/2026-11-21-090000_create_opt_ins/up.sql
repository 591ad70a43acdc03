CREATE TABLE opt_ins (
    reference TEXT PRIMARY KEY NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    msisdn TEXT NOT NULL,
    svc_id INTEGER NOT NULL,
    service TEXT NOT NULL,
    price_cents BIGINT NOT NULL,
    ext_ref TEXT NOT NULL,
    partner_ref TEXT,
    return_url TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    decided_at TIMESTAMP,
    subscription_id BIGINT
);

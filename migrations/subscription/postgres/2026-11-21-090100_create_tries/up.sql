-- Every visit to the network's page is a row of its own, with what the person had seen and agreed to.
CREATE TABLE tries (
    id TEXT PRIMARY KEY NOT NULL,
    subscription_id BIGINT NOT NULL REFERENCES subscriptions (id),
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    network TEXT NOT NULL,
    reference TEXT NOT NULL,
    label TEXT NOT NULL,
    browser_hash TEXT NOT NULL,
    ext_ref TEXT NOT NULL,
    page TEXT NOT NULL,
    terms_version TEXT NOT NULL,
    address TEXT NOT NULL,
    agent TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    decided_at TIMESTAMP,
    opened_at TIMESTAMP
);

CREATE INDEX tries_of_subscription ON tries (subscription_id, created_at);

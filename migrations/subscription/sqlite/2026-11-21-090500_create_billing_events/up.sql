-- What push networks say they charged, or could not.
CREATE TABLE billing_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
    network TEXT NOT NULL,
    billing_ref TEXT NOT NULL,
    subscription_id BIGINT NOT NULL REFERENCES subscriptions (id),
    notification_id BIGINT NOT NULL REFERENCES notifications (id),
    cents BIGINT NOT NULL,
    result TEXT NOT NULL,
    billed_at TIMESTAMP NOT NULL,
    UNIQUE (network, billing_ref)
);

CREATE INDEX billing_events_of_subscription ON billing_events (subscription_id, billed_at);
